import { openAsBlob } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { Compression, FileSource, PMTiles, TileType } from 'pmtiles'
import { beforeAll, describe, expect, test } from 'vitest'

let archive: PMTiles

beforeAll(async () => {
  const blob = await openAsBlob(fileURLToPath(new URL('../../public/map/world.pmtiles', import.meta.url)))
  archive = new PMTiles(new FileSource(new File([blob], 'world.pmtiles')))
})

async function tileOver(lon: number, lat: number, zoom: number): Promise<VectorTile> {
  const x = Math.floor(((lon + 180) / 360) * 2 ** zoom)
  const y = Math.floor(((1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2) * 2 ** zoom)
  const tile = await archive.getZxy(zoom, x, y)
  if (!tile) throw new Error(`no tile ${zoom}/${x}/${y}`)
  return new VectorTile(new PbfReader(new Uint8Array(tile.data)))
}

function valuesOf(tile: VectorTile, layer: string, kind: string, property: string): unknown[] {
  const features = tile.layers[layer]
  if (!features) return []
  return Array.from({ length: features.length }, (_, i) => features.feature(i).properties)
    .filter((properties) => properties.kind === kind)
    .map((properties) => properties[property])
}

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

  test('has no tile where there is only sea', async () => {
    expect(await archive.getZxy(7, 20, 80)).toBeUndefined()
  })
})
