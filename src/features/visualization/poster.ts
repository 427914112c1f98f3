import { counted } from '#machines/rules/figures.ts'
import { formatCount } from '../../format/numbers.ts'
import type { GlyphState } from '../../ui/state-glyph.tsx'
import { type Bar, ticksOf } from './bars.ts'
import { KINDS } from './kinds.ts'

/** More would be a picture no browser can make; it says how many are left out. */
const MOST = 2000
const ROW = 20
const COLUMN = 320
const GAP = 24
const PLATE = 104
const NUMBER = 48
const HEAD = 44
const MARGIN = 12

const FILLS: Partial<Record<GlyphState, string>> = {
  hot: 'var(--color-hot)',
  cold: 'url(#poster-cold)',
  humid: 'url(#poster-humid)',
  dry: 'var(--color-damp-soft)',
}

/**
 * The whole chart as a drawing: a list too long for a screen in as many columns as make a sheet that is wider than high.
 * Its colours are the page's, so it has to hang in it to be pictured.
 */
export function posterOf(bars: readonly Bar[]): SVGSVGElement {
  const shown = bars.slice(0, MOST)
  const columns = Math.max(1, Math.round(Math.sqrt((shown.length * ROW) / COLUMN / 0.62)))
  const rows = Math.ceil(shown.length / columns)
  const rest = bars.length - shown.length
  const width = Math.max(2 * MARGIN + columns * (COLUMN + GAP) - GAP, 640)
  const height = HEAD + rows * ROW + (rest > 0 ? ROW : 0) + MARGIN
  const svg = element('svg', { viewBox: `0 0 ${width} ${height}`, width, height })
  svg.style.cssText = 'font-family: var(--font-sans); font-size: 12px; font-variant-numeric: tabular-nums'
  svg.append(definitions(), legend(bars))
  const end = ticksOf(bars[0]?.total ?? 1).at(-1) as number
  shown.forEach((bar, i) => {
    const x = MARGIN + Math.floor(i / rows) * (COLUMN + GAP)
    svg.append(rowOf(bar, x, HEAD + (i % rows) * ROW, end))
  })
  if (rest > 0) svg.append(text(`and ${counted(rest, 'device')} with fewer`, MARGIN, height - MARGIN - 4))
  return svg
}

function rowOf({ plate, total, segments }: Bar, x: number, y: number, end: number): SVGElement {
  const row = element('g', {})
  row.append(text(shortened(plate), x, y + 14))
  const scale = (COLUMN - PLATE - NUMBER) / end
  let left = x + PLATE
  for (const { kind, count } of segments) {
    row.append(swatch(kind.glyph, left, y + 4, Math.max(1, count * scale)))
    left += Math.max(1, count * scale)
  }
  const number = text(formatCount(total), left + 6, y + 14)
  number.style.fontWeight = '500'
  row.append(number)
  return row
}

function legend(bars: readonly Bar[]): SVGElement {
  const line = element('g', {})
  let x = MARGIN
  for (const { type, word, glyph } of KINDS) {
    const counts = bars.flatMap(({ segments }) => segments.filter(({ kind }) => kind.type === type))
    const label = `${word} ${formatCount(counts.reduce((sum, { count }) => sum + count, 0))}`
    line.append(swatch(glyph, x, 10, 20), text(label, x + 26, 20))
    x += 46 + label.length * 6.6
  }
  return line
}

function swatch(glyph: GlyphState, x: number, y: number, width: number): SVGElement {
  const rect = element('rect', { x, y, width, height: 12, rx: 1 })
  rect.style.fill = FILLS[glyph] ?? 'var(--color-gone)'
  if (glyph === 'humid' || glyph === 'dry') rect.style.stroke = 'var(--color-damp)'
  return rect
}

/** The stripes of too cold and the dots of too humid, as on the page. */
function definitions(): SVGElement {
  const stripes = element('pattern', {
    id: 'poster-cold',
    width: 6,
    height: 6,
    patternUnits: 'userSpaceOnUse',
    patternTransform: 'rotate(45)',
  })
  for (const [x, width, colour] of [
    [0, 6, 'var(--color-cold-soft)'],
    [0, 4, 'var(--color-cold)'],
  ] as const) {
    const stripe = element('rect', { x, width, height: 6 })
    stripe.style.fill = colour
    stripes.append(stripe)
  }
  const dots = element('pattern', {
    id: 'poster-humid',
    width: 5,
    height: 5,
    patternUnits: 'userSpaceOnUse',
  })
  const between = element('rect', { width: 5, height: 5 })
  between.style.fill = 'var(--color-damp-soft)'
  const dot = element('circle', { cx: 2.5, cy: 2.5, r: 1.7 })
  dot.style.fill = 'var(--color-damp)'
  dots.append(between, dot)
  const defs = element('defs', {})
  defs.append(stripes, dots)
  return defs
}

function text(words: string, x: number, y: number): SVGElement {
  const drawn = element('text', { x, y })
  drawn.style.fill = 'var(--color-ink)'
  drawn.textContent = words
  return drawn
}

const shortened = (plate: string): string => (plate.length > 15 ? `${plate.slice(0, 14)}…` : plate)

function element<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Record<string, string | number>,
): SVGElementTagNameMap[Name] {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value))
  return made
}
