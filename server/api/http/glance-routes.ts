import type { Glance } from '#machines/contracts/entities/incidents.ts'
import { type ReadingField, toUnits } from '#machines/contracts/readings.ts'
import type { Latest } from '#machines/projections/latest.ts'
import { NOWHERE } from '#machines/rules/nearest-place.ts'
import { knownPlaces } from '../../data/places.ts'
import type { Cut } from '../../read-models/cut.ts'
import { createCutOf, historyAt } from './as-of.ts'
import type { HttpContext } from './context.ts'
import { createKeptHistory } from './kept-history.ts'
import { thinHistory } from './thin-history.ts'
import { thresholdsOf } from './thresholds-of.ts'

/** What a small line shows, ms, and about how many points of it. */
const SHOWN_MS = 3 * 60 * 60_000
const POINTS = 48

const MINUTE = 60_000

type Deps = Pick<HttpContext, 'answerCall' | 'clock' | 'visible' | 'store' | 'readModels' | 'past'>

/** What rows in sight show of their devices beyond the newest reading. */
export function glanceRoutes(deps: Deps): void {
  const { answerCall, clock, visible, readModels, past } = deps
  const { directory } = readModels
  const history = createKeptHistory(deps)
  const cutOf = createCutOf(deps)

  answerCall('glances', async ({ query, body, visitor }) => {
    const devices = body.things.map((imei) => visible.device(visitor, imei))
    const cut = await cutOf(query, visitor)
    const now = cut?.at ?? clock.now()
    const inForce = cut?.directory ?? directory
    const places = await placesOf(
      { readModels, past: past.lookedAtBy(visitor) },
      devices.map(({ no }) => no),
      cut,
    )
    const read = historyAt(history, cut)
    const glances: Glance[] = []
    // one after the other: many at once would keep readings of others waiting
    for (const [i, device] of devices.entries()) {
      const columns = await read(device, now - SHOWN_MS, now + 1)
      const asCalled = inForce.devices[device.no] ?? device
      const kept = thinHistory(columns, POINTS, thresholdsOf(inForce, asCalled))
      const column = (field: ReadingField) =>
        Array.from(kept, (row) => toUnits(field, columns[field][row] as number) ?? null)
      glances.push({
        imei: asCalled.imei,
        place: places[i] as string,
        at: Array.from(kept, (row) => columns.at[row] as number),
        temperature: column('temperature'),
        humidity: column('humidity'),
      })
    }
    return glances
  })
}

/** Where devices are in words, or were as of a time. */
async function placesOf(
  { readModels, past }: Pick<Deps, 'readModels' | 'past'>,
  devices: readonly number[],
  cut: Cut | undefined,
): Promise<string[]> {
  const wordsIn = ({ readings }: Latest): string[] =>
    devices.map((no) => {
      const here = (field: 'lat' | 'lng') => toUnits(field, readings[field][no] as number) ?? Number.NaN
      return knownPlaces().words(here('lat'), here('lng'))
    })
  if (cut === undefined) return wordsIn(readModels.latest)
  const meant = new Set(devices)
  const places = await past.at(
    Math.floor(cut.at / MINUTE),
    cut.view,
    ({ latest }) => wordsIn(latest),
    (no) => meant.has(no),
  )
  return places ?? devices.map(() => NOWHERE)
}
