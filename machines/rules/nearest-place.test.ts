import fc from 'fast-check'
import { expect, test } from 'vitest'
import { distanceKm, EARTH_KM } from './distance.ts'
import { compassPoint, createPlaceFinder } from './nearest-place.ts'

type Place = { name: string; lat: number; lng: number; radiusKm: number }
const finderOf = (places: Place[]) =>
  createPlaceFinder({
    names: places.map(({ name }) => name),
    lat: places.map(({ lat }) => lat),
    lng: places.map(({ lng }) => lng),
    radiusKm: places.map(({ radiusKm }) => radiusKm),
  })

const multan = { name: 'Multan', lat: 30.1968, lng: 71.4782, radiusKm: 7 }
const village = { name: 'Qadirpur Ran', lat: 30.292, lng: 71.67, radiusKm: 0.8 }

test('a position is told by the place it is within, else by way and direction from it', () => {
  const { words } = finderOf([multan, village])
  expect(words(30.2, 71.5)).toBe('Multan')
  expect(words(30.28, 71.57)).toBe('13 km NE of Multan')
  expect(words(30.29, 71.69)).toBe('2 km E of Qadirpur Ran')
  expect(words(29.1, 71.4782)).toBe('122 km S of Multan')
})

test('no position and no places are told by nothing', () => {
  expect(finderOf([multan]).words(Number.NaN, 71)).toBe('')
  expect(finderOf([multan]).words(91, 71)).toBe('')
  expect(finderOf([]).words(30, 71)).toBe('')
})

test('the 180th meridian and the poles part nothing', () => {
  const { words } = finderOf([
    { name: 'Suva', lat: -18.14, lng: 178.44, radiusKm: 5 },
    { name: 'Apia', lat: -13.83, lng: -171.77, radiusKm: 5 },
  ])
  expect(words(-18, -179.5)).toBe('218 km E of Suva')
  expect(finderOf([{ name: 'Alert', lat: 82.5, lng: -62.3, radiusKm: 1 }]).words(89.9, 117.7)).toBe(
    '845 km N of Alert',
  )
})

test('directions have eight names', () => {
  const around = [0, 45, 90, 135, 180, 225, 270, 315].map((degrees) => {
    const turn = (degrees * Math.PI) / 180
    return compassPoint(0, 0, Math.cos(turn), Math.sin(turn))
  })
  expect(around).toEqual(['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'])
})

const lat = fc.double({ min: -90, max: 90, noNaN: true })
const lng = fc.double({ min: -180, max: 180, noNaN: true })
const place = fc.record({
  name: fc.constant('X'),
  lat,
  lng,
  radiusKm: fc.double({ min: 0.1, max: 30, noNaN: true }),
})

test('nobody has a nearer edge than the place found', () => {
  fc.assert(
    fc.property(fc.array(place, { minLength: 1, maxLength: 60 }), lat, lng, (places, atLat, atLng) => {
      const found = finderOf(places).nearest(atLat, atLng)
      const edges = places.map((p) => distanceKm(p.lat, p.lng, atLat, atLng) - p.radiusKm)
      expect(found).toBeDefined()
      if (found === undefined) return
      expect(edges[found.index]).toBeCloseTo(Math.min(...edges), 4)
      expect(found.km - (places[found.index]?.radiusKm ?? 0)).toBeCloseTo(Math.min(...edges), 4)
    }),
  )
})

test('distance is the same both ways, never beyond half the earth, and a triangle has no short cut', () => {
  fc.assert(
    fc.property(lat, lng, lat, lng, lat, lng, (aLat, aLng, bLat, bLng, cLat, cLng) => {
      const ab = distanceKm(aLat, aLng, bLat, bLng)
      expect(ab).toBeCloseTo(distanceKm(bLat, bLng, aLat, aLng), 6)
      expect(ab).toBeLessThanOrEqual(Math.PI * EARTH_KM + 1e-6)
      const around = distanceKm(aLat, aLng, cLat, cLng) + distanceKm(cLat, cLng, bLat, bLng)
      expect(around).toBeGreaterThanOrEqual(ab - 1e-3)
    }),
    { examples: [[0, 0, 0, -179.99999982071284, 0, 0.0000013867054491356614]] },
  )
  expect(distanceKm(30, 71, 31, 71)).toBeCloseTo(111.195, 3)
})
