import { stat } from 'node:fs/promises'
import type { VectorTile } from '@mapbox/vector-tile'
import { Compression, type PMTiles, TileType } from 'pmtiles'
import { beforeAll, describe, expect, test } from 'vitest'
import { BUILT, openBuilt, pathOf, propertiesOf, tileOver as tileOf } from './testing/built-archive.ts'

let archive: PMTiles

beforeAll(async () => {
  archive = await openBuilt('world.pmtiles')
})

const tileOver = (lon: number, lat: number, zoom: number) => tileOf(archive, [lon, lat], zoom)

const valuesOf = (tile: VectorTile, layer: string, kind: string, property: string): unknown[] =>
  propertiesOf(tile, layer)
    .filter((properties) => properties.kind === kind)
    .map((properties) => properties[property])

describe('the built map of the world', () => {
  test('is a clustered archive of gzipped vector tiles, zoom 0 to 7', async () => {
    const header = await archive.getHeader()
    expect(header).toMatchObject({
      specVersion: 3,
      clustered: true,
      tileType: TileType.Mvt,
      tileCompression: Compression.Gzip,
      minZoom: 0,
      maxZoom: 7,
      centerLon: 71.5249,
      centerLat: 30.1575,
    })
    expect(header.numTileContents).toBeLessThan(header.numAddressedTiles)
  })

  test('names its sources and its layers', async () => {
    const metadata = (await archive.getMetadata()) as { attribution: string; vector_layers: { id: string }[] }
    for (const source of ['GSHHG', 'Natural Earth', 'GeoNames'])
      expect(metadata.attribution).toContain(source)
    expect(metadata.vector_layers.map(({ id }) => id)).toEqual([
      'land',
      'lakes',
      'islands',
      'rivers',
      'borders',
      'names',
    ])
  })

  test('shows land, borders, rivers and places over Pakistan at zoom 5', async () => {
    const tile = await tileOver(71.5249, 30.1575, 5)
    expect(tile.layers.land!.length).toBeGreaterThan(0)
    expect(valuesOf(tile, 'borders', 'country', 'kind')).toHaveLength(1)
    expect(valuesOf(tile, 'borders', 'province', 'kind')).toHaveLength(1)
    expect(valuesOf(tile, 'rivers', 'river', 'rank')).toContain(1)
    expect(valuesOf(tile, 'names', 'place', 'name')).toEqual(
      expect.arrayContaining(['Lahore', 'Multan', 'Faisalabad']),
    )
    expect(valuesOf(tile, 'names', 'country', 'name')).toContain('Pakistan')
  })

  test('draws the line of control dashed, apart from agreed borders', async () => {
    const tile = await tileOver(74.5, 34.3, 5)
    expect(valuesOf(tile, 'borders', 'disputed', 'kind')).toHaveLength(1)
  })

  test('keeps names for the zooms beyond the last in its deepest tiles', async () => {
    const deepest = valuesOf(await tileOver(71.5249, 30.1575, 7), 'names', 'place', 'z') as number[]
    expect(Math.max(...deepest)).toBeGreaterThan(7)
    const above = valuesOf(await tileOver(71.5249, 30.1575, 6), 'names', 'place', 'z') as number[]
    expect(Math.max(...above)).toBeLessThanOrEqual(6)
  })

  test('names villages everywhere, as near as there is land to see', async () => {
    for (const [lon, lat, village] of [
      [73.6, 30.97, 'Chunian'],
      [9.0, 48.5, 'Schattwald'],
      [151, -33.5, 'Menangle'],
    ] as const)
      expect(valuesOf(await tileOver(lon, lat, 7), 'names', 'place', 'name')).toContain(village)
  })

  test('has no tile where there is only sea', async () => {
    expect(await archive.getZxy(7, 20, 80)).toBeUndefined()
  })
})

test('the bundled maps are together no larger than a repository should carry', async () => {
  const sizes = await Promise.all(BUILT.map(async (name) => (await stat(pathOf(name))).size))
  expect(sizes.reduce((all, size) => all + size)).toBeLessThanOrEqual(12_000_000)
})
