/** A place a device was at, epoch ms, with what it measured there, °C. */
export type WayPoint = { at: number; lng: number; lat: number; temperature: number | null }

/** Where a device stood for a while. */
export type Stop = { lng: number; lat: number; from: number; to: number }

type Told = { dateTime: string; lat: number | null; lng: number | null; temperature: number | null }

/** What was told of a device, oldest first, as the way it came; what has no place is left out. */
export function wayOf(points: readonly Told[]): WayPoint[] {
  const way: WayPoint[] = []
  for (const { dateTime, lat, lng, temperature } of points)
    if (lat !== null && lng !== null) way.push({ at: Date.parse(dateTime), lng, lat, temperature })
  return way
}

/** Silence beyond it is a gap, as in charts, ms. */
const GAP = 10 * 60_000

/** A way up to where its device is now, heard at `at`; not beyond its end where that is a gap: nobody knows how it came from there. */
export function wayTo(
  way: readonly WayPoint[],
  now: Pick<WayPoint, 'at' | 'lng' | 'lat'>,
): readonly WayPoint[] {
  const last = way.at(-1)
  return last === undefined || now.at - last.at > GAP ? way : [...way, { ...last, ...now }]
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
