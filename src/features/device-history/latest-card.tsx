import type { HistoryPoint } from '#machines/contracts/entities/devices.ts'
import { formatHumidity, formatTemperature } from '../../format/numbers.ts'
import { exactTime, generalTime } from '../../format/time.ts'

/** Latest Update: when, °C with one decimal, % with two. */
export function LatestCard({ latest }: { latest: HistoryPoint | null }) {
  const at = latest === null ? null : Date.parse(latest.dateTime)
  return (
    <section
      aria-label="Latest Update"
      className="flex flex-col gap-3 rounded-panel bg-surface p-4 shadow-soft"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h2 className="font-semibold">Latest Update</h2>
        {at !== null && (
          <time dateTime={latest?.dateTime} title={exactTime(at)} className="text-dense text-ink-soft">
            {generalTime(at)}
          </time>
        )}
      </div>
      <dl className="grid grid-cols-2 gap-3">
        <Figure name="Temperature" value={formatTemperature(latest?.temperature)} />
        <Figure name="Humidity" value={formatHumidity(latest?.humidity)} />
      </dl>
    </section>
  )
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt className="text-dense text-ink-soft">{name}</dt>
      <dd className="text-figure font-medium tabular">{value}</dd>
    </div>
  )
}
