import { axisX, axisY, line, type Markish, plot, rect, ruleY, text } from '@observablehq/plot'
import { figure } from '#machines/rules/figures.ts'
import type { Limits, Series, Spell } from '../../layout/measured/series.ts'
import { LETTERS, LINES } from './other-lines.ts'

/** Around the plot, px. */
export const MARGIN = { top: 8, right: 18, bottom: 24, left: 36 }

export type FigureOptions = {
  series: Series
  /** of devices it is compared with */
  others: readonly Series[]
  /** px */
  width: number
  height: number
  /** ends of the time axis */
  from: Date
  to: Date
  /** ends of the value axis, °C or % */
  domain: [number, number]
  unit: string
  decimals: number
  /** what the time axis is marked with, by epoch ms */
  ticks: ReadonlyMap<number, string>
  /** unique in the page: names the figure's gradient and pattern */
  id: string
}

/**
 * A quantity over time: the band between the limits behind the line, the line red beyond them, hatched where there are
 * no readings. Colours are the tokens', so the figure follows the theme.
 */
export function chartFigure(options: FigureOptions): SVGSVGElement {
  const { series, width, height, from, to, domain, ticks, id } = options
  const { limits, spells } = series
  const hasBand = limits.low < limits.high
  const inside = (value: number) => Math.min(Math.max(value, domain[0]), domain[1])
  const marks: Markish[] = [
    definitions(options),
    ...(hasBand
      ? [
          rect([limits], {
            x1: from,
            x2: to,
            y1: inside(limits.low),
            y2: inside(limits.high),
            fill: 'var(--color-chart-band)',
          }),
        ]
      : []),
    rect(series.gaps, { x1: 'from', x2: 'to', y1: domain[0], y2: domain[1], fill: `url(#${id}-gap)` }),
    rect(spells, {
      // one that lasts may have begun before what is shown
      x1: (spell: Spell) => Math.max(spell.from.getTime(), from.getTime()),
      x2: 'to',
      y1: domain[0],
      y2: domain[1],
      fill: 'var(--color-chart-beyond)',
      fillOpacity: 0.1,
    }),
    axisY({
      ticks: Math.max(3, Math.round(height / 50)),
      tickFormat: (v: number) => figure(v),
      label: null,
      tickSize: 0,
      fill: 'var(--color-ink-faint)',
    }),
    axisX({
      ticks: Array.from(ticks.keys(), (at) => new Date(at)),
      tickFormat: (at: Date) => ticks.get(at.getTime()) ?? '',
      label: null,
      tickSize: 0,
      fill: 'var(--color-ink-faint)',
    }),
    ruleY(hasBand ? [limits.low, limits.high].filter((value) => inside(value) === value) : [], {
      stroke: 'var(--color-ink-faint)',
      strokeDasharray: '3 3',
      strokeWidth: 1,
    }),
    text(hasBand ? limitLabels(options) : [], {
      x: from,
      y: 'value',
      text: 'text',
      dx: 4,
      dy: -6,
      textAnchor: 'start',
      fill: 'var(--color-ink-soft)',
      stroke: 'var(--color-surface)',
      strokeWidth: 3,
    }),
    line(series.samples, { x: 'at', y: 'value', stroke: `url(#${id}-line)`, strokeWidth: 1.75, clip: true }),
    ...options.others.flatMap(({ samples }, i) => [
      line(samples, {
        x: 'at',
        y: 'value',
        stroke: 'var(--color-ink-soft)',
        strokeWidth: 1.25,
        strokeDasharray: LINES[i] ?? '',
        clip: true,
      }),
      text(samples.slice(-1), {
        x: 'at',
        y: 'value',
        text: () => LETTERS[i] ?? '',
        dx: 6,
        fill: 'var(--color-ink-soft)',
      }),
    ]),
  ]
  const drawn = plot({
    width,
    height,
    marginLeft: MARGIN.left,
    marginRight: MARGIN.right,
    marginTop: MARGIN.top,
    marginBottom: MARGIN.bottom,
    x: { type: 'time', domain: [from, to] },
    y: { domain },
    style: {
      background: 'transparent',
      color: 'var(--color-ink)',
      fontFamily: 'inherit',
      fontSize: '12px',
      overflow: 'visible',
    },
    marks,
  })
  return drawn as SVGSVGElement
}

/** «Limit −10.0 °C» at each limit in sight, above its line. */
function limitLabels({
  series: { limits },
  domain,
  unit,
  decimals,
}: FigureOptions): { value: number; text: string }[] {
  return [limits.low, limits.high]
    .filter((value) => value >= domain[0] && value <= domain[1])
    .map((value) => ({ value, text: `Limit ${figure(value, decimals)} ${unit}` }))
}

/** Axis that shows what happened: the readings, those of the others too, and the limits, with some room. */
export function closeUp(series: Series, others: readonly Series[] = []): [number, number] {
  const { limits } = series
  const extremes = [series, ...others].flatMap(({ minimum, maximum }) => [minimum?.value, maximum?.value])
  const values = [...extremes, ...bandOf(limits)].filter((value) => value !== undefined)
  if (values.length === 0) return [limits.min, limits.max]
  const low = Math.min(...values)
  const high = Math.max(...values)
  const room = Math.max((high - low) * 0.1, 1)
  return [Math.floor(low - room), Math.ceil(high + room)]
}

const bandOf = (limits: Limits): number[] => (limits.low < limits.high ? [limits.low, limits.high] : [])

/** Hard stops where the limits lie: the colour changes exactly at the crossing, in an exported image too. */
function definitions({ series: { limits }, height, domain, id }: FigureOptions): Markish {
  return () => {
    const defs = element('defs', {})
    const { top } = MARGIN
    const bottom = height - MARGIN.bottom
    const share = (value: number) => (domain[1] - value) / (domain[1] - domain[0])
    const gradient = element('linearGradient', {
      id: `${id}-line`,
      gradientUnits: 'userSpaceOnUse',
      x1: '0',
      x2: '0',
      y1: `${top}`,
      y2: `${bottom}`,
    })
    const hot = 'var(--color-chart-beyond)'
    const fine = 'var(--color-chart-line)'
    const stops: [number, string][] =
      limits.low < limits.high
        ? [
            [0, hot],
            [share(limits.high), hot],
            [share(limits.high), fine],
            [share(limits.low), fine],
            [share(limits.low), hot],
            [1, hot],
          ]
        : [[0, fine]]
    for (const [offset, colour] of stops) {
      const stop = element('stop', { offset: `${Math.min(Math.max(offset, 0), 1)}` })
      stop.style.stopColor = colour
      gradient.append(stop)
    }
    const pattern = element('pattern', {
      id: `${id}-gap`,
      patternUnits: 'userSpaceOnUse',
      width: '6',
      height: '6',
      patternTransform: 'rotate(45)',
    })
    const stripe = element('rect', { width: '1.5', height: '6' })
    stripe.style.fill = 'var(--color-line)'
    pattern.append(stripe)
    defs.append(gradient, pattern)
    return defs
  }
}

function element<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Record<string, string>,
): SVGElementTagNameMap[Name] {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  return made
}
