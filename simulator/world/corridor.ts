/** What a corridor is like along its points: how far, how fast, how warm. */
import type { Corridor, Place } from '#machines/contracts/scenario.ts'
import type { Air } from './weather.ts'

const TOWN_SPEED = 38
const CITY_SPEED = 32

/** Great-circle distance, km (haversine, mean radius 6,371 km). */
export function distanceKm(lat1: number, lng1: number, lat2: number, lng2: number): number {
  const rad = Math.PI / 180
  const s1 = Math.sin(((lat2 - lat1) * rad) / 2)
  const s2 = Math.sin(((lng2 - lng1) * rad) / 2)
  return 12_742 * Math.asin(Math.sqrt(s1 * s1 + Math.cos(lat1 * rad) * Math.cos(lat2 * rad) * s2 * s2))
}

/** The point of a road, motorways aside, that is nearest. @throws RangeError where there is none */
export function nearestPoint(
  corridors: Corridor[],
  lat: number,
  lng: number,
): { corridor: Corridor; point: number } {
  let best: { corridor: Corridor; point: number } | undefined
  let least = Number.POSITIVE_INFINITY
  const narrow = Math.cos((lat * Math.PI) / 180)
  for (const corridor of corridors) {
    if (corridor.kind === 'motorway') continue
    corridor.points.forEach(([pointLat, pointLng], point) => {
      const off = (pointLat - lat) ** 2 + ((pointLng - lng) * narrow) ** 2
      if (off >= least) return
      least = off
      best = { corridor, point }
    })
  }
  if (!best) throw new RangeError('no road to put a yard at')
  return best
}

/** 0 free, 1 through a town, 2 through a city; for the stretch after each point. */
export function slowStretches(corridor: Corridor, towns: Place[]): Uint8Array {
  const slow = new Uint8Array(corridor.points.length)
  if (corridor.kind === 'motorway' || corridor.kind === 'urban') return slow
  for (let i = 0; i + 1 < corridor.points.length; i++) {
    const [lat1, lng1] = corridor.points[i] as [number, number]
    const [lat2, lng2] = corridor.points[i + 1] as [number, number]
    for (const town of towns) {
      if (Math.abs(town.lat - lat1) > 0.2 || Math.abs(town.lng - lng1) > 0.2) continue
      if (distanceKm(town.lat, town.lng, (lat1 + lat2) / 2, (lng1 + lng2) / 2) < town.radiusKm)
        slow[i] = Math.max(slow[i] as number, town.kind === 'city' ? 2 : 1)
    }
  }
  return slow
}

/** km/h on a stretch that is as slow as `slowStretches` says. */
export function speedOn(corridor: Corridor, slow: number): number {
  if (slow === 0) return corridor.speed
  return Math.min(corridor.speed, slow === 2 ? CITY_SPEED : TOWN_SPEED)
}

/** Of each point: mixed from the places before and after it. */
export function climatesAlong({ points, places }: Corridor, airOf: (id: string) => Air): Air[] {
  return points.map((_, i) => {
    const after = places.find(([, at]) => at >= i) ?? (places.at(-1) as [string, number])
    const before = places.findLast(([, at]) => at <= i) ?? (places[0] as [string, number])
    const span = after[1] - before[1]
    const share = span > 0 ? (i - before[1]) / span : 0
    return between(airOf(before[0]), airOf(after[0]), share)
  })
}

function between(a: Air, b: Air, share: number): Air {
  const mix = (x: number, y: number) => x + (y - x) * share
  return {
    mean: mix(a.mean, b.mean),
    seasonal: mix(a.seasonal, b.seasonal),
    daily: mix(a.daily, b.daily),
    humidity: mix(a.humidity, b.humidity),
    ...(a.spells && { spells: a.spells.map((felt, i) => mix(felt, b.spells?.[i] ?? 0)) }),
  }
}
