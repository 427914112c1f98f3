import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { decodeJson } from '#machines/contracts/decode.ts'
import { PlacesFile } from '#machines/contracts/scenario.ts'
import { knownPlaces } from './places.ts'

test('every town of the demo world is known by its name where it is', () => {
  const folder = new URL('../../fixtures/places/', import.meta.url)
  const { words } = knownPlaces()
  for (const file of readdirSync(folder)) {
    const { places } = decodeJson(readFileSync(new URL(file, folder), 'utf8'), PlacesFile, file)
    for (const { name, lat, lng, kind } of places) if (kind !== 'junction') expect(words(lat, lng)).toBe(name)
  }
})

test('so are the cities of the world', () => {
  const { words } = knownPlaces()
  expect([words(51.5074, -0.1278), words(-33.8688, 151.2093), words(40.7, -74)]).toEqual([
    'London',
    'Sydney',
    'New York City',
  ])
  expect(words(30.28, 71.57)).toBe('13 km NE of Multan')
  expect(words(32.455, 72.87)).toBe('Bhera Service Area')
})
