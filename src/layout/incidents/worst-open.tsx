import type { Desk } from '../../actors/desk.ts'
import { useStore } from '../../actors/store.ts'
import { useRoot, useSignedIn } from '../../actors/use-root.ts'
import { formatCount } from '../../format/numbers.ts'
import { useFleetItself } from '../../read-model/use-fleet.ts'
import { IncidentList } from './incident-list.tsx'
import { IncidentWindows } from './incident-windows.tsx'
import { useIncidentActions } from './use-incident-actions.ts'
import { useWorstFirst } from './use-worst-first.ts'
import { byView } from './views.ts'

const IN_SIGHT = 4

/** What is open where one only looks in: the same rows, keys and actions as on the dashboard, the worst first. */
export function WorstOpen({ desk, onLeave }: { desk: Desk; onLeave: () => void }) {
  const { goTo } = useRoot()
  const { user } = useSignedIn()
  const fleet = useFleetItself()
  const known = useStore(desk.known)
  const actions = useIncidentActions(desk)
  const ordered = useWorstFirst(fleet, known?.open ?? NONE)
  if (known === undefined) return null
  const { nobodys } = byView(known, user._id)
  const open = (imei: string): void => {
    onLeave()
    goTo(`/temperature/${imei}`)
  }
  return (
    <>
      {ordered.length > 0 && (
        <section aria-label="Open" className="shrink-0 border-line border-b">
          <h3 className="flex h-control shrink-0 items-center px-4 pt-1 font-semibold">
            {`Open ${formatCount(ordered.length + known.moreLost)}`}
            <span className="pl-2 font-normal text-dense text-ink-soft">
              {nobodys.length === 0
                ? 'somebody has each'
                : `nobody has ${formatCount(nobodys.length + known.moreLost)}`}
            </span>
          </h3>
          <IncidentList
            fleet={fleet}
            desk={desk}
            known={known}
            incidents={ordered}
            actions={actions}
            onPress={open}
            onOpen={open}
            onLeave={onLeave}
            inSight={IN_SIGHT}
          />
        </section>
      )}
      {/* what is being done to one that is over meanwhile is still told */}
      <IncidentWindows fleet={fleet} actions={actions} />
    </>
  )
}

const NONE: never[] = []
