import type { Scene, TroubledDevice } from '../../actors/recording/walker.ts'
import { formatCount, formatHumidity, formatTemperature } from '../../format/numbers.ts'
import { exactTime } from '../../format/time.ts'
import { signOf } from '../../layout/glyph-of.ts'
import { Panel } from '../../layout/page.tsx'
import { StateGlyph } from '../../ui/state-glyph.tsx'
import { Time } from '../../ui/time.tsx'

/** The fleet as the frames have it by now. */
export function FleetPanel({ scene: { fleet, clock, path } }: { scene: Scene }) {
  return (
    <Panel title="Fleet">
      <div className="flex flex-col gap-3 px-4 pb-4">
        <p className="text-dense text-ink-soft">
          On {path}
          {clock !== null && (
            <>
              , at <Time at={clock} as={exactTime} />
            </>
          )}
        </p>
        {fleet === undefined ? (
          <p className="text-ink-soft">No fleet has come yet.</p>
        ) : (
          <>
            <dl className="grid grid-cols-4 gap-2">
              <Count name="Devices" count={fleet.counts.total} />
              <Count name="In trouble" count={fleet.counts.trouble} />
              <Count name="Offline" count={fleet.counts.offline} />
              <Count name="Disconnected" count={fleet.counts.disconnected} />
            </dl>
            <p className="tabular text-dense text-ink-faint">All up to {formatCount(fleet.seq)} of the log</p>
            <ul aria-label="Worst first">
              {fleet.worst.map((device) => (
                <Device key={device.no} device={device} />
              ))}
            </ul>
            {fleet.worst.length === 0 && <p className="text-ink-soft">Nothing is wrong with any of them.</p>}
          </>
        )}
      </div>
    </Panel>
  )
}

function Count({ name, count }: { name: string; count: number }) {
  return (
    <div>
      <dt className="truncate text-dense text-ink-faint">{name}</dt>
      <dd className="tabular font-semibold text-title">{formatCount(count)}</dd>
    </div>
  )
}

function Device({ device: { name, severity, temperature, humidity } }: { device: TroubledDevice }) {
  const { glyph, word } = signOf(severity)
  return (
    <li className="flex min-h-8 items-center gap-3 border-line border-t text-dense">
      <StateGlyph state={glyph} isDecorative />
      <span className="min-w-0 flex-1 truncate">{name}</span>
      <span className="truncate text-ink-soft">{word}</span>
      <span className="tabular w-16 text-right">{formatTemperature(temperature)}</span>
      <span className="tabular w-16 text-right max-tablet:hidden">{formatHumidity(humidity)}</span>
    </li>
  )
}
