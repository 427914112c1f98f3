import type { Feature, FeatureCollection, LineString, Point } from 'geojson'
import type { Corridor, Place as Stop } from '#machines/contracts/scenario.ts'
import { distanceKm } from '#machines/rules/distance.ts'
import type { Place } from './places.ts'
import type { ArchiveInfo } from './pmtiles-archive.ts'

/** A road's class; its number (`ref`, "N-5") where it has one, else its `name` where it has one of its own. */
export type RoadProperties = { kind: Corridor['kind']; ref?: string; name?: string }

/** Where one can leave a road: `junction`, or a `town` that the map of the world has no name for. */
export type StopProperties = { kind: 'junction' | 'town'; name: string }

/** A town of the world this near to one of ours is the same, whatever its spelling, km. */
const SAME_KM = 3
/** One of the same name is the same this far, km. */
const NAMESAKE_KM = 30

/** Corridors as lines, motorways last, so that they are drawn over the others. */
export function roadLayer(corridors: readonly Corridor[]): FeatureCollection<LineString, RoadProperties> {
  const order: Corridor['kind'][] = ['urban', 'mountain', 'highway', 'motorway']
  return {
    type: 'FeatureCollection',
    features: corridors
      .toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
      .map(({ kind, name, points }) => ({
        type: 'Feature',
        properties: { kind, ...signOf(name) },
        geometry: { type: 'LineString', coordinates: points.map(([lat, lng]) => [lng, lat]) },
      })),
  }
}

/**
 * What a sign beside the road says. "N-5 Hyderabad–Rohri" is a stretch of the N-5; "Murree Road" is called so;
 * "Lahore–Kasur" and "Burhan link" are descriptions, which no sign bears.
 */
export function signOf(corridorName: string): Pick<RoadProperties, 'ref' | 'name'> {
  const ref = /^[EMNS]-\d+(?= (?!–))/.exec(corridorName)?.[0]
  if (ref) return { ref }
  return /–| link$/.test(corridorName) ? {} : { name: corridorName }
}

/** Junctions, and the towns of ours that are not among those of the world. */
export function stopLayer(
  stops: readonly Stop[],
  world: readonly Place[],
): FeatureCollection<Point, StopProperties> {
  const isNamed = ({ name, lat, lng, radiusKm }: Stop) =>
    world.some((place) => {
      const reach = place.name === name ? NAMESAKE_KM : Math.max(radiusKm, SAME_KM)
      return distanceKm(lat, lng, place.point[1], place.point[0]) < reach
    })
  return {
    type: 'FeatureCollection',
    features: stops.flatMap((stop): Feature<Point, StopProperties>[] => {
      const kind = stop.kind === 'junction' ? 'junction' : 'town'
      if (kind === 'town' && isNamed(stop)) return []
      const { name, lat, lng } = stop
      return [
        { type: 'Feature', properties: { kind, name }, geometry: { type: 'Point', coordinates: [lng, lat] } },
      ]
    }),
  }
}

/** The box around all corridors, degrees. */
export function boundsOf(corridors: readonly Corridor[]): ArchiveInfo['bounds'] {
  const points = corridors.flatMap((corridor) => corridor.points)
  const lats = points.map(([lat]) => lat)
  const lngs = points.map(([, lng]) => lng)
  return [Math.min(...lngs), Math.min(...lats), Math.max(...lngs), Math.max(...lats)]
}
