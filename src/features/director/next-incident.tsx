import { useSelector } from '@xstate/react'
import type { SimIncident } from '#machines/contracts/calls/sim-calls.ts'
import { dashboardOf } from '../../actors/dashboard-actor.ts'
import { directorOf } from '../../actors/director.ts'
import { useStore } from '../../actors/store.ts'
import { useRoot } from '../../actors/use-root.ts'
import { secondsTime } from '../../format/time.ts'
import { Button } from '../../ui/button.tsx'
import { Time } from '../../ui/time.tsx'
import { INCIDENT_WORDS } from './words.ts'

/** What the jump to the next incident came to, with the way to its device. */
export function NextIncident() {
  const root = useRoot()
  const incident = useSelector(directorOf(root).actor, ({ context }) => context.outcome.incident)
  if (incident === undefined) return null
  return (
    <div role="status" className="rounded-small bg-sunken px-3 py-2 text-dense">
      {incident === null ? 'Nothing went wrong in the next twelve hours.' : <Incident incident={incident} />}
    </div>
  )
}

function Incident({ incident: { imei, deviceName, type, at } }: { incident: SimIncident }) {
  const { live, goTo } = useRoot()
  const fleet = useStore(live)?.fleet
  const isVisible = fleet !== undefined && fleet.names.rowOf(imei) >= 0
  return (
    <>
      <p>
        <span className="font-semibold">{deviceName}</span> is {INCIDENT_WORDS[type]} since{' '}
        <Time at={at} as={secondsTime} />.
      </p>
      {isVisible ? (
        <div className="-mx-2 flex pt-1">
          <Button
            kind="quiet"
            className="px-2"
            onPress={() => {
              goTo('/')
              dashboardOf(fleet).send({ type: 'device.select', imei })
            }}
          >
            Show it on the map
          </Button>
          <Button kind="quiet" className="px-2" onPress={() => goTo(`/temperature/${imei}`)}>
            Open its history
          </Button>
        </div>
      ) : (
        <p className="text-ink-soft">It is not among the devices of who is signed in here.</p>
      )}
    </>
  )
}
