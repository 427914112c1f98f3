import type { GlyphState } from '../../ui/state-glyph.tsx'

/** How the parts of a bar differ beyond their colour, on grey paper too: filled, striped, dotted, hollow. */
export const SEGMENT_LOOK: Partial<Record<GlyphState, string>> = {
  hot: 'bg-hot [print-color-adjust:exact]',
  cold: 'bg-[repeating-linear-gradient(135deg,var(--color-cold)_0_4px,var(--color-cold-soft)_4px_6px)] [print-color-adjust:exact]',
  humid:
    'bg-damp-soft bg-[radial-gradient(var(--color-damp)_1.6px,transparent_1.9px)] bg-size-[5px_5px] shadow-[inset_0_0_0_1px_var(--color-damp)] [print-color-adjust:exact]',
  dry: 'bg-damp-soft shadow-[inset_0_0_0_1.5px_var(--color-damp)] [print-color-adjust:exact]',
}
