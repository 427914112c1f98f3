import type { HistoryPoint, HistoryThresholds } from '#machines/contracts/entities/devices.ts'
import { formatHumidity, formatTemperature } from '../../format/numbers.ts'
import { generalTime } from '../../format/time.ts'
import { glyphBeyond } from '../../layout/glyph-of.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { type GlyphState, STATE_WORDS, StateGlyph } from '../../ui/state-glyph.tsx'
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
  const { lowTemperatureThreshold, highTemperatureThreshold, lowHumidityThreshold, highHumidityThreshold } =
    thresholds
  return (
    <section aria-label="Latest Update" className="flex flex-col rounded-panel bg-surface p-4 shadow-soft">
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
      <dl className="grid flex-1 grid-cols-2 content-center items-start gap-4 pt-2 text-balance">
        <Figure
          name="Temperature"
          value={formatTemperature(latest?.temperature)}
          state={glyphBeyond(latest?.temperature, lowTemperatureThreshold, highTemperatureThreshold, [
            'cold',
            'hot',
          ])}
          limits={limitsText(lowTemperatureThreshold, highTemperatureThreshold, formatTemperature)}
        />
        <Figure
          name="Humidity"
          value={formatHumidity(latest?.humidity)}
          state={glyphBeyond(latest?.humidity, lowHumidityThreshold, highHumidityThreshold, ['dry', 'humid'])}
          limits={limitsText(lowHumidityThreshold, highHumidityThreshold, formatHumidity)}
        />
      </dl>
    </section>
  )
}

type FigureProps = { name: string; value: string; state: GlyphState; limits: string }

function Figure({ name, value, state, limits }: FigureProps) {
  return (
    <div>
      <dt className="text-dense text-ink-soft">{name}</dt>
      <dd className="text-figure font-medium tabular">{value}</dd>
      <dd className="text-dense text-ink-soft">{limits}</dd>
      {state !== 'fine' && (
        <dd className="flex items-center gap-1.5 pt-1 text-dense">
          <StateGlyph state={state} isDecorative />
          {STATE_WORDS[state]}
        </dd>
      )}
    </div>
  )
}

const limitsText = (low: number, high: number, format: (value: number) => string): string =>
  low < high ? `Limits ${unbroken(format(low))} to ${unbroken(format(high))}` : 'No limits set'

/** A value and its unit stay on one line. */
const unbroken = (text: string): string => text.replaceAll(' ', '\u00a0')
