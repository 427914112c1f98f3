import type { HistoryPoint } from '#machines/contracts/entities/devices.ts'
import { gapAfter } from '#machines/rules/gap.ts'
import { DOOR_GAP_MS, endOf, spellsWhere } from '#machines/rules/spells.ts'

/** A place a device was at, epoch ms, with what it measured there, °C. */
export type WayPoint = { at: number; lng: number; lat: number; temperature: number | null }

/** Where a device stood for a while. */
export type Stop = { lng: number; lat: number; from: number; to: number }

/** The readings of a device, oldest first, as the way it came; what has no place is left out. */
export function wayOf(
  points: readonly Pick<HistoryPoint, 'dateTime' | 'lat' | 'lng' | 'temperature'>[],
): WayPoint[] {
  const way: WayPoint[] = []
  for (const { dateTime, lat, lng, temperature } of points)
    if (lat !== null && lng !== null) way.push({ at: Date.parse(dateTime), lng, lat, temperature })
  return way
}

/** The stretches of a way that are told of without a gap, oldest first: nobody knows how it came from one to the next. */
export function stretchesOf(way: readonly WayPoint[]): WayPoint[][] {
  const gap = gapAfter(way.map(({ at }) => at))
  const stretches: WayPoint[][] = []
  let before = Number.NEGATIVE_INFINITY
  for (const point of way) {
    if (point.at - before <= gap) stretches.at(-1)?.push(point)
    else stretches.push([point])
    before = point.at
  }
  return stretches
}

/** When a door stood open, epoch ms, and where it was seen open first; null: that was not told. */
export type OpenDoor = { from: number; to: number; place: { lng: number; lat: number } | null }

/** From the first reading with the door open to the next with it closed, the last that says so, or a silence. */
export function doorsOf(
  points: readonly Pick<HistoryPoint, 'dateTime' | 'lat' | 'lng' | 'temperature' | 'door'>[],
): OpenDoor[] {
  const readings = { length: points.length, at: Float64Array.from(points, (one) => Date.parse(one.dateTime)) }
  const isOpen = (row: number): boolean | undefined => {
    const door = points[row]?.door
    return door === undefined || door === null ? undefined : door === 1
  }
  return spellsWhere(readings, DOOR_GAP_MS, isOpen).map((spell) => {
    const [place = null] = wayOf(points.slice(spell.first, spell.last + 1))
    return { from: spell.from, to: endOf(spell, readings), place }
  })
}

/** Shorter is traffic, ms. */
const LEAST = 10 * 60_000
/** Satellites do not place what stands still more exactly, degrees: about 100 m. */
const SPREAD = 0.001

/** The stops on a way: where it stayed within about 100 m for ten minutes or longer. */
export function stopsOf(way: readonly WayPoint[]): Stop[] {
  const stops: Stop[] = []
  let first = way[0]
  let last = first
  const close = (): void => {
    if (first && last && last.at - first.at >= LEAST)
      stops.push({ lng: first.lng, lat: first.lat, from: first.at, to: last.at })
  }
  for (const point of way) {
    if (first && Math.abs(point.lng - first.lng) < SPREAD && Math.abs(point.lat - first.lat) < SPREAD) {
      last = point
      continue
    }
    close()
    first = point
    last = point
  }
  close()
  return stops
}
