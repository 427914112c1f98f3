import type { GlyphState } from '../../ui/state-glyph.tsx'

/** How the parts of a bar differ beyond their colour: filled, striped, filled, hollow. */
export const SEGMENT_LOOK: Partial<Record<GlyphState, string>> = {
  hot: 'bg-hot',
  cold: 'bg-[repeating-linear-gradient(135deg,var(--color-cold)_0_4px,var(--color-cold-soft)_4px_6px)]',
  humid: 'bg-damp',
  dry: 'bg-damp-soft shadow-[inset_0_0_0_1.5px_var(--color-damp)]',
}
