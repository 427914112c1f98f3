import { READING_FIELDS } from '#machines/contracts/readings.ts'
import { glyphOf } from '../../../layout/glyph-of.ts'
import type { FleetColumns } from '../../../read-model/columns.ts'
import { SEVERITIES, SEVERITY_OF } from '../../../read-model/severity.ts'
import type { GlyphState } from '../../../ui/state-glyph.tsx'
import { type Motion, progressOf } from './motion.ts'
import {
  createPoints,
  makeRoom,
  type Points,
  SHAPES,
  type Shape,
  STYLE,
  WORDS,
  writePoint,
} from './points.ts'

/** Every device that is shown, as points: the calm ones, and above everything else that is drawn those in trouble or lost. */
export type FleetPoints = {
  /** dots, all of them */
  readonly calm: Points
  /** calm ones on their way that have room for an arrow */
  readonly moving: Points
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
  const moving = createPoints()
  const trouble = createPoints()
  let places = new Uint32Array()
  let isSingle = new Uint8Array()
  let troubleRows = new Uint32Array()

  /** The place of each row among the points: one that has nothing to do with where it is, so that the first are a fair sample. */
  function placesOf(size: number): Uint32Array {
    if (places.length !== size) places = shuffle(size)
    return places
  }

  function feed({ columns, mask, motion, colours, singles, isCrowded }: PointsInput): void {
    const { size, x, state, kind, speed, heading } = columns
    if (isSingle.length < size) isSingle = new Uint8Array(Math.ceil(size * 1.25))
    isSingle.fill(0)
    for (const row of singles) isSingle[row] = 1
    const calmColour = colours[0] as number
    makeRoom(calm, size)
    makeRoom(moving, singles.length)
    moving.length = 0
    const places = placesOf(size)
    // Row by row, since memory is read in that order ten times as quickly; what is not shown is a point without a size.
    for (let row = 0; row < size; row++) {
      const place = places[row] as number
      if (
        SEVERITY_OF[state[row] as number] !== 0 ||
        (mask !== undefined && mask[row] === 0) ||
        !((x[row] as number) >= 0)
      ) {
        calm.words[place * WORDS + STYLE] = 0
        continue
      }
      if (isSingle[row] === 0) put(calm.words, place, columns, row, motion, calmColour, DOT, 0, SIZE.dot)
      else if (kind[row] === 0 && isMoving(speed[row] as number, heading[row] as number)) {
        calm.words[place * WORDS + STYLE] = 0
        const px = isCrowded ? SIZE.smallArrow : SIZE.arrow
        const turn = heading[row] as number
        put(moving.words, moving.length++, columns, row, motion, calmColour, ARROW, turn, px)
      } else {
        const px = isCrowded ? SIZE.smallSingle : SIZE.single
        put(calm.words, place, columns, row, motion, calmColour, DOT, 0, px)
      }
    }
    calm.length = size
    troubleRows = worstLast(columns, mask)
    makeRoom(trouble, troubleRows.length)
    trouble.length = troubleRows.length
    for (let i = 0; i < troubleRows.length; i++) {
      const row = troubleRows[i] as number
      const severity = SEVERITY_OF[state[row] as number] as number
      const colour = colours[severity] as number
      put(trouble.words, i, columns, row, motion, colour, shapeOf[severity] as number, 0, SIZE.trouble)
    }
    calm.version++
    moving.version++
    trouble.version++
  }

  return {
    calm,
    moving,
    trouble,
    get troubleRows() {
      return troubleRows
    },
    feed,
  }
}

/** Writes a device where it is on its way, without an object for it: there are 100,000 of them. */
function put(
  words: Uint32Array,
  at: number,
  columns: FleetColumns,
  row: number,
  motion: Motion,
  colour: number,
  shape: number,
  turn: number,
  px: number,
): void {
  let x = columns.x[row] as number
  let y = columns.y[row] as number
  const fromX = columns.previousX[row] as number
  const fromY = columns.previousY[row] as number
  if (fromX !== x || fromY !== y) {
    const progress = progressOf(columns, row, motion)
    x = fromX + (x - fromX) * progress
    y = fromY + (y - fromY) * progress
  }
  writePoint(words, at, x, y, colour, shape, turn, px)
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
