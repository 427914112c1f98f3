import { createElement as h, type ReactElement, type ReactNode } from 'react'
import type { DrawnTransition } from '#machines/testing/outline.ts'
import type { Beginning, Box, Drawing, Line, Point } from './layout.ts'
import { ROW_HEIGHT, TITLE_HEIGHT } from './text-size.ts'

/** What is picked, by its name in the chart. */
export type Pick = { kind: 'state' | 'transition'; name: string }

/** How the chart looks at the moment. */
export type Look = {
  /** whether it is covered, and by what, in words */
  ofState(name: string): { isCovered: boolean; words: string }
  ofTransition(name: string): { isCovered: boolean; words: string }
  picked?: Pick | undefined
  /** what the last step took, and the states it is in after it */
  taken?: readonly string[]
  within?: readonly string[]
}

export type ChartSvgProps = {
  name: string
  drawing: Drawing
  look: Look
  /** of its natural size, 1 by default */
  zoom?: number
  onPick?: (pick: Pick) => void
}

/**
 * The chart of a machine. Written without JSX so that scripts, which run the sources as they are, draw the same. Its
 * looks are chart.css. Not for keyboards: what can be picked in it is listed beside it.
 */
export function ChartSvg({ name, drawing, look, zoom = 1, onPick }: ChartSvgProps): ReactElement {
  const { width, height } = drawing
  const isAhead = ({ transition }: Line): boolean =>
    transition.name === look.picked?.name || look.taken?.includes(transition.name) === true
  const lines = drawing.lines.toSorted((a, b) => Number(isAhead(a)) - Number(isAhead(b)))
  return h(
    'svg',
    {
      className: onPick ? 'machine-chart is-picking' : 'machine-chart',
      role: 'img',
      'aria-label': `Chart of ${name}`,
      viewBox: `0 0 ${width} ${height}`,
      width: width * zoom,
      height: height * zoom,
    },
    drawing.boxes.map((box) => h(StateBox, { key: box.state.name, box, look, onPick })),
    drawing.beginnings.map((one, i) => h(BeginningDot, { key: i, one })),
    lines.map((line, i) => h(Way, { key: `${i} ${line.transition.name}`, line, look, onPick })),
    // over the lines: those that lead into a state may pass behind its words
    drawing.boxes.flatMap((box) =>
      box.rows.map((row, at) => h(StayingRow, { key: row.name, row, box, at, look, onPick })),
    ),
    lines.map((line, i) => h(WayLabel, { key: `${i} ${line.transition.name}`, line, look, onPick })),
  )
}

type Picking = { look: Look; onPick: ChartSvgProps['onPick'] }

function StateBox({ box, look, onPick }: Picking & { box: Box }): ReactNode {
  const { x, y, width, height, state } = box
  const { isCovered, words } = look.ofState(state.name)
  const isMachine = state.parent === null
  const classes = [
    'state',
    isMachine ? 'is-machine' : isCovered ? 'is-covered' : 'is-missing',
    state.kind === 'atomic' || state.kind === 'final' ? 'is-leaf' : 'is-nest',
    look.within?.includes(state.name) && 'is-within',
    look.picked?.kind === 'state' && look.picked.name === state.name && 'is-picked',
  ]
  const pick = isMachine ? undefined : () => onPick?.({ kind: 'state', name: state.name })
  return h(
    'g',
    { className: classes.filter(Boolean).join(' ') },
    h('title', null, isMachine ? state.title : `${state.name}: ${words}`),
    h('rect', { x, y, width, height, rx: 8, className: 'outside', ...(pick && { onClick: pick }) }),
    state.kind === 'final' &&
      h('rect', { x: x + 3, y: y + 3, width: width - 6, height: height - 6, rx: 6, className: 'inside' }),
    h('text', { x: x + 16, y: y + 21, className: 'title' }, state.title),
  )
}

/** A transition that stays: a line of text in its state. */
function StayingRow({
  row,
  box,
  at,
  look,
  onPick,
}: Picking & { row: DrawnTransition; box: Box; at: number }): ReactNode {
  const y = box.y + TITLE_HEIGHT + at * ROW_HEIGHT
  return h(
    'g',
    {
      className: `${classesOf('row', row.name, look)} ${box.state.kind === 'compound' ? 'in-nest' : 'in-leaf'}`,
      onClick: () => onPick?.({ kind: 'transition', name: row.name }),
    },
    h('title', null, `${row.name}: ${look.ofTransition(row.name).words}`),
    h('rect', {
      x: box.x + 8,
      y: y - 2,
      width: box.width - 16,
      height: ROW_HEIGHT,
      rx: 4,
      className: 'ground',
    }),
    h('path', { d: `M${box.x + 15} ${y + 2.5}l4.5 4l-4.5 4z`, className: 'head' }),
    h('text', { x: box.x + 24, y: y + 11 }, row.on, condition(row)),
  )
}

function Way({ line, look, onPick }: Picking & { line: Line }): ReactNode {
  const { name } = line.transition
  const d = rounded(line.points)
  return h(
    'g',
    { className: classesOf('way', name, look), onClick: () => onPick?.({ kind: 'transition', name }) },
    h('title', null, `${name}: ${look.ofTransition(name).words}`),
    h('path', { d, className: 'reach' }),
    h('path', { d, className: 'line' }),
    h('path', { d: arrowHead(line.points), className: 'head' }),
  )
}

function WayLabel({ line, look, onPick }: Picking & { line: Line }): ReactNode {
  const { label, size, transition } = line
  const { name, on, condition: only } = transition
  const y = only === '' ? label.y + 4 : label.y - 4
  return h(
    'g',
    { className: classesOf('label', name, look), onClick: () => onPick?.({ kind: 'transition', name }) },
    h('title', null, `${name}: ${look.ofTransition(name).words}`),
    h('rect', {
      x: label.x - size.width / 2,
      y: label.y - size.height / 2,
      ...size,
      rx: 4,
      className: 'ground',
    }),
    h('text', { x: label.x, y, textAnchor: 'middle' }, on),
    only !== '' && h('text', { x: label.x, y: y + 15, textAnchor: 'middle', className: 'only' }, only),
  )
}

function BeginningDot({ one: { dot, points } }: { one: Beginning }): ReactNode {
  return h(
    'g',
    { className: 'beginning' },
    h('circle', { cx: dot.x, cy: dot.y, r: 4 }),
    h('path', { d: rounded(points), className: 'line' }),
    h('path', { d: arrowHead(points), className: 'head' }),
  )
}

const condition = (row: DrawnTransition): ReactNode =>
  row.condition !== '' && h('tspan', { className: 'only' }, ` ${row.condition}`)

function classesOf(kind: string, name: string, look: Look): string {
  const isPicked = look.picked?.kind === 'transition' && look.picked.name === name
  return [
    kind,
    look.ofTransition(name).isCovered ? 'is-covered' : 'is-missing',
    look.taken?.includes(name) && 'is-taken',
    isPicked && 'is-picked',
  ]
    .filter(Boolean)
    .join(' ')
}

const RADIUS = 6

/** A way with its corners rounded, as an SVG path. */
function rounded(points: readonly Point[]): string {
  return points
    .map((point, i) => {
      const before = points[i - 1]
      const after = points[i + 1]
      if (before === undefined) return `M${point.x} ${point.y}`
      if (after === undefined) return `L${point.x} ${point.y}`
      const into = towards(point, before)
      const out = towards(point, after)
      return `L${into.x} ${into.y}Q${point.x} ${point.y} ${out.x} ${out.y}`
    })
    .join('')
}

/** A corner's radius from a point towards another, or half the way there. */
function towards(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y)
  const share = length === 0 ? 0 : Math.min(RADIUS, length / 2) / length
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share }
}

function arrowHead(points: readonly Point[]): string {
  const tip = points.at(-1)
  const before = points.at(-2)
  if (tip === undefined || before === undefined) return ''
  const angle = Math.atan2(tip.y - before.y, tip.x - before.x)
  const corner = (turn: number) =>
    `${tip.x - 8 * Math.cos(angle + turn)} ${tip.y - 8 * Math.sin(angle + turn)}`
  return `M${tip.x} ${tip.y}L${corner(0.42)}L${corner(-0.42)}Z`
}
