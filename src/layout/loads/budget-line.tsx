import type { LoadState } from '#machines/contracts/entities/loads.ts'
import { BudgetBar, type UsedShare } from '../../ui/budget-bar.tsx'
import { classNames } from '../../ui/class-names.ts'
import { lookOf } from './load-badge.tsx'

export type BudgetLineProps = {
  reference: string
  state: LoadState
  /** %; null: not measured */
  percent: number | null
  most: number | null
  words: string
  className?: string
}

/** A budget as bar and words. */
export function BudgetLine({ reference, state, percent, most, words, className }: BudgetLineProps) {
  return (
    <span className={classNames('flex min-w-0 flex-col gap-1', className)}>
      <BudgetBar
        label={`Budget of ${reference}`}
        look={lookOf(state)}
        used={shareOf(percent, most)}
        words={words}
      />
      <span className="tabular text-dense text-ink-soft">{words}</span>
    </span>
  )
}

/** Surely used is what was measured; with what was not it may be more. */
export function shareOf(percent: number | null, most: number | null): UsedShare | null {
  if (percent === null) return null
  const low = percent / 100
  return { value: low, low, high: Math.max(low, (most ?? percent) / 100) }
}
