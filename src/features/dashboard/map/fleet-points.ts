import { READING_FIELDS } from '#machines/contracts/readings.ts'
import { glyphOf } from '../../../layout/glyph-of.ts'
import type { FleetColumns } from '../../../read-model/columns.ts'
import { SEVERITIES, SEVERITY_OF } from '../../../read-model/severity.ts'
import type { GlyphState } from '../../../ui/state-glyph.tsx'
import { type Motion, progressOf } from './motion.ts'
import { createPoints, makeRoom, type Points, SHAPES, type Shape, writePoint } from './points.ts'

/** Every device that is shown, as points: the calm ones, and above everything else that is drawn those in trouble or lost. */
export type FleetPoints = {
  readonly calm: Points
  readonly trouble: Points
  /** rows of `trouble`, the worst last */
  readonly troubleRows: Uint32Array
  feed(input: PointsInput): void
}

export type PointsInput = {
  columns: FleetColumns
  mask: Uint8Array | undefined
  motion: Motion
  /** of each severity */
  colours: readonly number[]
  /** rows that stand alone, and so have room for more than a dot */
  singles: Uint32Array
  /** even those that stand alone are many */
  isCrowded: boolean
}

const SHAPE_OF: Record<GlyphState, Shape> = {
  fine: 'dot',
  hot: 'up',
  cold: 'down',
  humid: 'drop',
  dry: 'hollowDrop',
  disconnected: 'ring',
  offline: 'gappedRing',
}
const shapeOf = SEVERITIES.map((_, severity) => SHAPES.indexOf(SHAPE_OF[glyphOf(severity)]))
const DOT = SHAPES.indexOf('dot')
const ARROW = SHAPES.indexOf('arrow')

/** px across */
const SIZE = { dot: 5, single: 13, smallSingle: 9, arrow: 19, smallArrow: 14, trouble: 12 }

export function createFleetPoints(): FleetPoints {
  const calm = createPoints()
  const trouble = createPoints()
  let order = new Uint32Array()
  let isSingle = new Uint8Array()
  let troubleRows = new Uint32Array()

  /** Rows in an order that has nothing to do with where they are, so that the first of them are a fair sample of all. */
  function shuffled(size: number): Uint32Array {
    if (order.length < size || order.length > 2 * size + 1024) order = shuffle(Math.ceil(size * 1.1))
    return order
  }

  function feed({ columns, mask, motion, colours, singles, isCrowded }: PointsInput): void {
    const { size, x, y, state, kind, speed, heading } = columns
    if (isSingle.length < size) isSingle = new Uint8Array(Math.ceil(size * 1.25))
    isSingle.fill(0)
    for (const row of singles) isSingle[row] = 1
    makeRoom(calm, size)
    troubleRows = worstLast(columns, mask)
    const put = (points: Points, row: number, shape: number, turn: number, px: number): void => {
      let atX = x[row] as number
      let atY = y[row] as number
      if (columns.previousX[row] !== atX || columns.previousY[row] !== atY) {
        const progress = progressOf(columns, row, motion)
        if (progress < 1) {
          const fromX = columns.previousX[row] as number
          const fromY = columns.previousY[row] as number
          atX = fromX + (atX - fromX) * progress
          atY = fromY + (atY - fromY) * progress
        }
      }
      const colour = colours[SEVERITY_OF[state[row] as number] as number] as number
      writePoint(points, points.length++, atX, atY, colour, shape, turn, px)
    }
    calm.length = 0
    for (const row of shuffled(size)) {
      if (row >= size || SEVERITY_OF[state[row] as number] !== 0) continue
      if ((mask !== undefined && mask[row] === 0) || !((x[row] as number) >= 0)) continue
      if (isSingle[row] === 0) put(calm, row, DOT, 0, SIZE.dot)
      else if (kind[row] === 1) put(calm, row, DOT, 0, SIZE.single)
      else if (isMoving(speed[row] as number, heading[row] as number))
        put(calm, row, ARROW, heading[row] as number, isCrowded ? SIZE.smallArrow : SIZE.arrow)
      else put(calm, row, DOT, 0, isCrowded ? SIZE.smallSingle : SIZE.single)
    }
    makeRoom(trouble, troubleRows.length)
    trouble.length = 0
    for (const row of troubleRows)
      put(trouble, row, shapeOf[SEVERITY_OF[state[row] as number] as number] as number, 0, SIZE.trouble)
    calm.version++
    trouble.version++
  }

  return {
    calm,
    trouble,
    get troubleRows() {
      return troubleRows
    },
    feed,
  }
}

const isMoving = (speed: number, heading: number): boolean =>
  heading !== READING_FIELDS.heading.missing && speed !== READING_FIELDS.speed.missing && speed > 0

/** Rows that are shown, have a place and are not in order, the worst last. */
function worstLast({ size, state, x }: FleetColumns, mask: Uint8Array | undefined): Uint32Array<ArrayBuffer> {
  const ends = new Uint32Array(SEVERITIES.length + 1)
  const severityAt = (row: number): number =>
    (mask === undefined || mask[row] === 1) && (x[row] as number) >= 0
      ? (SEVERITY_OF[state[row] as number] as number)
      : 0
  for (let row = 0; row < size; row++) {
    const severity = severityAt(row)
    ends[severity + 1] = (ends[severity + 1] as number) + (severity > 0 ? 1 : 0)
  }
  for (let severity = 1; severity < ends.length; severity++)
    ends[severity] = (ends[severity] as number) + (ends[severity - 1] as number)
  const rows = new Uint32Array(ends.at(-1) as number)
  for (let row = 0; row < size; row++) {
    const severity = severityAt(row)
    if (severity === 0) continue
    rows[ends[severity] as number] = row
    ends[severity] = (ends[severity] as number) + 1
  }
  return rows
}

/** Fisher and Yates, by a generator that begins anew each time: the same fleet is always drawn in the same order. */
function shuffle(size: number): Uint32Array<ArrayBuffer> {
  const rows = Uint32Array.from({ length: size }, (_, row) => row)
  let seed = 1
  for (let last = size - 1; last > 0; last--) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    const other = Math.floor((seed / 2 ** 32) * (last + 1))
    const kept = rows[last] as number
    rows[last] = rows[other] as number
    rows[other] = kept
  }
  return rows
}
