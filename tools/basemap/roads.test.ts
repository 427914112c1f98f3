import { describe, expect, test } from 'vitest'
import { signOf, stopLayer } from './roads.ts'
import { openBuilt, propertiesOf, tileOver } from './testing/built-archive.ts'

describe('what a sign beside a road says', () => {
  test.each([
    ['M-2 Islamabad–Lahore', { ref: 'M-2' }],
    ['N-5 Hyderabad–Rohri', { ref: 'N-5' }],
    ['E-35 Hazara Motorway', { ref: 'E-35' }],
    ['Murree Road', { name: 'Murree Road' }],
    ['M-1 – M-14 link', {}],
    ['Burhan link', {}],
    ['Lahore–Kasur', {}],
  ])('%s', (corridor, sign) => {
    expect(signOf(corridor)).toEqual(sign)
  })
})

test('stops are junctions, and the towns that the world has no name for', () => {
  const climate = { mean: 25, seasonal: 10, daily: 6, humidity: 50 }
  const stop = { id: 's', lat: 31, lng: 73, radiusKm: 2, climate }
  const place = { z: 8, rank: 4, capital: 0, population: 9000 } as const
  const { features } = stopLayer(
    [
      { ...stop, kind: 'junction', name: 'Okara Interchange' },
      { ...stop, kind: 'town', name: 'Harappa', lng: 74 },
      { ...stop, kind: 'town', name: 'Jaranwala', lng: 73.2 },
      { ...stop, kind: 'city', name: 'Okara' },
    ],
    [
      { ...place, name: 'Okāra', point: [73.01, 31] },
      { ...place, name: 'Jaranwala', point: [73, 31.1] },
    ],
  )
  expect(features.map(({ properties }) => properties)).toEqual([
    { kind: 'junction', name: 'Okara Interchange' },
    { kind: 'town', name: 'Harappa' },
  ])
})

describe('the built map of the roads', () => {
  test.each([
    ['at Okara', [73.45, 30.81], { kind: 'highway', ref: 'N-5' }],
    ['on the Salt Range', [72.715, 32.772], { kind: 'motorway', ref: 'M-2' }],
    ['in the Bolan Pass', [67.4, 29.76], { kind: 'mountain', ref: 'N-65' }],
    ['in Karachi', [67.08, 24.87], { kind: 'urban', name: 'Shahrah-e-Faisal' }],
  ] as const)('has the road %s, at each zoom down to its last', async (_, at, road) => {
    const archive = await openBuilt('roads.pmtiles')
    for (const zoom of [5, 7, 9, 10])
      expect(propertiesOf(await tileOver(archive, at, zoom), 'roads')).toContainEqual(road)
    expect(await archive.getHeader()).toMatchObject({ minZoom: 4, maxZoom: 10 })
  })

  test('tells at zoom 10 which road it is and what lies along it', async () => {
    const tile = await tileOver(await openBuilt('roads.pmtiles'), [72.873, 32.453], 10)
    expect(propertiesOf(tile, 'roads')).toContainEqual({ kind: 'motorway', ref: 'M-2' })
    expect(propertiesOf(tile, 'stops')).toContainEqual({ kind: 'junction', name: 'Bhera Service Area' })
  })
})
