import { foldPublished, type PublishedOfDevices } from '#machines/projections/episodes.ts'
import { openSqliteStore } from '../../server/store/sqlite/open.ts'
import type { Fleet } from './load-fleet.ts'
import { factsOf } from './record.ts'
import { excursionOf, isWarmed, KEPT, timesOf } from './region-fleet.ts'

export type RegionAccount = { readings: number; excursions: number; workedOffAt: number; lost: string[] }

/**
 * Looks into the record of a server that has ended: each reading a region had kept, and of each of its devices the excursion it
 * had, or none. `workedOffAt`: when the last was told of what came late, epoch ms.
 */
export async function regionIn(
  dataDir: string,
  { fleet, first, cameBack }: { fleet: Fleet; first: number; cameBack(device: number): number },
): Promise<RegionAccount> {
  const store = openSqliteStore({ dir: dataDir, clock: { now: () => Date.now() } })
  try {
    const published: PublishedOfDevices = new Map()
    const numbers = new Map<string, number>()
    let workedOffAt = 0
    for (const fact of factsOf(store)) {
      foldPublished(published, fact)
      if (fact.type === 'device.registered') numbers.set(fact.data.imei, fact.data.no)
      if (fact.type === 'violation.found-late' || fact.type === 'violation.revised')
        workedOffAt = Math.max(workedOffAt, fact.recordedAt)
    }
    let [readings, excursions, missing, wrong] = [0, 0, 0, 0]
    for (let device = first; device < fleet.devices; device++) {
      const back = cameBack(device)
      const times = [...timesOf(back), back]
      const no = numbers.get(fleet.imei(device)) as number
      const { at, length } = await store.telemetry.history(no, times[0] as number, back + 1)
      const stored = new Set(at.subarray(0, length))
      readings += stored.size
      missing += times.filter((time) => !stored.has(time)).length + Math.max(0, length - KEPT - 1)
      const known = [...(published.get(fleet.imei(device))?.episodes.values() ?? [])]
        .map(({ since, clearedAt }) => `${since} ${clearedAt}`)
        .join()
      const expected = isWarmed(device) ? [excursionOf(back)] : []
      excursions += expected.length
      if (known !== expected.map(({ since, clearedAt }) => `${since} ${clearedAt}`).join()) wrong++
    }
    const lost: string[] = []
    if (missing > 0) lost.push(`${missing} readings of the region are missing or there twice`)
    if (wrong > 0) lost.push(`of ${wrong} devices of the region what is published is not what happened`)
    return { readings, excursions, workedOffAt, lost }
  } finally {
    await store.close()
  }
}
