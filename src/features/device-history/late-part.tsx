import type { LateSpan } from '#machines/contracts/entities/devices.ts'
import { Switch } from '../../ui/switch.tsx'
import { MARGIN } from './chart-figure.ts'
import { measuredWords, receivedWords } from './late-words.ts'

/** Shown at most: what is sent late over and over has hundreds. */
const MOST_SPANS = 6

export type LatePartProps = {
  spans: readonly LateSpan[]
  range: { from: number; to: number }
  /** whether the charts leave out what came late */
  isMeanwhile: boolean
  onMeanwhile: (isMeanwhile: boolean) => void
  /** shows a span by itself */
  onSpan: (span: { from: Date; to: Date }) => void
}

/**
 * Beneath the line, on its axis: which readings came late, hatched, and in words when they came. A press shows a span by
 * itself; the switch draws the charts as they looked before it came.
 */
export function LatePart({ spans, range, isMeanwhile, onMeanwhile, onSpan }: LatePartProps) {
  if (spans.length === 0) return null
  const share = (at: string): number =>
    (100 * (Math.min(Math.max(Date.parse(at), range.from), range.to) - range.from)) / (range.to - range.from)
  const shown = spans.toReversed().slice(0, MOST_SPANS)
  return (
    <section aria-label="Received late" className="tabular flex flex-col pt-2 text-dense">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h3 className="text-ink-soft">Received late</h3>
        <Switch
          label="As it looked meanwhile"
          isOn={isMeanwhile}
          onChange={onMeanwhile}
          className="print:hidden"
        />
      </div>
      {isMeanwhile && <p className="pb-1 text-ink-soft">What came late is left out of the charts.</p>}
      <div
        aria-hidden
        className="relative h-2 overflow-hidden rounded-small bg-sunken"
        style={{ marginLeft: MARGIN.left, marginRight: MARGIN.right }}
      >
        {spans.map((span) => (
          <span
            key={span.from}
            title={`${measuredWords(span, range.to)}: ${receivedWords(span, range.to)}`}
            className="absolute inset-y-0 bg-[repeating-linear-gradient(135deg,var(--color-ink-soft)_0_3px,var(--color-sunken)_3px_6px)] [print-color-adjust:exact]"
            style={{ left: `${share(span.from)}%`, width: `max(3px, ${share(span.to) - share(span.from)}%)` }}
          />
        ))}
      </div>
      <ul aria-label="Spans received late" className="flex flex-col pt-1">
        {shown.map((span) => (
          <li key={span.from}>
            <button
              type="button"
              onClick={() => onSpan({ from: new Date(span.from), to: new Date(span.to) })}
              className="flex w-full flex-wrap gap-x-2 rounded-small px-2 py-1 text-left hover:bg-hover touch:min-h-control"
            >
              <span className="font-medium">{measuredWords(span, range.to)}</span>
              <span className="text-ink-soft">{receivedWords(span, range.to)}</span>
            </button>
          </li>
        ))}
        {spans.length > shown.length && (
          <li className="px-2 py-1 text-ink-faint">and {spans.length - shown.length} more before</li>
        )}
      </ul>
    </section>
  )
}
