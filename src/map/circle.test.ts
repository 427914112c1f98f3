import { expect, test } from 'vitest'
import { circleAround } from './circle.ts'

/** m between two places, by the haversine formula */
function distance([lng1, lat1]: number[], [lng2, lat2]: number[]): number {
  const rad = (degrees = 0) => (degrees * Math.PI) / 180
  const a =
    Math.sin(rad((lat2 ?? 0) - (lat1 ?? 0)) / 2) ** 2 +
    Math.cos(rad(lat1)) * Math.cos(rad(lat2)) * Math.sin(rad((lng2 ?? 0) - (lng1 ?? 0)) / 2) ** 2
  return 2 * 6_371_008.8 * Math.asin(Math.sqrt(a))
}

test.each([
  { lng: 74.3436, lat: 31.5497 },
  { lng: 0, lat: 0 },
  { lng: 25, lat: 70 },
])('300 m around %j, wherever that is', ({ lng, lat }) => {
  const [ring = []] = circleAround({ lng, lat }, 300).geometry.coordinates
  expect(ring.at(0)).toEqual(ring.at(-1))
  for (const corner of ring) {
    expect(distance([lng, lat], corner)).toBeGreaterThan(299)
    expect(distance([lng, lat], corner)).toBeLessThan(301)
  }
})
