import { READING_FIELDS } from '#machines/contracts/readings.ts'
import { glyphOf } from '../../../layout/glyph-of.ts'
import type { FleetColumns } from '../../../read-model/columns.ts'
import { SEVERITIES, SEVERITY_OF } from '../../../read-model/severity.ts'
import type { GlyphState } from '../../../ui/state-glyph.tsx'
import { worldPx } from './camera.ts'
import { type Motion, progressOf } from './motion.ts'
import {
  createPoints,
  makeRoom,
  PLACE_STEPS,
  type Points,
  SHAPES,
  type Shape,
  WORDS,
  writePoint,
} from './points.ts'

/** Every device that is shown, as points: the calm ones, and above everything else that is drawn those in trouble or lost. */
export type FleetPoints = {
  /** Calm ones close together, dots all of one size and colour. A dot hides what has the same place whole, and is below it left out. */
  readonly crowd: Points
  /** calm ones with room around them */
  readonly singles: Points
  readonly trouble: Points
  /** rows of `trouble`, the worst last */
  readonly troubleRows: Uint32Array
  /** one of them is on its way between two readings, by more than can be seen */
  readonly isOnTheWay: boolean
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
  /** they are looked at up to half a zoom nearer than this */
  zoom: number
  /** also what cannot be seen below another is drawn */
  isEach: boolean
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
const SIZE = { dot: 5, trouble: 12 }
const SINGLE = { dot: 13, arrow: 19 }
const SMALL_SINGLE = { dot: 9, arrow: 14 }

export function createFleetPoints(): FleetPoints {
  const crowd = createPoints()
  const singles = createPoints()
  const trouble = createPoints()
  const places = createPlaces()
  let isSingle = new Uint8Array()
  let troubleRows = new Uint32Array()
  let isOnTheWay = false

  function feed(input: PointsInput): void {
    const { columns, mask, motion, colours, isCrowded } = input
    const { size, x, state, kind, speed, heading } = columns
    if (isSingle.length < size) isSingle = new Uint8Array(Math.ceil(size * 1.25))
    isSingle.fill(0)
    for (const row of input.singles) isSingle[row] = 1
    const calmColour = colours[0] as number
    const px = isCrowded ? SMALL_SINGLE : SINGLE
    makeRoom(singles, input.singles.length)
    singles.length = 0
    const spare = spareBits(input.zoom)
    const least = 2 ** spare / PLACE_STEPS
    places.clear(size, spare)
    isOnTheWay = false
    for (let row = 0; row < size; row++) {
      if (
        SEVERITY_OF[state[row] as number] !== 0 ||
        (mask !== undefined && mask[row] === 0) ||
        !((x[row] as number) >= 0)
      )
        continue
      if (findSpot(columns, row, motion, least) < 1) isOnTheWay = true
      if (isSingle[row] === 0) {
        places.add(row, spot[0] as number, spot[1] as number)
        continue
      }
      if (kind[row] === 0 && isMoving(speed[row] as number, heading[row] as number))
        put(singles, calmColour, ARROW, heading[row] as number, px.arrow)
      else put(singles, calmColour, DOT, 0, px.dot)
    }
    makeRoom(crowd, size)
    crowd.length = places.write(crowd.words, calmColour, input.isEach)
    troubleRows = worstLast(columns, mask)
    makeRoom(trouble, troubleRows.length)
    trouble.length = 0
    for (const row of troubleRows) {
      const severity = SEVERITY_OF[state[row] as number] as number
      if (findSpot(columns, row, motion, least) < 1) isOnTheWay = true
      put(trouble, colours[severity] as number, shapeOf[severity] as number, 0, SIZE.trouble)
    }
    for (const points of [crowd, singles, trouble]) points.version++
  }

  return {
    crowd,
    singles,
    trouble,
    get troubleRows() {
      return troubleRows
    },
    get isOnTheWay() {
      return isOnTheWay
    },
    feed,
  }
}

/** The places of a crowd, in an order that has nothing to do with where they are, so that the first are a fair sample. */
function createPlaces() {
  let order = new Uint32Array()
  let x = new Uint32Array()
  let y = new Uint32Array()
  let isTaken = new Uint8Array()
  /** open addressing, at most half full: its number in the order + 1 */
  let table = new Uint32Array()
  let size = 0
  let spare = 0

  return {
    clear(count: number, bits: number): void {
      if (order.length !== count) {
        order = shuffle(count)
        x = new Uint32Array(count)
        y = new Uint32Array(count)
        isTaken = new Uint8Array(count)
        table = new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(2, count * 2))))
      }
      isTaken.fill(0)
      size = count
      spare = bits
    },
    /** @param atX @param atY on the unit square of the Mercator map, put to the nearest of the steps that can be told apart */
    add(row: number, atX: number, atY: number): void {
      const at = order[row] as number
      x[at] = middleOf((atX * PLACE_STEPS) >>> 0, spare)
      y[at] = middleOf((atY * PLACE_STEPS) >>> 0, spare)
      isTaken[at] = 1
    },
    /** Of several at one place the last is written, or each. @returns how many were */
    write(words: Uint32Array, colour: number, isEach: boolean): number {
      table.fill(0)
      let first = size
      for (let at = size - 1; at >= 0; at--) {
        if (isTaken[at] === 0 || (!isEach && isHidden(at))) continue
        first--
        writePoint(words, first, x[at] as number, y[at] as number, colour, DOT, 0, SIZE.dot)
      }
      words.copyWithin(0, first * WORDS, size * WORDS)
      return size - first
    },
  }

  /** Whether one that is above it lies at the same place. */
  function isHidden(at: number): boolean {
    const mask = table.length - 1
    const [atX, atY] = [x[at] as number, y[at] as number]
    const mixed = Math.imul(atX >>> spare, 0x9e3779b1) ^ Math.imul(atY >>> spare, 0x85ebca6b)
    let slot = (mixed ^ (mixed >>> 15)) & mask
    for (; table[slot] !== 0; slot = (slot + 1) & mask) {
      const above = (table[slot] as number) - 1
      if (x[above] === atX && y[above] === atY) return true
    }
    table[slot] = at + 1
    return false
  }
}

/** Bits of a place that say less than a quarter of a px up to half a zoom nearer than `zoom`. */
const spareBits = (zoom: number): number =>
  Math.max(0, Math.floor(Math.log2(PLACE_STEPS / (4 * worldPx(zoom + 0.5)))))

const middleOf = (step: number, spare: number): number =>
  spare === 0 ? step : (((step >>> spare) << spare) | (1 << (spare - 1))) >>> 0

/**
 * Where a device is on its way, without an object for each of 100,000. @param least a way shorter than this cannot be seen
 * @returns how much of the way it has behind it, 0 to 1
 */
function findSpot(columns: FleetColumns, row: number, motion: Motion, least: number): number {
  const x = columns.x[row] as number
  const y = columns.y[row] as number
  const fromX = columns.previousX[row] as number
  const fromY = columns.previousY[row] as number
  const isStill = Math.abs(x - fromX) < least && Math.abs(y - fromY) < least
  const progress = isStill ? 1 : progressOf(columns, row, motion)
  spot[0] = progress === 1 ? x : fromX + (x - fromX) * progress
  spot[1] = progress === 1 ? y : fromY + (y - fromY) * progress
  return progress
}
const spot = new Float64Array(2)

/** Adds a point where `findSpot` found its device. */
function put(points: Points, colour: number, shape: number, turn: number, px: number): void {
  const [x, y] = [(spot[0] as number) * PLACE_STEPS, (spot[1] as number) * PLACE_STEPS]
  writePoint(points.words, points.length++, x >>> 0, y >>> 0, colour, shape, turn, px)
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
