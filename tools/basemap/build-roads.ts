/**
 * Builds `public/map/roads.pmtiles`, the roads on the map and the stops along them, from all of `fixtures/corridors` and
 * `fixtures/places`. Run it with `npx node tools/basemap/build-roads.ts` when these change; it needs nothing else and takes
 * seconds. The built file is committed.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import GeoJSONVT from 'geojson-vt'
import type { Struct } from 'superstruct'
import vtPbf from 'vt-pbf'
import { decodeJson } from '#machines/contracts/decode.ts'
import { CorridorsFile, PlacesFile } from '#machines/contracts/scenario.ts'
import { rankPlaces } from './places.ts'
import { packArchive } from './pmtiles-archive.ts'
import { boundsOf, roadLayer, stopLayer } from './roads.ts'

const FIXTURES = new URL('../../fixtures/', import.meta.url)
const OUT = new URL('../../public/map/roads.pmtiles', import.meta.url)
/** Roads are drawn from here on. */
const SHALLOWEST = 4
/** The last zoom with tiles of its own: 1/4096 of one is 8 m there. Nearer, the map enlarges them. */
const DEEPEST = 10

const corridors = (await readAll('corridors', CorridorsFile)).flatMap((file) => file.corridors)
const places = (await readAll('places', PlacesFile)).flatMap((file) => file.places)
const layers = Object.entries({
  roads: roadLayer(corridors),
  stops: stopLayer(places, rankPlaces()),
}).map(([name, data]) => {
  const options = { maxZoom: DEEPEST, indexMaxZoom: DEEPEST, indexMaxPoints: 0, tolerance: 2 }
  return [name, new GeoJSONVT(data, options)] as const
})

const coordinates = new Map(
  layers.flatMap(([, index]) => index.tileCoords).map((at) => [`${at.z}/${at.x}/${at.y}`, at]),
)
const tiles = [...coordinates.values()]
  .filter(({ z }) => z >= SHALLOWEST)
  .map(({ z, x, y }) => {
    const cut = layers.flatMap(([name, index]) => {
      const tile = index.getTile(z, x, y)
      return tile?.features.length ? [[name, tile] as const] : []
    })
    return { z, x, y, data: vtPbf.fromGeojsonVt(Object.fromEntries(cut), { version: 2 }) }
  })

const bounds = boundsOf(corridors)
const archive = packArchive(tiles, {
  minZoom: SHALLOWEST,
  maxZoom: DEEPEST,
  bounds,
  center: [(bounds[0] + bounds[2]) / 2, (bounds[1] + bounds[3]) / 2, 5],
  metadata: {
    name: 'Frostline roads',
    type: 'overlay',
    vector_layers: [
      { id: 'roads', fields: { kind: 'String', ref: 'String', name: 'String' } },
      { id: 'stops', fields: { kind: 'String', name: 'String' } },
    ],
  },
})
await writeFile(OUT, archive)
console.log(`${corridors.length} roads, ${tiles.length} tiles, ${Math.round(archive.length / 1024)} kB`)

async function readAll<T, S>(folder: string, contract: Struct<T, S>): Promise<T[]> {
  const names = (await readdir(new URL(`${folder}/`, FIXTURES))).sort()
  return Promise.all(
    names.map(async (name) =>
      decodeJson(await readFile(new URL(`${folder}/${name}`, FIXTURES), 'utf8'), contract, name),
    ),
  )
}
