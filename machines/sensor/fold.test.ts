import fc from 'fast-check'
import { expect, test } from 'vitest'
import { initialTransition } from 'xstate'
import { decide } from '../testing/given.ts'
import { createSensorColumns, foldReading, PLACE } from './fold.ts'
import { sensorMachine } from './sensor.machine.ts'

test('columns are the machine, for any history', () => {
  const event = fc.record({
    type: fc.constant('reading' as const),
    at: fc.integer({ min: 0, max: 120 }),
    measured: fc.boolean(),
    gap: fc.constantFrom(10, 1000),
  })
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), fc.boolean(), (events, inOrder) => {
      let [snapshot] = initialTransition(sensorMachine)
      const columns = createSensorColumns(1)
      for (const one of inOrder ? events.sort((a, b) => a.at - b.at) : events) {
        const emitted: unknown[] = []
        const decided = decide(sensorMachine, snapshot, one)
        snapshot = decided.snapshot
        foldReading(columns, 0, one.at, one.measured, one.gap, (_, fact) => void emitted.push(fact))
        expect(emitted).toEqual(decided.facts)
        const place = columns.place[0] as number
        expect(place >= PLACE.plugged ? 'plugged' : place === PLACE.unknown ? 'unknown' : 'unplugged').toBe(
          snapshot.value,
        )
      }
    }),
    { numRuns: 500 },
  )
})
