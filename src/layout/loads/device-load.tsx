import { PackageCheck, PackagePlus } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { DeviceBudget, Load } from '#machines/contracts/entities/loads.ts'
import { useDeviceBudget, useLoadActions } from '../../actors/loads.ts'
import { useFleetItself } from '../../read-model/use-fleet.ts'
import { ActionDialog } from '../../ui/action-dialog.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { LoadGlyph } from '../../ui/load-glyph.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { lazyPart } from '../lazy-part.ts'
import { useOnlyNow } from '../past/past-context.ts'
import { BudgetLine } from './budget-line.tsx'
import { lookOf } from './load-badge.tsx'

const OpenLoadDialog = lazyPart(() =>
  import('./open-load-dialog.tsx').then((module) => ({ default: module.OpenLoadDialog })),
)

export type DeviceLoadProps = {
  imei: string
  /** of the device */
  name: string
  /** a card: nothing but the load, and nothing to press where there is none */
  isBrief?: boolean
  className?: string
}

/** What a device carries and how much of its budget is used; opened and closed here. Who looks back is told that it has no past. */
export function DeviceLoad({ imei, name, isBrief = false, className }: DeviceLoadProps) {
  const { answer, failure, ask } = useDeviceBudget(imei, useDeviceNo(imei))
  const isPast = useOnlyNow() !== undefined
  if (isPast)
    return isBrief ? null : (
      <p className={classNames('text-dense text-ink-faint', className)}>
        What it carries is shown as of now alone.
      </p>
    )
  if (answer === undefined && isBrief) return null
  if (answer === undefined && failure !== null)
    return (
      <div className={className}>
        <Button kind="quiet" className="-ml-2 self-start px-2" onPress={ask}>
          What it carries could not be loaded: try again
        </Button>
      </div>
    )
  if (answer === undefined) return <Skeleton className={classNames('h-control w-full', className)} />
  const { load, profile } = answer
  if (load === null && isBrief) return null
  return (
    <div className={className}>
      {load === null ? (
        <OpenLoad imei={imei} name={name} profile={profile} />
      ) : (
        <CarriedLoad load={load} canClose={!isBrief} />
      )}
    </div>
  )
}

type OpenLoadProps = Pick<DeviceLoadProps, 'imei' | 'name'> & Pick<DeviceBudget, 'profile'>

/** What is put on a device that carries nothing. */
function OpenLoad(of: OpenLoadProps) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button kind="quiet" className="-ml-2 self-start px-2 text-link" onPress={() => setAsking(true)}>
        <PackagePlus size={16} aria-hidden />
        Open a load
      </Button>
      {isAsking && <OpenLoadDialog {...of} onClose={() => setAsking(false)} />}
    </>
  )
}

/** What a device carries, with its end. */
function CarriedLoad({ load, canClose }: { load: Load; canClose: boolean }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Carried load={load} onClose={canClose ? () => setAsking(true) : undefined} />
      {isAsking && <CloseLoadDialog load={load} onClose={() => setAsking(false)} />}
    </>
  )
}

/** The number of a device, by which budgets are told; undefined where it is not in the fleet. */
function useDeviceNo(imei: string): number | undefined {
  const { names, columns } = useFleetItself()
  const row = names.rowOf(imei)
  return row < 0 ? undefined : columns.device[row]
}

function Carried({ load, onClose }: { load: Load; onClose: (() => void) | undefined }) {
  const { _id, reference, state, percent, most, words, profileName, may } = load
  return (
    <div className="flex items-start gap-2">
      <Link href={`/loads/${_id}`} className="group flex min-w-0 flex-1 flex-col gap-1 rounded-small">
        <span className="flex min-w-0 items-center gap-1.5">
          <LoadGlyph look={lookOf(state)} />
          <span className="min-w-0 truncate font-medium text-link group-hover:underline">{reference}</span>
          <span className="min-w-0 flex-1 truncate text-dense text-ink-faint">{profileName}</span>
        </span>
        <BudgetLine {...{ reference, state, percent, most, words }} />
      </Link>
      {may.close && onClose && (
        <Button kind="quiet" className="px-2" onPress={onClose}>
          <PackageCheck size={16} aria-hidden />
          Close
          <span className="sr-only">{` load ${reference}`}</span>
        </Button>
      )}
    </div>
  )
}

/** The goods are off the device: asked once, since a load cannot be opened again. */
export function CloseLoadDialog({
  load: { _id, reference, words, deviceName },
  onClose,
}: {
  load: Pick<Load, '_id' | 'reference' | 'words' | 'deviceName'>
  onClose: () => void
}) {
  const { close, isActing } = useLoadActions()
  return (
    <ActionDialog
      title="Close this load?"
      word="Close the load"
      isActing={isActing}
      isFocused
      onAct={() => close(_id).then((load) => load && onClose())}
      onClose={onClose}
    >
      <p>
        <strong className="font-semibold">{reference}</strong>
        {` is off ${deviceName}. ${words}.`}
      </p>
      <p className="pt-2 text-ink-soft">
        Its story ends here and stays. What comes late for the time before is still counted.
      </p>
    </ActionDialog>
  )
}
