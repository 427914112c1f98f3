import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { AlarmDevice } from '#machines/contracts/entities/alarm-health.ts'
import type { Incident, Shelving } from '#machines/contracts/entities/incidents.ts'
import type { IncidentKind } from '#machines/contracts/scalars.ts'
import { Button } from '../../ui/button.tsx'
import { buttonLook } from '../../ui/button-look.ts'

/** What may be shelved and what is, as the desk knows it; undefined until it does. */
export type Shelvings =
  | {
      /** what lasts of a device and is not shelved; of one kind where that is said */
      openOf(imei: string, type?: IncidentKind): readonly Incident[]
      isShelved(one: Shelving): boolean
      shelve(incidents: readonly Incident[]): void
      unshelve(shelving: Shelving): void
    }
  | undefined

type LineActionsProps = {
  device: AlarmDevice
  shelvings: Shelvings
  /** of which kind the line is; left out: of all */
  type?: IncidentKind
  /** what is shelved, and may be ended */
  shelved?: Shelving
  children?: ReactNode
}

/** Where a line leads: to shelving and to the limits that made it. */
export function LineActions({ device, shelvings, type, shelved, children }: LineActionsProps) {
  const { imei, name, groupId, groupName } = device
  const open = shelved === undefined ? (shelvings?.openOf(imei, type) ?? []) : []
  return (
    <span className="-mr-2 ml-auto flex flex-wrap justify-end">
      {open.length > 0 && (
        <Button kind="quiet" aria-label={`Shelve ${name}`} onPress={() => shelvings?.shelve(open)}>
          Shelve
        </Button>
      )}
      {shelved !== undefined && shelvings?.isShelved(shelved) && (
        <Button kind="quiet" aria-label={`End early: ${name}`} onPress={() => shelvings.unshelve(shelved)}>
          End early
        </Button>
      )}
      {groupId !== null && <TryLimits groupId={groupId} of={`${groupName}, the group of ${name}`} />}
      {children}
    </span>
  )
}

/** @param of whose limits, for who does not see the line */
export function TryLimits({ groupId, of }: { groupId: string; of: string }) {
  return (
    <Link
      href={`/limits-lab?group=${groupId}`}
      aria-label={`Try limits for ${of}`}
      className={buttonLook('quiet')}
    >
      Try limits
    </Link>
  )
}
