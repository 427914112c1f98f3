import { openSqliteStore } from '../../server/store/sqlite/open.ts'
import type { Fleet } from './load-fleet.ts'
import { factsOf, gapsIn } from './record.ts'

export type LoadAccount = { readings: number; alarms: number; lost: string[] }

/**
 * Looks into the record of a server that has ended for all that was acknowledged: each gateway's rounds, reading for
 * reading, and the alarms they gave. What devices beside the fleet told counts for nothing.
 */
export async function accountOf(
  dataDir: string,
  sent: { fleet: Fleet; begin: number; rounds: readonly number[]; alarmsFrom: number },
): Promise<LoadAccount> {
  const { fleet, begin, rounds, alarmsFrom } = sent
  const store = openSqliteStore({ dir: dataDir, clock: { now: () => Date.now() } })
  try {
    const facts = factsOf(store)
    const numbers = new Map(
      facts.flatMap((fact) => (fact.type === 'device.registered' ? [[fact.data.imei, fact.data.no]] : [])),
    )
    const imeis = new Set(Array.from({ length: fleet.devices }, (_, device) => fleet.imei(device)))
    const often = new Map<string, number>()
    for (const { type, data, at } of facts)
      if (type === 'violation.opened' && imeis.has(data.imei)) {
        const key = `${data.imei} ${at}`
        often.set(key, (often.get(key) ?? 0) + 1)
      }
    const opened = new Set(often.keys())
    let [readings, alarms, missing, twice, strange, silent] = [0, 0, 0, 0, 0, 0]
    for (const [gateway, count] of rounds.entries()) {
      const times = Array.from({ length: count }, (_, round) => begin + fleet.due(gateway, round))
      for (const device of fleet.of(gateway)) {
        const no = numbers.get(fleet.imei(device)) as number
        const { at, length } = await store.telemetry.history(no, begin, begin + fleet.due(0, count + 1))
        const stored = at.subarray(0, length)
        const known = new Set(stored)
        readings += known.size
        twice += length - known.size
        missing += times.filter((time) => !known.delete(time)).length
        strange += known.size
        for (const [round, time] of times.entries()) {
          if (time < alarmsFrom || !fleet.isAlarm(device, round)) continue
          alarms++
          if (!opened.delete(`${fleet.imei(device)} ${time}`)) silent++
        }
      }
    }
    const lost = gapsIn(store)
    if (missing > 0) lost.push(`${missing} acknowledged readings`)
    if (twice > 0) lost.push(`${twice} readings are there twice`)
    if (strange > 0) lost.push(`${strange} readings nobody sent`)
    if (silent > 0) lost.push(`${silent} alarms were not published`)
    const again = [...often.values()].filter((times) => times > 1).length
    if (again > 0) lost.push(`${again} alarms were published more than once`)
    if (opened.size > 0) lost.push(`${opened.size} alarms nobody gave cause for`)
    return { readings, alarms, lost }
  } finally {
    await store.close()
  }
}
