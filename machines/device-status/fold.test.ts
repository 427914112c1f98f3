import fc from 'fast-check'
import { expect, test } from 'vitest'
import { initialTransition } from 'xstate'
import { decide } from '../testing/given.ts'
import { type DeviceStatusEvent, deviceStatusMachine } from './device-status.machine.ts'
import { createDeviceStatusColumns, foldReading, foldTimePassed, PLACE } from './fold.ts'

const PLACES = {
  '{"disconnected":"neverHeard"}': PLACE.neverHeard,
  '{"disconnected":"unplugged"}': PLACE.unplugged,
  '"online"': PLACE.online,
  '"offline"': PLACE.offline,
} as Record<string, number>

const time = fc.integer({ min: 0, max: 400 })
const event: fc.Arbitrary<DeviceStatusEvent> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .record({
        at: time,
        delay: fc.constantFrom(-30, 0, 0, 0, 15, 80),
        unplug: fc.constantFrom(true, false, null),
      })
      .map(({ at, delay, unplug }) => ({ type: 'reading' as const, at, recordedAt: at + delay, unplug })),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('time.passed' as const), now: time }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('patience.changed' as const),
      patience: fc.constantFrom(20, 60),
    }),
  },
)
const moment = (one: DeviceStatusEvent) => ('at' in one ? one.at : 'now' in one ? one.now : 0)
const history = fc
  .tuple(fc.array(event, { maxLength: 80 }), fc.boolean())
  .map(([events, inOrder]) => (inOrder ? events.sort((a, b) => moment(a) - moment(b)) : events))

test('columns are the machine, for any history', () => {
  fc.assert(
    fc.property(history, (events) => {
      let [snapshot] = initialTransition(deviceStatusMachine, { patience: 40 })
      let patience = 40
      const columns = createDeviceStatusColumns(2)
      for (const one of events) {
        const emitted: unknown[] = []
        const emit = (_: number, fact: unknown) => void emitted.push(fact)
        const decided = decide(deviceStatusMachine, snapshot, one)
        snapshot = decided.snapshot
        if (one.type === 'reading') {
          const unplug = one.unplug === null ? 0xff : Number(one.unplug)
          foldReading(columns, 1, one.at, one.recordedAt, unplug, patience, emit)
        } else if (one.type === 'time.passed') foldTimePassed(columns, 1, one.now, patience, emit)
        else patience = one.patience
        expect(emitted).toEqual(decided.facts)
        expect(columns.place[1]).toBe(PLACES[JSON.stringify(snapshot.value)])
        expect(columns.heardAt[1]).toBe(snapshot.context.heardAt)
      }
      expect(columns.place[0]).toBe(PLACE.neverHeard)
    }),
    { numRuns: 500 },
  )
})

test('each fact takes over where the one before left off', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 80 }), (events) => {
      const columns = createDeviceStatusColumns(1)
      let status = 'disconnected'
      for (const one of events) {
        const emit = (_: number, { data }: { data: { from: string; to: string } }) => {
          expect(data.from).toBe(status)
          expect(data.to).not.toBe(status)
          status = data.to
        }
        if (one.type === 'reading')
          foldReading(
            columns,
            0,
            one.at,
            one.recordedAt,
            one.unplug === null ? 0xff : Number(one.unplug),
            40,
            emit,
          )
        else if (one.type === 'time.passed') foldTimePassed(columns, 0, one.now, 40, emit)
      }
    }),
  )
})
