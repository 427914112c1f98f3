import { openAsBlob } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { FileSource, PMTiles } from 'pmtiles'

/** The bundled maps, to look at what is in them. */
export const BUILT = ['world.pmtiles', 'roads.pmtiles'] as const

/** Where a built archive lies. */
export const pathOf = (name: (typeof BUILT)[number]): string =>
  fileURLToPath(new URL(`../../../public/map/${name}`, import.meta.url))

export async function openBuilt(name: (typeof BUILT)[number]): Promise<PMTiles> {
  return new PMTiles(new FileSource(new File([await openAsBlob(pathOf(name))], name)))
}

/** The tile of a zoom that a place lies in. @throws where there is none */
export async function tileOver(
  archive: PMTiles,
  [lon, lat]: readonly [lon: number, lat: number],
  zoom: number,
): Promise<VectorTile> {
  const x = Math.floor(((lon + 180) / 360) * 2 ** zoom)
  const y = Math.floor(((1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2) * 2 ** zoom)
  const tile = await archive.getZxy(zoom, x, y)
  if (!tile) throw new Error(`no tile ${zoom}/${x}/${y}`)
  return new VectorTile(new PbfReader(new Uint8Array(tile.data)))
}

/** Properties of all features of a tile's layer. */
export function propertiesOf(tile: VectorTile, layer: string): Record<string, unknown>[] {
  const features = tile.layers[layer]
  return Array.from({ length: features?.length ?? 0 }, (_, i) => features!.feature(i).properties)
}
