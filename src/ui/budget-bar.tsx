import { Meter } from 'react-aria-components/Meter'
import { classNames } from './class-names.ts'
import type { LoadLook } from './load-glyph.tsx'

/** How much of a budget is used, as a share of it; `low` to `high`: what it may be, where readings are missing. */
export type UsedShare = { value: number; low: number; high: number }

export type BudgetBarProps = {
  /** of what: "Budget of Insulin, lot 7" */
  label: string
  look: LoadLook
  /** null: not measured */
  used: UsedShare | null
  /** the same in words, which stand beside it */
  words: string
  className?: string
}

const FILL: Record<LoadLook, string> = {
  within: 'bg-ink-soft',
  'at-risk': 'bg-caution',
  exhausted: 'bg-error',
  'in-review': 'bg-error',
  released: 'bg-ink-faint',
  rejected: 'bg-error',
}

/**
 * A bar that fills as a budget is used; its right end is all of it. Surely used is solid, what may have been used while
 * nothing was measured is lighter. Of what was not measured the bar is hatched, never empty.
 */
export function BudgetBar({ label, look, used, words, className }: BudgetBarProps) {
  const low = percent(used?.low)
  const high = percent(used?.high)
  return (
    <Meter
      aria-label={label}
      value={percent(used?.value)}
      valueLabel={words}
      className={classNames(
        'relative block h-2 w-full overflow-hidden rounded-full bg-line [print-color-adjust:exact]',
        className,
      )}
    >
      {used === null ? (
        <span className="absolute inset-0 bg-[repeating-linear-gradient(135deg,var(--color-ink-faint)_0_1.5px,transparent_1.5px_6px)]" />
      ) : (
        <>
          <span
            className={classNames('absolute inset-y-0 left-0 opacity-40', FILL[look])}
            style={{ width: `${high}%` }}
          />
          <span
            className={classNames('absolute inset-y-0 left-0', FILL[look])}
            style={{ width: `${low}%`, minWidth: used.value > 0 ? 2 : 0 }}
          />
        </>
      )}
    </Meter>
  )
}

/** Within the bar: beyond all of it there is no more to fill. */
const percent = (share = 0): number => Math.round(Math.min(Math.max(share, 0), 1) * 1000) / 10
