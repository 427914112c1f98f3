import type { HistoryPoint, HistoryThresholds } from '#machines/contracts/entities/devices.ts'
import { generalTime } from '../../format/time.ts'
import { QUANTITIES } from '../../layout/measured/quantities.ts'
import type { Quantity } from '../../layout/measured/series.ts'
import { limitsOf, stateOfValue, Value } from '../../layout/measured/value.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { STATE_WORDS, StateGlyph } from '../../ui/state-glyph.tsx'
import { Time } from '../../ui/time.tsx'

/** Latest Update: when, °C with one decimal, % with two; whether that is within the limits, and what they are. */
export function LatestCard({
  latest,
  thresholds,
}: {
  latest: HistoryPoint | null
  thresholds: HistoryThresholds
}) {
  const at = latest?.dateTime
  return (
    <section
      aria-label="Latest Update"
      className="@container flex flex-col rounded-panel bg-surface p-4 shadow-soft"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h2 className="font-semibold">Latest Update</h2>
        {at !== undefined && (
          <p className="text-dense text-ink-soft">
            <Time at={at} as={generalTime} />
            {' · '}
            <RelativeTime at={at} />
          </p>
        )}
      </div>
      <dl className="flex flex-1 flex-wrap content-center items-start gap-4 pt-2 text-balance">
        <Figure quantity="temperature" value={latest?.temperature} limits={thresholds} />
        <Figure quantity="humidity" value={latest?.humidity} limits={thresholds} />
      </dl>
    </section>
  )
}

type FigureProps = { quantity: Quantity; value: number | null | undefined; limits: HistoryThresholds }

function Figure({ quantity, value, limits }: FigureProps) {
  const state = stateOfValue(quantity, value, limits)
  return (
    <div className="flex-1 basis-24">
      <dt className="text-dense text-ink-soft">{QUANTITIES[quantity].title}</dt>
      <dd className="whitespace-nowrap text-title font-medium @xs:text-figure tabular">
        <Value quantity={quantity} value={value} limits={limits} isBare />
      </dd>
      <dd className="text-dense text-ink-soft">{limitsOf(quantity, limits)}</dd>
      {state !== 'fine' && (
        <dd className="flex items-center gap-1.5 pt-1 text-dense">
          <StateGlyph state={state} isDecorative />
          {STATE_WORDS[state]}
        </dd>
      )}
    </div>
  )
}
