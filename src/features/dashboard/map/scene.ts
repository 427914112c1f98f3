import type { Clusters } from '../../../read-model/clusters.ts'
import type { FleetColumns } from '../../../read-model/columns.ts'
import { SEVERITIES, SEVERITY_OF } from '../../../read-model/severity.ts'
import { type Camera, screenX, screenY, worldPx } from './camera.ts'
import { type Box, isInside, overlaps } from './labels.ts'
import { type Motion, placeOf, progressOf, wayTakes } from './motion.ts'
import type { Palette } from './palette.ts'

/** One thing drawn on the map: px, and what it stands for. */
export type Mark = {
  x: number
  y: number
  /** px, also what the pointer has to hit */
  radius: number
  /** index into SEVERITIES */
  severity: number
} & (
  | {
      kind: 'cluster'
      count: number
      trouble: number
      unitX: number
      unitY: number
      /** how wide its cell is on the unit square */
      cell: number
    }
  | { kind: 'device'; row: number; isSelected: boolean; ring?: Ring | undefined }
)

/** Around a device whose load somebody must look at. */
export type Ring = 'at-risk' | 'exhausted'
/** By device number, the worst first, and how they are drawn. */
export type Rings = {
  of: ReadonlyMap<number, Ring>
  draw(ctx: CanvasRenderingContext2D, palette: Palette, ring: Ring): void
}

/** px */
export type Place = { x: number; y: number }

export type Scene = {
  /** in the order they lie on each other: the worst on top, the selected one above all */
  marks: Mark[]
  /** where something is wrong, be it a mark or a point, the worst of those in sight */
  wrong: readonly Place[]
  /** px in which the fastest of them moves in a second; 0: nothing moves */
  pxPerSecond: number
}

export type SceneInput = {
  columns: FleetColumns
  clusters: Clusters
  camera: Camera
  motion: Motion
  /** those in trouble or lost, the worst last: each is a mark of its own, also where it stands among others */
  troubleRows: Uint32Array
  /** -1: none */
  selectedRow: number
  /** by row, the worst first */
  rings: ReadonlyMap<number, Ring>
  /** boxes of the map that something lies on, px */
  covered: readonly Box[]
}

/** Beyond the edge by this much, px, a mark is not drawn; the map moves that far before it is looked at again. */
const MARGIN = 120
/** Marks of devices in trouble that stand among others, the worst of those in sight; those beyond are points. */
const MOST_TROUBLE = 120
/** Marks of devices that are calm themselves and stand among others, for their ring alone. */
const MOST_RINGED = 60
/** Circles and names keep clear of so many, the worst of those in sight. */
const MOST_AVOIDED = 2000
/** Pictures in sight, names included: each is an instance, and without a card many of them are slow. */
const MOST_PICTURES = 500
/** of them: names */
export const MOST_LABELS = 60
const DEVICE_RADIUS = 10
const SMALL_RADIUS = 6
const MANY = 150

/** Many devices that stand alone are drawn smaller, so that they do not hide the map. */
export const isCrowded = ({ singles }: Clusters): boolean => singles.length > MANY

/** Everything that is in sight of the camera. */
export function buildScene({
  columns,
  clusters,
  camera,
  motion,
  troubleRows,
  selectedRow,
  rings,
  covered,
}: SceneInput): Scene {
  let marks: Mark[] = []
  let pxPerSecond = 0
  const inSight = (x: number, y: number): boolean =>
    x > -MARGIN && y > -MARGIN && x < camera.width + MARGIN && y < camera.height + MARGIN

  const { cell } = clusters
  const cellPx = cell * worldPx(camera.zoom)
  for (let c = 0; c < clusters.length; c++) {
    const unitX = clusters.x[c] as number
    const unitY = clusters.y[c] as number
    const count = clusters.count[c] as number
    const trouble = clusters.trouble[c] as number
    const severity = clusters.worst[c] as number
    const radius = clusterRadius(count, trouble)
    const inset = Math.min(0.5, radius / cellPx) * cell
    const x = screenX(camera, insideCell(unitX, cell, inset))
    const y = screenY(camera, insideCell(unitY, cell, inset))
    if (!inSight(x, y)) continue
    marks.push({
      kind: 'cluster',
      x,
      y,
      radius,
      severity,
      count,
      trouble,
      unitX,
      unitY,
      cell,
    })
  }

  const add = (row: number, isSelected: boolean): boolean => {
    const progress = progressOf(columns, row, motion)
    const place = placeOf(columns, row, progress)
    const x = screenX(camera, place.x)
    const y = screenY(camera, place.y)
    if (!inSight(x, y)) return false
    const severity = SEVERITY_OF[columns.state[row] as number] as number
    const ring = rings.get(row)
    marks.push({ kind: 'device', x, y, radius: DEVICE_RADIUS, severity, row, isSelected, ring })
    if (progress < 1) pxPerSecond = Math.max(pxPerSecond, paceOf(columns, row, camera, motion))
    return true
  }
  function wrongPlaces(): Place[] {
    const places: Place[] = []
    for (let i = troubleRows.length - 1; i >= 0 && places.length < MOST_AVOIDED; i--) {
      const row = troubleRows[i] as number
      const place = placeOf(columns, row, progressOf(columns, row, motion))
      const x = screenX(camera, place.x)
      const y = screenY(camera, place.y)
      if (inSight(x, y)) places.push({ x, y })
    }
    return places
  }
  // Those that stand alone come last: of two that are as bad, theirs is the name for which there is room.
  const alone = new Set(clusters.singles)
  for (let i = troubleRows.length - 1, most = MOST_TROUBLE; i >= 0 && most > 0; i--) {
    const row = troubleRows[i] as number
    if (row !== selectedRow && !alone.has(row) && add(row, false)) most--
  }
  let ringed = MOST_RINGED
  for (const row of rings.keys()) {
    if (ringed === 0) break
    const isCalm = SEVERITY_OF[columns.state[row] as number] === 0 && !Number.isNaN(columns.x[row] as number)
    if (isCalm && row !== selectedRow && !alone.has(row) && add(row, false)) ringed--
  }
  for (const row of clusters.singles) if (row !== selectedRow) add(row, false)
  if (isCrowded(clusters)) for (const mark of marks) if (isPlain(mark)) mark.radius = SMALL_RADIUS
  if (selectedRow >= 0 && !Number.isNaN(columns.x[selectedRow] as number)) add(selectedRow, true)

  marks = withinBudget(marks, columns.kind, MOST_PICTURES - MOST_LABELS)
  const wrong = wrongPlaces()
  const selectedMark = marks.find((mark) => mark.kind === 'device' && mark.isSelected)
  partCircles(marks, [...wrong, ...(selectedMark ? [selectedMark] : [])], camera, covered)
  marks.sort((a, b) => rank(a) - rank(b))
  return { marks, wrong, pxPerSecond }
}

/** A device of which there is nothing to say. */
const isPlain = (mark: Mark): boolean =>
  mark.kind === 'device' && mark.severity === 0 && mark.ring === undefined

/** Pictures that a mark takes: a calm vehicle is a point and takes none, the selected device has a halo besides. */
export function picturesOf(mark: Mark, kinds: Uint8Array): number {
  if (mark.kind === 'cluster') return 1
  const own = !isPlain(mark) || kinds[mark.row] === 1 ? 1 : 0
  return mark.isSelected ? own + 1 : own
}

/**
 * Marks whose pictures are no more than `most` together: the selected device, what is wrong, the worst first, then the
 * fullest circles. Whatever is left out is a point as every device is.
 */
export function withinBudget(marks: Mark[], kinds: Uint8Array, most: number): Mark[] {
  const pictures = (mark: Mark): number => picturesOf(mark, kinds)
  if (marks.reduce((sum, mark) => sum + pictures(mark), 0) <= most) return marks
  let left = most
  const kept = new Set<Mark>()
  for (const mark of marks.toSorted((a, b) => weight(b) - weight(a))) {
    if (pictures(mark) > left) continue
    left -= pictures(mark)
    kept.add(mark)
  }
  return marks.filter((mark) => kept.has(mark))
}

/** Beyond any count of devices. */
const WRONG = 1e9

function weight(mark: Mark): number {
  if (mark.kind === 'cluster') return mark.count
  if (mark.isSelected) return Number.POSITIVE_INFINITY
  return isPlain(mark) ? 0 : WRONG + mark.severity
}

/** What lies under a point, the uppermost first. `slack`: px around a mark that still count as it (fingers). */
export function hitTest(marks: readonly Mark[], x: number, y: number, slack = 2): Mark | undefined {
  for (let i = marks.length - 1; i >= 0; i--) {
    const mark = marks[i] as Mark
    if (Math.hypot(mark.x - x, mark.y - y) <= mark.radius + slack) return mark
  }
  return undefined
}

/** Clusters grow with the number of their digits, and those in trouble have room for "3 of 120". */
export function clusterRadius(count: number, trouble: number): number {
  const calm = 12 + 3 * Math.log10(count)
  return trouble > 0 ? Math.max(27, calm) : calm
}

/** A cluster keeps to its cell by all its size, so that two never cover each other. `inset`: at most half a cell. */
function insideCell(unit: number, cell: number, inset: number): number {
  const start = Math.floor(unit / cell) * cell
  return Math.min(start + cell - inset, Math.max(start + inset, unit))
}

/** px that a circle keeps from a mark of trouble */
const APART = 9

/**
 * A circle says how many are wrong, and those lie on it, as the selected device does: it steps aside to where the fewest do,
 * so that both are seen.
 * @param upon where they lie, px @param covered boxes it does not go under, px
 */
function partCircles(
  marks: readonly Mark[],
  upon: readonly Place[],
  map: Camera,
  covered: readonly Box[],
): void {
  const circles = marks.filter((mark) => mark.kind === 'cluster')
  const homes = circles.map(({ x, y }): Place => ({ x, y }))
  // Where one has gone there may be room for another: those that are still covered look once more.
  let left = circles.map((_, i) => i)
  for (let look = 0; look < LOOKS && left.length > 0; look++) left = left.filter((i) => !part(i))

  /** Moves one; answers whether nothing lies on it any more. */
  function part(i: number): boolean {
    const circle = circles[i] as Mark
    const home = homes[i] as Place
    const { radius } = circle
    const step = radius + APART
    const near = upon.filter((place) => isWithin(place, home, (FARTHEST + 1) * step))
    if (near.length === 0 && circle.x === home.x && circle.y === home.y) return true
    const others = circles.filter(
      (other) => other !== circle && isWithin(other, home, FARTHEST * step + radius + other.radius),
    )
    /** How many lie on it there, counted no further than `enough`. */
    const hiding = (at: Place, enough: number): number => {
      let many = 0
      for (const place of near) if (isWithin(place, at, step) && ++many === enough) break
      return many
    }
    const hasRoom = ({ x, y }: Place): boolean => {
      const box = { x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius }
      return (
        isInside(box, map) &&
        !covered.some((over) => overlaps(box, over)) &&
        others.every((other) => !isWithin(other, { x, y }, radius + other.radius))
      )
    }
    let best: Place = circle
    let fewest = hiding(circle, Number.POSITIVE_INFINITY)
    for (const [dx, dy] of ASIDE) {
      if (fewest === 0) break
      const at = { x: home.x + dx * step, y: home.y + dy * step }
      if (!hasRoom(at)) continue
      const many = hiding(at, fewest)
      if (many < fewest) {
        best = at
        fewest = many
      }
    }
    circle.x = best.x
    circle.y = best.y
    return fewest === 0
  }
}

/** Whether two places are nearer than so many px; asked some thousand times a drawing. */
const isWithin = (a: Place, b: Place, px: number): boolean => (a.x - b.x) ** 2 + (a.y - b.y) ** 2 < px * px

const LOOKS = 2
/** Steps it may go from its place. */
const FARTHEST = 1.7
/** Around where it is, then farther off. */
const ASIDE = [1, 1.35, FARTHEST].flatMap((steps) =>
  [4, 0, 2, 6, 3, 1, 5, 7].map((eighth): [number, number] => [
    steps * Math.cos((eighth * Math.PI) / 4),
    steps * Math.sin((eighth * Math.PI) / 4),
  ]),
)

/** Calm devices, circles, and above both what is wrong, the worst on top. */
function rank(mark: Mark): number {
  if (mark.kind === 'cluster') return 1 + mark.severity / SEVERITIES.length
  if (mark.isSelected) return 100
  return isPlain(mark) ? 0 : 2 + mark.severity
}

function paceOf(columns: FleetColumns, row: number, camera: Camera, motion: Motion): number {
  const way = Math.hypot(
    (columns.x[row] as number) - (columns.previousX[row] as number),
    (columns.y[row] as number) - (columns.previousY[row] as number),
  )
  return (way * worldPx(camera.zoom) * 1000) / wayTakes(columns, row, motion)
}
