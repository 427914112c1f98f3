/**
 * Writes `server/data/gazetteer.json`, the places that positions are told by ("12 km NE of Multan"): those of
 * `fixtures/places`, and the towns of the world that the map knows (GeoNames, CC BY 4.0). Run it with
 * `npx node tools/basemap/gazetteer.ts` when either changes; the file is committed.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { decodeJson } from '#machines/contracts/decode.ts'
import type { GazetteerPlace } from '#machines/contracts/gazetteer.ts'
import { PlacesFile } from '#machines/contracts/scenario.ts'
import { distanceKm } from '#machines/rules/distance.ts'
import { rankPlaces } from './places.ts'

const FIXTURES = new URL('../../fixtures/', import.meta.url)
/** Villages are left out: of "3 km S of Moza Shahwala" nobody knows where that is. */
const FEWEST_PEOPLE = 15_000
/** How densely a town is lived in, people a km²: what its reach is guessed from. */
const DENSITY = 8000
const LEAST_KM = 0.8
/** One of our own and a town of the same name nearer than this are the same. */
const SAME_KM = 30
/** Nearer to the edge of one of our own, a town is a part of it or another spelling. */
const PART_KM = 2

const own: GazetteerPlace[] = []
const ownTowns: GazetteerPlace[] = []
for (const file of (await readdir(new URL('places/', FIXTURES))).sort()) {
  const text = await readFile(new URL(`places/${file}`, FIXTURES), 'utf8')
  for (const { name, kind, lat, lng, radiusKm } of decodeJson(text, PlacesFile, file).places) {
    own.push([name, lat, lng, radiusKm])
    if (kind !== 'junction') ownTowns.push([name, lat, lng, radiusKm])
  }
}

const isOwn = (name: string, lat: number, lng: number): boolean =>
  ownTowns.some(
    ([ownName, ownLat, ownLng, radiusKm]) =>
      distanceKm(ownLat, ownLng, lat, lng) < (ownName === name ? SAME_KM : radiusKm + PART_KM),
  )

const towns = rankPlaces()
  .filter(({ name, population, point: [lng, lat] }) => population >= FEWEST_PEOPLE && !isOwn(name, lat, lng))
  .map(({ name, population, point: [lng, lat] }): GazetteerPlace => {
    const reach = Math.max(LEAST_KM, Math.sqrt(population / (Math.PI * DENSITY)))
    return [name, round(lat, 3), round(lng, 3), round(reach, 1)]
  })

const lines = [...own, ...towns].map((place) => JSON.stringify(place))
const file = new URL('../../server/data/gazetteer.json', import.meta.url)
await writeFile(file, `{"places":[\n${lines.join(',\n')}\n]}\n`)
console.log(`${own.length} places of ours, ${towns.length} towns`)

function round(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits
}
