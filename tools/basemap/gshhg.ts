import { readIntegers } from './netcdf.ts'

/** Longitude and latitude in degrees. Longitudes of a shore may run past ±180 so that no ring is cut at the date line. */
export type Position = [lon: number, lat: number]

/** A shore: 1 land in the sea, 2 lake, 3 island in a lake, 4 pond on such an island. */
export type Shore = { level: number; ring: Position[] }

/** A river (levels 0–10 of WDB II, 0 the widest) or a border (1 countries, 2 states). */
export type Line = { level: number; line: Position[] }

const CELL = 65535 // Points are stored as 16-bit fractions of their bin, so a bin edge has one exact whole-number position.
const GROUNDING_LINE = 6

/**
 * Shores from a binned GSHHG file. GMT stores each shore cut at the edges of 2° bins; here the pieces are joined into whole
 * rings again, because cut rings would show hairlines along every bin.
 */
export async function readShores(file: string): Promise<Shore[]> {
  const nc = await readIntegers(file, [
    'Bin_size_in_minutes',
    'N_bins_in_360_longitude_range',
    'Id_of_first_segment_in_a_bin',
    'N_segments_in_a_bin',
    'Embedded_npts_levels_exit_entry_for_a_segment',
    'Id_of_first_point_in_a_segment',
    'Id_of_GSHHS_ID',
    'Relative_longitude_from_SW_corner_of_bin',
    'Relative_latitude_from_SW_corner_of_bin',
  ])
  const grid = binGrid(nc)
  const byShore = new Map<string, { level: number; pieces: Piece[] }>()
  eachSegment(nc, (bin, segment) => {
    const packed = nc.Embedded_npts_levels_exit_entry_for_a_segment[segment]!
    const level = (packed >> 6) & 7
    // Antarctica comes twice: its ice front is what a map shows, the grounding line lies under the ice.
    if (level === GROUNDING_LINE) return
    const key = `${nc.Id_of_GSHHS_ID[segment]}/${level}`
    const shore = byShore.get(key) ?? { level, pieces: [] }
    shore.pieces.push(readPiece(nc, grid, bin, segment, packed >> 9))
    byShore.set(key, shore)
  })
  const shores: Shore[] = []
  let open = 0
  for (const { level, pieces } of byShore.values()) {
    for (const joined of joinPieces(pieces, grid)) {
      if (!joined.closed) open++
      const ring = toDegrees(joined.points, grid)
      if (ring.length > 3) shores.push({ level, ring: throughPole(ring) })
    }
  }
  console.log(`  shores: ${shores.length} rings, ${open} left open`)
  return shores
}

/** Rivers or borders from a binned WDB II file, as the pieces it stores. */
export async function readLines(file: string): Promise<Line[]> {
  const nc = await readIntegers(file, [
    'Bin_size_in_minutes',
    'N_bins_in_360_longitude_range',
    'Id_of_first_segment_in_a_bin',
    'N_segments_in_a_bin',
    'N_points_for_a_segment',
    'Hierarchial_level_of_a_segment',
    'Id_of_first_point_in_a_segment',
    'Relative_longitude_from_SW_corner_of_bin',
    'Relative_latitude_from_SW_corner_of_bin',
  ])
  const grid = binGrid(nc)
  const lines: Line[] = []
  eachSegment(nc, (bin, segment) => {
    const points = readPiece(nc, grid, bin, segment, nc.N_points_for_a_segment[segment]!)
    if (points.length < 4) return
    const line = toDegrees(points, grid)
    const east = line[0]![0] > 180 || (line[0]![0] === 180 && line[1]![0] > 180)
    lines.push({
      level: nc.Hierarchial_level_of_a_segment[segment]!,
      line: east ? line.map(([x, y]) => [x - 360, y]) : line,
    })
  })
  return lines
}

type Grid = { columns: number; degrees: number }
/** x, y, x, y … in fractions of a bin from 0° E, 90° N, y to the north. */
type Piece = Int32Array
type Points = {
  Id_of_first_point_in_a_segment: Int32Array
  Relative_longitude_from_SW_corner_of_bin: Int32Array
  Relative_latitude_from_SW_corner_of_bin: Int32Array
}

function binGrid(nc: { Bin_size_in_minutes: Int32Array; N_bins_in_360_longitude_range: Int32Array }): Grid {
  return { columns: nc.N_bins_in_360_longitude_range[0]!, degrees: nc.Bin_size_in_minutes[0]! / 60 }
}

function eachSegment(
  nc: { Id_of_first_segment_in_a_bin: Int32Array; N_segments_in_a_bin: Int32Array },
  visit: (bin: number, segment: number) => void,
): void {
  nc.Id_of_first_segment_in_a_bin.forEach((first, bin) => {
    for (let i = 0; i < nc.N_segments_in_a_bin[bin]!; i++) visit(bin, first + i)
  })
}

function readPiece(nc: Points, grid: Grid, bin: number, segment: number, count: number): Piece {
  const first = nc.Id_of_first_point_in_a_segment[segment]!
  const west = (bin % grid.columns) * CELL
  const south = -(Math.floor(bin / grid.columns) + 1) * CELL
  const piece = new Int32Array(count * 2)
  for (let i = 0; i < count; i++) {
    piece[2 * i] = west + (nc.Relative_longitude_from_SW_corner_of_bin[first + i]! & 0xffff)
    piece[2 * i + 1] = south + (nc.Relative_latitude_from_SW_corner_of_bin[first + i]! & 0xffff)
  }
  return piece
}

function joinPieces(pieces: Piece[], grid: Grid): { points: number[]; closed: boolean }[] {
  const around = grid.columns * CELL
  const keyAt = (piece: ArrayLike<number>, i: number) =>
    `${((piece[i]! % around) + around) % around},${piece[i + 1]!}`
  const byStart = new Map<string, Piece[]>()
  for (const piece of pieces) {
    const key = keyAt(piece, 0)
    byStart.set(key, [...(byStart.get(key) ?? []), piece])
  }
  const used = new Set<Piece>()
  const joined: { points: number[]; closed: boolean }[] = []
  for (const piece of pieces) {
    if (used.has(piece)) continue
    const points: number[] = []
    const start = keyAt(piece, 0)
    let closed = false
    for (let next: Piece | undefined = piece; next; ) {
      used.add(next)
      // The next piece continues where this one ended, even when it lies a turn of the globe further.
      const shift: number =
        points.length === 0 ? 0 : Math.round((points.at(-2)! - next[0]!) / around) * around
      for (let i = points.length === 0 ? 0 : 2; i < next.length; i += 2)
        points.push(next[i]! + shift, next[i + 1]!)
      const end = keyAt(next, next.length - 2)
      closed = end === start
      next = closed ? undefined : byStart.get(end)?.find((candidate) => !used.has(candidate))
    }
    joined.push({ points, closed })
  }
  return joined
}

function toDegrees(points: ArrayLike<number>, grid: Grid): Position[] {
  const degrees: Position[] = []
  for (let i = 0; i < points.length; i += 2) {
    degrees.push([(points[i]! / CELL) * grid.degrees, 90 + (points[i + 1]! / CELL) * grid.degrees])
  }
  return degrees
}

/** Antarctica goes once around the globe; its ring closes along the bottom of the map. */
function throughPole(ring: Position[]): Position[] {
  const first = ring[0]!
  const last = ring.at(-1)!
  if (Math.abs(last[0] - first[0]) > 180) return [...ring, [last[0], -90], [first[0], -90], first]
  return first[0] === last[0] && first[1] === last[1] ? ring : [...ring, first]
}
