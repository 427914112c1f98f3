import fc from 'fast-check'
import { expect, test } from 'vitest'
import { initialTransition } from 'xstate'
import type { Limits, Quantity } from '../rules/limits.ts'
import { decide } from '../testing/given.ts'
import { createViolationColumns, foldLimitsChanged, foldReading, foldUnplugged, PLACE } from './fold.ts'
import { type ViolationEvent, violationMachine } from './violation.machine.ts'

const PLACES = {
  '"inside"': PLACE.inside,
  '{"above":"briefly"}': PLACE.aboveBriefly,
  '{"above":"violated"}': PLACE.aboveViolated,
  '{"below":"briefly"}': PLACE.belowBriefly,
  '{"below":"violated"}': PLACE.belowViolated,
} as Record<string, number>

/** Values and times crowd around the limits, so that every edge is met often. */
const value = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: -4, max: 24 }).map((n) => n / 2) },
  { weight: 1, arbitrary: fc.constant(Number.NaN) },
)
const limits: fc.Arbitrary<Limits> = fc.record({
  low: fc.constantFrom(2, 3, Number.NaN),
  high: fc.constantFrom(8, 9, Number.NaN),
  delay: fc.constantFrom(0, 20, 30),
  margin: fc.constantFrom(0, 0.5, 2),
  gap: fc.constantFrom(25, 60),
})
const place = fc.option(fc.double({ min: -90, max: 90, noNaN: true }), { nil: null })
const event: fc.Arbitrary<{ device: number; event: ViolationEvent }> = fc.record({
  device: fc.nat(2),
  event: fc.oneof(
    {
      weight: 12,
      arbitrary: fc.record({
        type: fc.constant('reading' as const),
        at: fc.integer({ min: 0, max: 400 }),
        value,
        lat: place,
        lng: place,
      }),
    },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('limits.changed' as const), limits }) },
    {
      weight: 1,
      arbitrary: fc.record({
        type: fc.constant('sensor.unplugged' as const),
        at: fc.integer({ min: 0, max: 400 }),
      }),
    },
  ),
})
/** mostly in order of time, as devices send */
const history = fc
  .tuple(fc.array(event, { maxLength: 120 }), fc.boolean())
  .map(([events, inOrder]) =>
    inOrder
      ? events.sort((a, b) => ('at' in a.event && 'at' in b.event ? a.event.at - b.event.at : 0))
      : events,
  )

test.for<Quantity>(['temperature', 'humidity'])(
  'columns of %s are the machine, for any history',
  (quantity) => {
    fc.assert(
      fc.property(limits, history, (first, events) => {
        const devices = [0, 1, 2].map(() => ({
          limits: first,
          snapshot: initialTransition(violationMachine, { quantity, limits: first })[0],
        }))
        const columns = createViolationColumns(quantity, devices.length)
        for (const { device, event } of events) {
          const one = devices[device] as (typeof devices)[number]
          const emitted: unknown[] = []
          const emit = (about: number, fact: unknown) => void emitted.push([about, fact])
          const { snapshot, facts } = decide(violationMachine, one.snapshot, event)
          one.snapshot = snapshot
          if (event.type === 'reading') {
            const { at, value, lat, lng } = event
            foldReading(columns, device, at, value, lat ?? Number.NaN, lng ?? Number.NaN, one.limits, emit)
          } else if (event.type === 'sensor.unplugged') foldUnplugged(columns, device, event.at, emit)
          else {
            one.limits = event.limits
            foldLimitsChanged(columns, device)
          }
          expect(emitted).toEqual(facts.map((fact) => [device, fact]))
          expect(columns.place[device]).toBe(PLACES[JSON.stringify(snapshot.value)])
          expect(columns.lastAt[device]).toBe(snapshot.context.lastAt)
          expect(columns.value[device]).toBe(snapshot.context.value)
          if (snapshot.value !== 'inside')
            expect([columns.since[device], columns.worst[device], columns.limit[device]]).toEqual([
              snapshot.context.since,
              snapshot.context.worst,
              snapshot.context.limit,
            ])
        }
      }),
      { numRuns: 300 },
    )
  },
)

test('only spells not yet violated keep readings', () => {
  const columns = createViolationColumns('temperature', 2)
  const limits = { low: 2, high: 8, delay: 20, margin: 0.5, gap: 60 }
  const emit = () => {}
  for (const at of [10, 20]) foldReading(columns, 1, at, 9, Number.NaN, Number.NaN, limits, emit)
  expect([...columns.readings.keys()]).toEqual([1])
  foldReading(columns, 1, 30, 9, Number.NaN, Number.NaN, limits, emit)
  expect(columns.place[1]).toBe(PLACE.aboveViolated)
  expect(columns.readings.size).toBe(0)
})
