import { Link } from 'wouter'
import type { AlarmDevice, AlarmHealth } from '#machines/contracts/entities/alarm-health.ts'
import type { Incident } from '#machines/contracts/entities/incidents.ts'
import type { Desk } from '../../actors/desk.ts'
import { useStore } from '../../actors/store.ts'
import { useRoot } from '../../actors/use-root.ts'
import { formatCount } from '../../format/numbers.ts'
import { percentOf } from '../../format/percent.ts'
import { AskDialog } from '../../layout/incidents/ask-dialog.tsx'
import { useIncidentActions } from '../../layout/incidents/use-incident-actions.ts'
import { Panel } from '../../layout/page.tsx'
import { Button } from '../../ui/button.tsx'
import { buttonLook } from '../../ui/button-look.ts'

/** The ten devices most alarms came from, with what can be done about each. */
export function WorstDevices({ health }: { health: AlarmHealth }) {
  const { live } = useRoot()
  const desk = useStore(live)?.desk
  if (health.worst.length === 0) return null
  return desk ? <WithDesk health={health} desk={desk} /> : <Rows health={health} />
}

function WithDesk({ health, desk }: { health: AlarmHealth; desk: Desk }) {
  const actions = useIncidentActions(desk)
  const known = useStore(desk.known)
  const openOf = (imei: string): Incident[] =>
    known?.open.filter((one) => one.imei === imei && !known.shelved.some(isOf(one))) ?? []
  return (
    <>
      <Rows health={health} openOf={openOf} onShelve={(incidents) => actions.ask('shelve', incidents)} />
      <AskDialog action={actions.action} />
    </>
  )
}

const isOf =
  ({ imei, type }: Incident) =>
  (shelving: { imei: string; type: string }): boolean =>
    shelving.imei === imei && shelving.type === type

type RowsProps = {
  health: AlarmHealth
  openOf?: (imei: string) => Incident[]
  onShelve?: (incidents: Incident[]) => void
}

function Rows({ health: { worst }, openOf = () => [], onShelve }: RowsProps) {
  const most = worst[0]?.alarms ?? 1
  return (
    <Panel title="Worst devices">
      <ol aria-label="Worst devices" className="flex flex-col pb-2">
        {worst.map(({ alarms, share, ...device }) => {
          const open = openOf(device.imei)
          return (
            <li
              key={device.imei}
              className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-4 py-1 hover:bg-hover desk:grid-cols-[minmax(11rem,2fr)_minmax(4rem,2fr)_7rem_20rem]"
            >
              <DeviceName device={device} />
              <span aria-hidden className="h-3 max-desk:hidden">
                <span
                  className="block h-full min-w-0.5 rounded-[2px] bg-ink-faint"
                  style={{ width: `${(100 * alarms) / most}%` }}
                />
              </span>
              <span className="tabular whitespace-nowrap text-right">
                {`${formatCount(alarms)} · ${percentOf(share, 1)}`}
              </span>
              <span className="flex flex-wrap justify-end gap-2 max-desk:col-span-2">
                {onShelve && open.length > 0 && (
                  <Button kind="quiet" aria-label={`Shelve ${device.name}`} onPress={() => onShelve(open)}>
                    Shelve
                  </Button>
                )}
                {device.groupId !== null && (
                  <Link
                    href={`/limits-lab?group=${device.groupId}`}
                    aria-label={`Try limits for ${device.groupName}, the group of ${device.name}`}
                    className={buttonLook('quiet')}
                  >
                    Try limits
                  </Link>
                )}
                <Link
                  href={`/temperature/${device.imei}`}
                  aria-label={`History of ${device.name}`}
                  className={buttonLook('quiet')}
                >
                  History
                </Link>
              </span>
            </li>
          )
        })}
      </ol>
    </Panel>
  )
}

/** A device and the group it is in. */
export function DeviceName({ device: { imei, name, groupName } }: { device: AlarmDevice }) {
  return (
    <span className="min-w-0">
      <Link href={`/temperature/${imei}`} className="block truncate font-medium">
        {name}
      </Link>
      <span className="block truncate text-dense text-ink-soft">{groupName}</span>
    </span>
  )
}
