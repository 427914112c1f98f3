import type { Feature, FeatureCollection, Geometry, Position } from 'geojson'
import type { BorderLine, CountryName } from './countries.ts'
import type { Line, Shore } from './gshhg.ts'
import type { Place } from './places.ts'
import type { ProvinceName } from './provinces.ts'
import { SEAS } from './seas.ts'

type Properties = Record<string, string | number>

function collection(features: Feature<Geometry, Properties>[]): FeatureCollection<Geometry, Properties> {
  return { type: 'FeatureCollection', features }
}

function feature(geometry: Geometry, properties: Properties): Feature<Geometry, Properties> {
  return { type: 'Feature', geometry, properties }
}

/**
 * Rings of one level become one layer: painted in turn, a lake covers land and an island covers its lake.
 * Rings whose box is less than `smallest` square degrees are left out.
 */
export function shoreLayer(shores: readonly Shore[], level: number, smallest: number): FeatureCollection {
  const wanted = shores.filter((shore) => shore.level === level && boxArea(shore.ring) >= smallest)
  return collection(wanted.map(({ ring }) => feature({ type: 'Polygon', coordinates: [ring] }, {})))
}

function boxArea(ring: Position[]): number {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [lon, lat] of ring as [number, number][]) {
    west = Math.min(west, lon)
    east = Math.max(east, lon)
    south = Math.min(south, lat)
    north = Math.max(north, lat)
  }
  // A map stretches high latitudes both ways alike, so a degree of latitude there is drawn larger by 1/cos.
  return ((east - west) * (north - south)) / Math.max(0.1, Math.cos((south * Math.PI) / 180))
}

/** First zoom a WDB II river level is drawn at; irrigation canals (9, 10) and seasonal rivers come last. */
const RIVER_ZOOM: Record<number, number> = {
  0: 3,
  1: 3,
  2: 4,
  3: 6,
  4: 7,
  5: 6,
  6: 7,
  7: 7,
  8: 6,
  9: 7,
  10: 7,
}
const BROOKS = new Set([4, 7, 10])

/** Rivers visible at a zoom, close by with the small ones and in curves; `rank` 1 (great) to 3 (small), `kind` river, seasonal or canal. */
export function riverLayer(rivers: readonly Line[], zoom: number, close: boolean): FeatureCollection {
  const groups = new Map<string, { properties: Properties; lines: Position[][] }>()
  for (const { level, line } of rivers) {
    if (zoom < (RIVER_ZOOM[level] ?? 9) || (BROOKS.has(level) && !close)) continue
    const kind = level >= 8 ? 'canal' : level >= 5 ? 'seasonal' : 'river'
    const rank = level <= 1 ? 1 : level === 2 ? 2 : 3
    const group = groups.get(`${kind}${rank}`) ?? { properties: { kind, rank }, lines: [] }
    group.lines.push(close ? rounded(rounded(line)) : line)
    groups.set(`${kind}${rank}`, group)
  }
  return collection(
    [...groups.values()].map(({ properties, lines }) =>
      feature({ type: 'MultiLineString', coordinates: lines }, properties),
    ),
  )
}

/** Cuts every corner at a quarter of its sides: seen close by, a river of WDB II would zigzag. */
function rounded(line: Position[]): Position[] {
  const curve: Position[] = [line[0]!]
  for (let i = 1; i < line.length; i++) {
    const [x0, y0] = line[i - 1] as [number, number]
    const [x1, y1] = line[i] as [number, number]
    curve.push([x0 * 0.75 + x1 * 0.25, y0 * 0.75 + y1 * 0.25], [x0 * 0.25 + x1 * 0.75, y0 * 0.25 + y1 * 0.75])
  }
  return [...curve, line.at(-1)!]
}

/** Borders: `kind` country, disputed or province. */
export function borderLayer(
  countries: readonly BorderLine[],
  provinces: readonly Position[][],
): FeatureCollection {
  const line = (kind: string, coordinates: Position[][]) =>
    feature({ type: 'MultiLineString', coordinates }, { kind })
  return collection([
    line(
      'country',
      countries.filter((border) => !border.disputed).flatMap((border) => border.lines),
    ),
    line(
      'disputed',
      countries.filter((border) => border.disputed).flatMap((border) => border.lines),
    ),
    line('province', [...provinces]),
  ])
}

/** Names: `kind` country, province, sea or place; `z` the first zoom; `rank` orders and sizes them. */
export function nameLayer(
  names: { countries: readonly CountryName[]; provinces: readonly ProvinceName[]; places: readonly Place[] },
  zoom: number,
  deepest: number,
): FeatureCollection {
  // The deepest tiles also carry the names of the zooms beyond them; the style's filter holds those back.
  const last = zoom === deepest ? Infinity : zoom
  const point = (coordinates: Position, properties: Properties) =>
    feature({ type: 'Point', coordinates }, properties)
  return collection(
    [
      ...names.countries.map(({ point: at, name, z, rank }) => point(at, { kind: 'country', name, z, rank })),
      ...SEAS.map(([name, lon, lat, z]) => point([lon, lat], { kind: 'sea', name, z, rank: z })),
      ...names.provinces.map(({ point: at, name, z, rank }) =>
        point(at, { kind: 'province', name, z, rank }),
      ),
      ...names.places.map(({ point: at, name, z, rank, capital }, index) =>
        point(at, { kind: 'place', name, z, rank, order: orderOf(index), ...(capital ? { capital } : {}) }),
      ),
    ].filter((named) => Number(named.properties.z) <= last),
  )
}

/** Which of two names yields, in steps of a tenth: a number of its own for each of 127,000 places would take half a megabyte. */
function orderOf(index: number): number {
  return Math.round(8 * Math.log2(index + 1))
}
