import type { Feature, Polygon } from 'geojson'

/** m, mean radius of the earth */
const EARTH = 6_371_008.8
const CORNERS = 72

/** What lies within so many metres of a place, as a polygon that looks round. Flat reckoning: good to some kilometres. */
export function circleAround({ lng, lat }: { lng: number; lat: number }, metres: number): Feature<Polygon> {
  const north = ((metres / EARTH) * 180) / Math.PI
  const east = north / Math.cos((lat * Math.PI) / 180)
  const ring = Array.from({ length: CORNERS + 1 }, (_, i) => {
    const turn = ((i % CORNERS) / CORNERS) * 2 * Math.PI
    return [lng + east * Math.cos(turn), lat + north * Math.sin(turn)]
  })
  return { type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: [ring] } }
}
