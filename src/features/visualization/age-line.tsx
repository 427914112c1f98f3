import { RotateCw } from 'lucide-react'
import type { DateRange } from '#machines/rules/date-range.ts'
import { formatCount } from '../../format/numbers.ts'
import { clockTime, generalTime } from '../../format/time.ts'
import { Button } from '../../ui/button.tsx'
import { Time } from '../../ui/time.tsx'
import { TimeSpan } from '../../ui/time-span.tsx'

export type AgeLineProps = {
  range: DateRange
  /** when it was asked for; epoch ms */
  at: number
  /** violations since, which it may lack */
  news: number
  isLoading: boolean
  /** nothing before this instant was evaluated, nor will be */
  countedFrom?: string | undefined
  onRefresh: () => void
}

/** Of when what is shown is, how old it is, and what it may lack by now. */
export function AgeLine({ range, at, news, isLoading, countedFrom, onRefresh }: AgeLineProps) {
  return (
    <div className="flex min-h-control flex-wrap items-center gap-x-3 gap-y-1 text-dense text-ink-soft">
      <span className="tabular">
        <TimeSpan {...range} as={generalTime} />
      </span>
      {countedFrom !== undefined && (
        <span className="tabular">
          Counted since <Time at={countedFrom} as={generalTime} />: what was before is not evaluated
        </span>
      )}
      <span className="flex-1" />
      <output className="tabular">
        As of <Time at={at} as={clockTime} />
        {news > 0 && <span className="font-medium text-ink">{` · ${formatCount(news)} new since`}</span>}
      </output>
      <Button kind="quiet" className="px-2" isPending={isLoading} onPress={onRefresh}>
        <RotateCw size={16} aria-hidden />
        Refresh
      </Button>
    </div>
  )
}
