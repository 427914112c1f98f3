import type { LoadState } from '#machines/contracts/entities/loads.ts'
import { LOAD_STATE_WORDS } from '#machines/rules/load-state-words.ts'
import { classNames } from '../../ui/class-names.ts'
import { LOAD_GROUND, LoadGlyph, type LoadLook } from '../../ui/load-glyph.tsx'

/** How a load looks: one that was closed within its budget as one that was released. */
export const lookOf = (state: LoadState): LoadLook => (state === 'closed' ? 'released' : state)

/** The state of a load: shape, word and ground. */
export function LoadBadge({ state, className }: { state: LoadState; className?: string }) {
  const look = lookOf(state)
  return (
    <span
      className={classNames(
        'inline-flex h-6 shrink-0 items-center gap-1.5 whitespace-nowrap rounded-full px-2.5 font-medium text-dense',
        LOAD_GROUND[look],
        className,
      )}
    >
      <LoadGlyph look={look} />
      {LOAD_STATE_WORDS[state]}
    </span>
  )
}
