import type { Glance } from '#machines/contracts/entities/incidents.ts'
import { type ReadingField, toUnits } from '#machines/contracts/readings.ts'
import { knownPlaces } from '../../data/places.ts'
import type { HttpContext } from './context.ts'
import { thinHistory } from './thin-history.ts'
import { thresholdsOf } from './thresholds-of.ts'

/** What a small line shows, ms, and about how many points of it. */
const SHOWN_MS = 3 * 60 * 60_000
const POINTS = 48

type Deps = Pick<HttpContext, 'answerCall' | 'clock' | 'visible' | 'store' | 'readModels'>

/** What rows in sight show of their devices beyond the newest reading. */
export function glanceRoutes({ answerCall, clock, visible, store, readModels }: Deps): void {
  const { latest, directory } = readModels

  answerCall('glances', async ({ body, visitor }) => {
    const devices = body.things.map((imei) => visible.device(visitor, imei))
    const now = clock.now()
    const glances: Glance[] = []
    // one after the other: many at once would keep readings of others waiting
    for (const device of devices) {
      const columns = await store.telemetry.history(device.no, now - SHOWN_MS, now + 1)
      const kept = thinHistory(columns, POINTS, thresholdsOf(directory, device))
      const column = (field: ReadingField) =>
        Array.from(kept, (i) => toUnits(field, columns[field][i] as number) ?? null)
      const here = (field: 'lat' | 'lng') =>
        toUnits(field, latest.readings[field][device.no] as number) ?? Number.NaN
      glances.push({
        imei: device.imei,
        place: knownPlaces().words(here('lat'), here('lng')),
        at: Array.from(kept, (i) => columns.at[i] as number),
        temperature: column('temperature'),
        humidity: column('humidity'),
      })
    }
    return glances
  })
}
