import { Link } from 'wouter'
import type { AlarmDevice, AlarmHealth } from '#machines/contracts/entities/alarm-health.ts'
import { formatCount } from '../../format/numbers.ts'
import { percentOf } from '../../format/percent.ts'
import { Panel } from '../../layout/page.tsx'
import { buttonLook } from '../../ui/button-look.ts'
import { LineActions, type Shelvings } from './line-actions.tsx'

type WorstDevicesProps = { health: AlarmHealth; shelvings: Shelvings }

/** The ten devices most alarms came from, with what can be done about each. */
export function WorstDevices({ health: { worst }, shelvings }: WorstDevicesProps) {
  if (worst.length === 0) return null
  const most = worst[0]?.alarms ?? 1
  return (
    <Panel title="Worst devices">
      <ol aria-label="Worst devices" className="flex flex-col pb-2">
        {worst.map(({ alarms, share, ...device }) => (
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
            <span className="flex max-desk:col-span-2">
              <LineActions device={device} shelvings={shelvings}>
                <Link
                  href={`/temperature/${device.imei}`}
                  aria-label={`History of ${device.name}`}
                  className={buttonLook('quiet')}
                >
                  History
                </Link>
              </LineActions>
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  )
}

/** A device and the group it is in. */
export function DeviceName({ device: { imei, name, groupName } }: { device: AlarmDevice }) {
  return (
    <span className="min-w-0">
      <Link
        href={`/temperature/${imei}`}
        className="block truncate font-medium touch:min-h-11 touch:content-center"
      >
        {name}
      </Link>
      <span className="block truncate text-dense text-ink-soft">{groupName}</span>
    </span>
  )
}
