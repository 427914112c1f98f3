import type { ELK, ElkExtendedEdge, ElkNode, LayoutOptions } from 'elkjs/lib/elk-api.js'
import type { DrawnState, DrawnTransition, Outline } from '#machines/testing/outline.ts'
import { ROW_HEIGHT, TITLE_HEIGHT, textWidth } from './text-size.ts'

export type Point = { x: number; y: number }
/** A box of the drawing; what does not lead out of the state is listed in it. */
export type Box = Point & { width: number; height: number; state: DrawnState; rows: DrawnTransition[] }
/** A line of the drawing, with the middle of its label. One transition has as many as it has targets. */
export type Line = { transition: DrawnTransition; points: Point[]; label: Point; size: Label }
/** Where a state begins: a dot and the way from it. */
export type Beginning = { dot: Point; points: Point[] }
export type Drawing = { width: number; height: number; boxes: Box[]; lines: Line[]; beginnings: Beginning[] }

type Label = { width: number; height: number }

const OPTIONS: LayoutOptions = {
  'elk.algorithm': 'layered',
  'elk.direction': 'DOWN',
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.json.shapeCoords': 'ROOT',
  'elk.json.edgeCoords': 'ROOT',
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
  'elk.layered.feedbackEdges': 'true',
  'elk.spacing.nodeNode': '28',
  'elk.spacing.edgeNode': '16',
  'elk.spacing.edgeEdge': '12',
  'elk.spacing.edgeLabel': '4',
  'elk.spacing.labelNode': '8',
  'elk.layered.spacing.nodeNodeBetweenLayers': '28',
  'elk.layered.spacing.edgeNodeBetweenLayers': '16',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '12',
}
const DOT = 10
const PADDING = 16

/** Draws a chart: where its boxes and lines are, in px. */
export async function drawingOf(elk: Pick<ELK, 'layout'>, outline: Outline): Promise<Drawing> {
  const outgoing = outline.transitions.filter(({ to }) => to.length > 0)
  const insideOf = (name: string) =>
    outline.transitions.filter(({ from, to }) => from === name && to.length === 0)
  const nodeOf = (state: DrawnState): ElkNode => {
    const children = outline.states.filter(({ parent }) => parent === state.name)
    return boxOf(state, insideOf(state.name), children.map(nodeOf))
  }
  const [top] = outline.states
  if (top === undefined) throw new Error(`${outline.name} has no states`)
  const initial = outline.states.filter(({ isInitial }) => isInitial)
  const laidOut: ElkNode = await elk.layout({
    id: 'drawing',
    layoutOptions: { ...OPTIONS, 'elk.padding': '[top=4,left=4,bottom=4,right=4]' },
    children: [nodeOf(top)],
    edges: [
      ...initial.map(({ name, parent }) => edge(`begin ${name}`, dotIn(parent ?? ''), idOf(name))),
      ...outgoing.flatMap((one) =>
        one.to.map((to, i) => ({
          ...edge(`${i} ${one.name}`, idOf(one.from), idOf(to)),
          labels: [{ text: one.on, ...labelSize(one), layoutOptions: { 'elk.edgeLabels.inline': 'true' } }],
        })),
      ),
    ],
  })
  const placed = new Map(everyNode(laidOut).map((node) => [node.id, node]))
  const routed = new Map((laidOut.edges ?? []).map((one) => [one.id, one as ElkExtendedEdge]))
  return {
    width: laidOut.width ?? 0,
    height: laidOut.height ?? 0,
    boxes: outline.states.map((state) => ({
      ...areaOf(placed.get(idOf(state.name))),
      state,
      rows: insideOf(state.name),
    })),
    lines: outgoing.flatMap((one) => one.to.map((_, i) => lineOf(one, routed.get(`${i} ${one.name}`)))),
    beginnings: initial.map(({ name, parent }) => ({
      dot: middleOf(areaOf(placed.get(dotIn(parent ?? '')))),
      points: pointsOf(routed.get(`begin ${name}`)),
    })),
  }
}

const idOf = (name: string): string => `state ${name}`
const dotIn = (name: string): string => `dot ${name}`
const edge = (id: string, from: string, to: string): ElkExtendedEdge => ({
  id,
  sources: [from],
  targets: [to],
})

function boxOf(state: DrawnState, rows: DrawnTransition[], children: ElkNode[]): ElkNode {
  const head = TITLE_HEIGHT + rows.length * ROW_HEIGHT + (rows.length > 0 ? 6 : 0)
  const texts = [
    textWidth(state.title, true),
    ...rows.map(({ on, condition }) => textWidth(`${on} ${condition}`)),
  ]
  const width = Math.ceil(Math.max(56, ...texts) + 2 * PADDING)
  if (children.length === 0) return { id: idOf(state.name), width, height: head }
  const dot = { id: dotIn(state.name), width: DOT, height: DOT }
  return {
    id: idOf(state.name),
    children: [...(state.kind === 'compound' ? [dot] : []), ...children],
    layoutOptions: {
      'elk.padding': `[top=${head + 12},left=${PADDING},bottom=${PADDING},right=${PADDING}]`,
      'elk.nodeSize.constraints': 'MINIMUM_SIZE',
      'elk.nodeSize.minimum': `(${width},${head + 40})`,
    },
  }
}

function labelSize({ on, condition }: DrawnTransition): Label {
  const width = Math.ceil(Math.max(textWidth(on), textWidth(condition)) + 12)
  return { width, height: condition === '' ? ROW_HEIGHT + 2 : 2 * ROW_HEIGHT }
}

function lineOf(transition: DrawnTransition, routed: ElkExtendedEdge | undefined): Line {
  const size = labelSize(transition)
  const [placed] = routed?.labels ?? []
  const points = pointsOf(routed)
  return { transition, points, size, label: middleOf({ x: placed?.x ?? 0, y: placed?.y ?? 0, ...size }) }
}

function pointsOf(routed: ElkExtendedEdge | undefined): Point[] {
  return (routed?.sections ?? []).flatMap(({ startPoint, bendPoints = [], endPoint }) => [
    startPoint,
    ...bendPoints,
    endPoint,
  ])
}

function everyNode(node: ElkNode): ElkNode[] {
  return [node, ...(node.children ?? []).flatMap(everyNode)]
}

function areaOf(node: ElkNode | undefined): Point & Label {
  if (node === undefined) throw new Error('The layout has lost a state')
  const { x = 0, y = 0, width = 0, height = 0 } = node
  return { x, y, width, height }
}

const middleOf = ({ x, y, width, height }: Point & Label): Point => ({ x: x + width / 2, y: y + height / 2 })
