import { readFileSync } from 'node:fs'
import { decodeJson } from '#machines/contracts/decode.ts'
import { GazetteerFile } from '#machines/contracts/gazetteer.ts'
import { createPlaceFinder, type PlaceFinder } from '#machines/rules/nearest-place.ts'

let finder: PlaceFinder | undefined

/**
 * The places of the world, without a network ([0033](../docs/decisions/0033-places-are-the-nearest-known-town.md)).
 * Read when first asked for: some 50 ms, a thread.
 */
export function knownPlaces(): PlaceFinder {
  if (finder !== undefined) return finder
  const text = readFileSync(new URL('./gazetteer.json', import.meta.url), 'utf8')
  const { places } = decodeJson(text, GazetteerFile, 'gazetteer.json')
  finder = createPlaceFinder({
    names: places.map(([name]) => name),
    lat: Float64Array.from(places, ([, lat]) => lat),
    lng: Float64Array.from(places, ([, , lng]) => lng),
    radiusKm: Float64Array.from(places, ([, , , radiusKm]) => radiusKm),
  })
  return finder
}
