import type { ReactNode } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { StateGlyph } from '../../ui/state-glyph.tsx'
import type { Quantity, Spell } from './series.ts'
import type { Summary } from './spell-words.ts'

/** The state that being beyond a limit is. */
export const STATES = {
  temperature: { above: 'hot', below: 'cold' },
  humidity: { above: 'humid', below: 'dry' },
} as const
const LOOKS = {
  hot: 'bg-hot-soft',
  cold: 'bg-cold-soft',
  humid: 'bg-damp-soft',
  dry: 'bg-damp-soft',
} as const
const INK = { hot: 'text-hot', cold: 'text-cold', humid: 'text-damp', dry: 'text-damp' } as const

const stateOf = (quantity: Quantity, side: Spell['side']) => STATES[quantity][side]

type SummaryLineProps = {
  summary: Summary
  quantity: Quantity
  /** said after it */
  more?: readonly string[]
  /** to be pressed, at its end */
  acts?: ReactNode
}

/** What the page is about, in one sentence. */
export function SummaryLine({ summary, quantity, more = [], acts }: SummaryLineProps) {
  const { side, headline, details } = summary
  const state = side && stateOf(quantity, side)
  return (
    <div
      className={classNames(
        'tabular flex flex-wrap items-center gap-x-4 gap-y-2 rounded-panel px-4 py-2.5',
        state ? LOOKS[state] : 'bg-surface shadow-soft',
      )}
    >
      <div className="flex min-w-0 flex-1 basis-80 flex-wrap items-baseline gap-x-2">
        {state && <StateGlyph state={state} isDecorative />}
        <strong className={classNames('font-semibold text-body', state && INK[state])}>{headline}</strong>
        <p className="min-w-0">{[...details, ...more].join(' · ')}</p>
      </div>
      {acts && <span className="-my-1.5 -mr-2 ml-auto flex print:hidden">{acts}</span>}
    </div>
  )
}
