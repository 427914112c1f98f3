import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Fact } from '#machines/contracts/facts.ts'
import { createReadings, pushReading, type Reading } from '#machines/contracts/readings.ts'
import { emptyDirectory, evolve, patienceOf } from '#machines/projections/directory.ts'
import { applyReadings, emptyLatest } from '#machines/projections/latest.ts'
import { measuredOf } from '#machines/projections/measured.ts'
import { partBetween } from '../store/reading-parts.ts'
import { company, device } from '../testing/facts.ts'
import { setToKnown } from './fleet-now.ts'

const MINUTE = 60_000
/** A midnight. */
const START = Date.UTC(2026, 0, 15)

/** Few say where it is, what it measures or whether it has supply: an hour may lack any of these. */
const rarely = (...values: number[]) => fc.constantFrom(undefined, undefined, undefined, ...values)
const slot = fc.record({
  minutes: fc.constantFrom(5, 20, 40),
  temperature: rarely(4, 9),
  humidity: rarely(40, 50),
  unplug: rarely(0, 1),
  lat: rarely(32, 33),
})

const directory = emptyDirectory()
for (const fact of [company('c', { patienceSeconds: 3600 }), device(0, '350000000000000', 'c', null)])
  evolve(directory, { ...fact, seq: 1, id: 'f', v: 1, recordedAt: 1 } as Fact)

test('a device of which nothing is known yet is set to the same at once as from its first reading on, and as live', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(slot, { minLength: 10, maxLength: 30 }), fc.nat(500), async (slots, until) => {
      const first: Reading = { device: 0, at: START, temperature: 5, unplug: 0, lat: 31, lng: 74 }
      const readings = createReadings(slots.length + 1)
      pushReading(readings, first)
      let at = START
      for (const { minutes, ...fields } of slots) {
        at += minutes * MINUTE
        pushReading(readings, { device: 0, at, ...fields, lng: fields.lat === undefined ? undefined : 74 })
      }
      const telemetry = {
        history: async (_: number, from: number, to: number) => partBetween(readings, from, to),
      }
      const known = {
        store: { telemetry },
        notifications: { violationSpans: async () => [] },
      } as unknown as Parameters<typeof setToKnown>[0]
      const setTo = async (latest: ReturnType<typeof emptyLatest>, minute: number) => {
        const fleet = { latest, directory, seq: 0 }
        await setToKnown(known, fleet, { reread: [0], retold: new Set() }, START + minute * MINUTE)
      }
      const fleets = [emptyLatest(1), emptyLatest(1)] as const
      for (const fleet of fleets) fleet.size = fleet.readings.length = 1
      await setTo(fleets[0], until)
      await setTo(fleets[1], 0)
      await setTo(fleets[1], until)
      expect(fleets[0]).toEqual(fleets[1])
      const live = emptyLatest(1)
      const heard = partBetween(readings, START, START + until * MINUTE + 1)
      const record = { seq: 1, recordedAt: at }
      applyReadings(live, measuredOf(live.readings, 0), heard, record, (no) => patienceOf(directory, no))
      expect({ ...fleets[0].readings, lateBy: live.readings.lateBy }).toEqual(live.readings)
    }),
    { numRuns: 300 },
  )
})
