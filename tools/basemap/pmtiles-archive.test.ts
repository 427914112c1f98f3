import { FileSource, PMTiles } from 'pmtiles'
import { expect, test } from 'vitest'
import { packArchive, type Tile } from './pmtiles-archive.ts'

const info = {
  minZoom: 0,
  maxZoom: 8,
  bounds: [-180, -85, 180, 85] as [number, number, number, number],
  center: [0, 0, 1] as [number, number, number],
  metadata: { name: 'test' },
}

function open(tiles: Tile[]): PMTiles {
  return new PMTiles(new FileSource(new File([packArchive(tiles, info).slice()], 'test.pmtiles')))
}

/** Of many lengths, so that the directory does not compress to nothing. */
function sampleOf(x: number, y: number): Uint8Array {
  const length = 2 + ((x * x * 31 + y * y * 17 + x * y) % 97)
  return Uint8Array.from({ length }, (_, i) => (i === 0 ? x : i === 1 ? y : x * i * i + y * i))
}

test('gives every tile back, also when the directory needs leaves', async () => {
  const tiles: Tile[] = []
  for (let x = 0; x < 256; x++) {
    for (let y = 0; y < 256; y += 2) tiles.push({ z: 8, x, y, data: sampleOf(x, y) })
  }
  const archive = open(tiles)
  expect((await archive.getHeader()).leafDirectoryLength).toBeGreaterThan(0)
  for (const { z, x, y, data } of tiles.filter((_, i) => i % 997 === 0)) {
    expect(new Uint8Array((await archive.getZxy(z, x, y))!.data)).toEqual(data)
  }
  expect(await archive.getZxy(8, 3, 1)).toBeUndefined()
})

test('stores equal tiles once', async () => {
  const data = Uint8Array.of(7, 7, 7)
  const archive = open([0, 1].flatMap((x) => [0, 1].map((y) => ({ z: 1, x, y, data }))))
  const header = await archive.getHeader()
  expect([header.numAddressedTiles, header.numTileEntries, header.numTileContents]).toEqual([4, 1, 1])
  expect(new Uint8Array((await archive.getZxy(1, 1, 1))!.data)).toEqual(data)
})
