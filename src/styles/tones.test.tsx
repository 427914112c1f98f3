import { afterEach, expect, test } from 'vitest'
import './tokens.css'

const THEMES = ['light', 'dark'] as const
const GROUNDS = ['ground', 'surface', 'raised', 'sunken'] as const
const page = document.documentElement
const before = page.dataset.theme

afterEach(() => {
  if (before === undefined) delete page.dataset.theme
  else page.dataset.theme = before
})

test.for(THEMES)('links, errors and cautions are read on every ground of the %s theme', (theme) => {
  page.dataset.theme = theme
  for (const ink of ['link', 'error', 'caution'])
    for (const ground of GROUNDS)
      expect(contrast(ink, ground), `${ink} on ${ground}`).toBeGreaterThanOrEqual(4.5)
  for (const ink of ['error', 'caution'])
    expect(contrast(ink, `${ink}-soft`), `${ink} on its own ground`).toBeGreaterThanOrEqual(4.5)
})

test.for(THEMES)('the focus is seen on every ground of the %s theme', (theme) => {
  page.dataset.theme = theme
  for (const ground of GROUNDS)
    expect(contrast('focus', ground), `focus on ${ground}`).toBeGreaterThanOrEqual(3)
})

test.for(THEMES)('none of them is taken for heat or humidity in the %s theme', (theme) => {
  page.dataset.theme = theme
  for (const tone of ['link', 'focus', 'error', 'caution'])
    for (const state of ['hot', 'damp'])
      expect(turn(hue(tone), hue(state)), `${tone} beside ${state}`).toBeGreaterThanOrEqual(20)
})

/** Of WCAG 2.2, 1 to 21. https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
function contrast(ink: string, ground: string): number {
  const [dark = 0, light = 0] = [luminance(ink), luminance(ground)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** Relative, 0 to 1. https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(tone: string): number {
  const context = new OffscreenCanvas(1, 1).getContext('2d')
  if (context === null) throw new Error('There is no canvas')
  context.fillStyle = computed(tone)
  context.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

function linear(channel: number): number {
  const share = channel / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

/** Degrees of OKLCH. */
function hue(tone: string): number {
  const parts = /^oklch\(\S+ \S+ ([\d.]+)/.exec(computed(tone))
  if (parts === null) throw new Error(`${tone} is no colour of OKLCH: ${computed(tone)}`)
  return Number(parts[1])
}

/** Between two hues, degrees, at most 180. */
const turn = (a: number, b: number): number => Math.min(Math.abs(a - b), 360 - Math.abs(a - b))

function computed(tone: string): string {
  const shown = document.createElement('i')
  shown.style.color = `var(--color-${tone})`
  document.body.append(shown)
  const { color } = getComputedStyle(shown)
  shown.remove()
  return color
}
