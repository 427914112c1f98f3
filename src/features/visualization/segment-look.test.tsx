import { expect, test } from 'vitest'
import { KINDS } from './kinds.ts'
import { posterOf } from './poster.ts'
import { SEGMENT_LOOK } from './segment-look.ts'

/** A look as grey paper has it: the tones of the states are one. */
const grey = (look: string): string => look.replaceAll(/\b(hot|cold|damp)\b/g, 'tone')

test('the parts of a bar are told apart without their colours', () => {
  const looks = KINDS.map(({ glyph }) => grey(SEGMENT_LOOK[glyph] ?? ''))
  expect(new Set(looks).size).toBe(KINDS.length)
})

test('so are those of the picture, whose patterns are all in it', () => {
  const poster = posterOf([])
  const fills = KINDS.map(
    (_, i) => poster.querySelectorAll<SVGElement>(':scope > g rect')[i]?.style.fill ?? '',
  )
  expect(new Set(fills.map((fill) => grey(fill.replace(/^url.*#poster-(\w+).*$/, 'pattern-$1')))).size).toBe(
    KINDS.length,
  )
  for (const fill of fills) {
    const pattern = /#([\w-]+)/.exec(fill)?.[1]
    if (pattern !== undefined) expect(poster.querySelector(`pattern#${pattern}`), pattern).not.toBeNull()
  }
})
