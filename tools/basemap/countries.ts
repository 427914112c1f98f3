import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Feature, MultiPolygon, Polygon, Position } from 'geojson'
import { feature, mesh, type TopoGeometry, type Topology } from 'topojson-client'
import { placeName } from './label-point.ts'

const require = createRequire(import.meta.url)

/** Natural Earth shortens names for small maps; written out where the short form is no name. */
const FULL_NAMES: Record<string, string> = {
  'S. Sudan': 'South Sudan',
  'W. Sahara': 'Western Sahara',
  'Dem. Rep. Congo': 'DR Congo',
  'Central African Rep.': 'Central African Republic',
  'Dominican Rep.': 'Dominican Republic',
  'Bosnia and Herz.': 'Bosnia and Herzegovina',
  'Eq. Guinea': 'Equatorial Guinea',
  'United States of America': 'United States',
  Macedonia: 'North Macedonia',
  eSwatini: 'Eswatini',
  'Solomon Is.': 'Solomon Islands',
  'Falkland Is.': 'Falkland Islands',
  'Faeroe Is.': 'Faroe Islands',
  'Marshall Is.': 'Marshall Islands',
  'Cayman Is.': 'Cayman Islands',
  'Antigua and Barb.': 'Antigua and Barbuda',
  'St. Kitts and Nevis': 'Saint Kitts and Nevis',
  'Fr. Polynesia': 'French Polynesia',
  'St. Vin. and Gren.': 'Saint Vincent and the Grenadines',
  'N. Mariana Is.': 'Northern Mariana Islands',
  Turkey: 'Türkiye',
}

/** Areas of Natural Earth that are no country of their own; their outlines are lines of control or base fences. */
const UNNAMED = new Set([
  'Dhekelia',
  'USNB Guantanamo Bay',
  'Cyprus U.N. Buffer Zone',
  'Siachen Glacier',
  'Baikonur',
  'Akrotiri',
  'Scarborough Reef',
  'Bajo Nuevo Bank',
  'Serranilla Bank',
  'Spratly Is.',
  'Clipperton I.',
  'Coral Sea Is.',
  'Indian Ocean Ter.',
  'Ashmore and Cartier Is.',
  'Br. Indian Ocean Ter.',
  'U.S. Minor Outlying Is.',
  'Heard I. and McDonald Is.',
  'Fr. S. Antarctic Lands',
  'N. Cyprus',
  'Somaliland',
])

type Box = [west: number, south: number, east: number, north: number]
type Dispute = [one: string, other: string, within?: Box]

/** Borders that are disputed or a line of control, drawn dashed: names of both sides, and how far (degrees: W, S, E, N). */
const DISPUTED: Dispute[] = [
  ['India', 'Pakistan', [73.3, 32.4, 80, 38]],
  ['China', 'India'],
  ['China', 'Pakistan'],
  ['Siachen Glacier', 'India'],
  ['Siachen Glacier', 'Pakistan'],
  ['Siachen Glacier', 'China'],
  ['Israel', 'Palestine'],
  ['Israel', 'Syria'],
  ['Serbia', 'Kosovo'],
  ['Morocco', 'W. Sahara'],
  ['Somalia', 'Somaliland'],
  ['Cyprus', 'N. Cyprus'],
  ['Cyprus', 'Cyprus U.N. Buffer Zone'],
  ['N. Cyprus', 'Cyprus U.N. Buffer Zone'],
  ['Russia', 'Ukraine', [32, 45, 36, 46.6]],
  ['North Korea', 'South Korea'],
  ['Sudan', 'S. Sudan', [27, 9, 31, 11]],
]

export type BorderLine = { disputed: boolean; lines: Position[][] }
/** `z` is the first zoom its name is shown at. */
export type CountryName = { name: string; z: number; rank: number; point: Position }

/** Land borders of countries and the points to write their names at, from Natural Earth 1:10m (package `world-atlas`). */
export async function readCountries(): Promise<{ borders: BorderLine[]; names: CountryName[] }> {
  const topology = JSON.parse(
    await readFile(require.resolve('world-atlas/countries-10m.json'), 'utf8'),
  ) as Topology
  const countries = topology.objects.countries!
  const between = (wanted: (a: TopoGeometry, b: TopoGeometry) => boolean) =>
    mesh(topology, countries, (a, b) => a !== b && !isFence(a, b) && wanted(a, b)).coordinates
  const borders: BorderLine[] = [
    { disputed: false, lines: between((a, b) => !disputeOf(a, b)) },
    {
      disputed: true,
      lines: between((a, b) => disputeOf(a, b)?.[2] === undefined && disputeOf(a, b) !== undefined),
    },
  ]
  for (const dispute of DISPUTED) {
    const box = dispute[2]
    if (!box) continue
    for (const line of between((a, b) => disputeOf(a, b) === dispute)) borders.push(...splitByBox(line, box))
  }
  const features = feature(topology, countries).features as Feature<
    Polygon | MultiPolygon,
    { name?: string }
  >[]
  return { borders, names: features.flatMap(nameOf) }
}

function splitByBox(line: Position[], [west, south, east, north]: Box): BorderLine[] {
  const runs: BorderLine[] = []
  for (let i = 1; i < line.length; i++) {
    const [lon, lat] = line[i] as [number, number]
    const disputed = lon > west && lon < east && lat > south && lat < north
    const run = runs.at(-1)
    if (run?.disputed === disputed) run.lines[0]!.push(line[i]!)
    else runs.push({ disputed, lines: [[line[i - 1]!, line[i]!]] })
  }
  return runs
}

function isFence(a: TopoGeometry, b: TopoGeometry): boolean {
  return [a, b].some((side) =>
    ['Dhekelia', 'Akrotiri', 'Baikonur', 'USNB Guantanamo Bay'].includes(side.properties?.name ?? ''),
  )
}

function disputeOf(a: TopoGeometry, b: TopoGeometry): Dispute | undefined {
  const names = [a.properties?.name, b.properties?.name]
  return DISPUTED.find(([one, other]) => names.includes(one) && names.includes(other))
}

function nameOf(country: Feature<Polygon | MultiPolygon, { name?: string }>): CountryName[] {
  const short = country.properties.name ?? ''
  if (short === '' || UNNAMED.has(short)) return []
  const { point, whole } = placeName(country.geometry)
  const z = whole > 150 ? 1 : whole > 40 ? 2 : whole > 10 ? 3 : whole > 2 ? 4 : whole > 0.2 ? 5 : 6
  return [{ name: FULL_NAMES[short] ?? short, z, rank: z, point }]
}
