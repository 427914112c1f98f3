import { memo } from 'react'
import type { StatusFilter } from '#machines/dashboard/dashboard.machine.ts'
import { formatCount } from '../../../format/numbers.ts'
import type { FleetCounts } from '../../../read-model/counts.ts'
import { classNames } from '../../../ui/class-names.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { type GlyphState, StateGlyph } from '../../../ui/state-glyph.tsx'

export type StatsCardProps = {
  counts: FleetCounts
  isLoading: boolean
  status: StatusFilter
  onPick: (status: StatusFilter) => void
}

/** How many devices there are and how they are. A press narrows list and map to them, another lets go. */
export const StatsCard = memo(function StatsCard({ counts, isLoading, status, onPick }: StatsCardProps) {
  const figures: { of: StatusFilter; word: string; count: number; glyph?: GlyphState }[] = [
    { of: 'all', word: 'Total', count: counts.total },
    { of: 'online', word: 'Online', count: counts.online, glyph: 'fine' },
    { of: 'disconnected', word: 'Disconnected', count: counts.disconnected, glyph: 'disconnected' },
    { of: 'offline', word: 'Offline', count: counts.offline, glyph: 'offline' },
  ]
  return (
    <section
      aria-label="Devices by status"
      className="flex flex-col gap-1 px-2 short:flex-row short:items-center"
    >
      <div className="grid grid-cols-[repeat(4,auto)] short:flex-auto">
        {figures.map(({ of, word, count, glyph }) => (
          <button
            key={of}
            type="button"
            aria-pressed={status === of}
            onClick={() => onPick(of)}
            className="flex min-h-11 flex-col items-start rounded-small px-1.5 py-1 text-left hover:bg-hover not-first:aria-pressed:bg-accent-soft"
          >
            {isLoading ? (
              <Skeleton className="my-1.5 h-4 w-10" />
            ) : (
              <span className="tabular font-semibold text-title">{formatCount(count)}</span>
            )}
            <span className="flex items-center gap-1 text-dense text-ink-soft">
              {glyph && <StateGlyph state={glyph} size={10} isDecorative />}
              {word}
            </span>
          </button>
        ))}
      </div>
      <Trouble counts={counts} isLoading={isLoading} isPicked={status === 'trouble'} onPick={onPick} />
    </section>
  )
})

function Trouble({
  counts,
  isLoading,
  isPicked,
  onPick,
}: Pick<StatsCardProps, 'counts' | 'isLoading' | 'onPick'> & { isPicked: boolean }) {
  const { violations } = counts
  const kinds: { glyph: GlyphState; count: number }[] = [
    { glyph: 'hot', count: violations.HIGH_TEMPERATURE_DETECTED },
    { glyph: 'cold', count: violations.LOW_TEMPERATURE_DETECTED },
    { glyph: 'humid', count: violations.HIGH_HUMIDITY_DETECTED },
    { glyph: 'dry', count: violations.LOW_HUMIDITY_DETECTED },
  ]
  const hasTrouble = counts.trouble > 0
  return (
    <button
      type="button"
      aria-pressed={isPicked}
      onClick={() => onPick('trouble')}
      className={classNames(
        'flex min-h-9 flex-wrap short:flex-auto items-center gap-x-3 rounded-small px-2 py-1 text-left text-dense touch:min-h-11',
        isPicked ? 'bg-accent-soft' : hasTrouble ? 'bg-sunken hover:bg-hover' : 'hover:bg-hover',
      )}
    >
      <span className="flex-1 font-medium">
        {isLoading
          ? 'Out of limits'
          : hasTrouble
            ? `${formatCount(counts.trouble)} out of limits`
            : 'None out of limits'}
      </span>
      {kinds.map(
        ({ glyph, count }) =>
          count > 0 && (
            <span key={glyph} className="tabular flex items-center gap-1">
              <StateGlyph state={glyph} size={11} />
              {formatCount(count)}
            </span>
          ),
      )}
    </button>
  )
}
