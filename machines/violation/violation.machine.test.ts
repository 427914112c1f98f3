import { describe, expect, test } from 'vitest'
import { given } from '../testing/given.ts'
import { EVIDENCE, type ViolationEvent, violationMachine } from './violation.machine.ts'
import { limits } from './violation.samples.ts'

const input = { quantity: 'temperature' as const, limits }
const start = Date.UTC(2026, 0, 15, 8)
const at = (minutes: number): number => start + minutes * 60_000
const reads = (minutes: number, value: number): ViolationEvent => ({
  type: 'reading',
  at: at(minutes),
  value,
  lat: 31.52,
  lng: 74.35,
})
/** one reading a minute */
const series = (from: number, ...values: number[]): ViolationEvent[] =>
  values.map((value, i) => reads(from + i, value))
const opened = series(0, 9, 10, 9)
const movedTo = (high: number): ViolationEvent => ({ type: 'limits.changed', limits: { ...limits, high } })
const quiet = (state: unknown) => ({ state, facts: [] })

describe('opening', () => {
  test('takes the delay, and tells what led to it', () => {
    given(violationMachine, input, series(0, 5, 9, 11))
      .when(reads(3, 10))
      .emits({
        state: { above: 'violated' },
        facts: [
          {
            type: 'violation.opened',
            at: at(3),
            data: {
              type: 'HIGH_TEMPERATURE_DETECTED',
              threshold: 8,
              delaySeconds: 120,
              clearMargin: 0.5,
              since: at(1),
              value: 10,
              lat: 31.52,
              lng: 74.35,
              readings: [
                { at: at(1), value: 9 },
                { at: at(2), value: 11 },
                { at: at(3), value: 10 },
              ],
            },
          },
        ],
      })
  })

  test('without delay takes one reading, and the side of the band names it', () => {
    const { facts } = given(violationMachine, { ...input, limits: { ...limits, delay: 0 } }, []).when(
      reads(0, 1),
    )
    expect(facts).toMatchObject([
      { type: 'violation.opened', data: { type: 'LOW_TEMPERATURE_DETECTED', threshold: 2 } },
    ])
  })

  test('never happens to a value that flaps faster than the delay', () => {
    const flapping = Array.from({ length: 60 }, (_, i) => reads(i, i % 2 === 0 ? 9 : 7))
    given(violationMachine, input, flapping)
      .when(reads(60, 9))
      .emits(quiet({ above: 'briefly' }))
  })

  test('begins anew after a silence: nobody knows what was in between', () => {
    given(violationMachine, input, series(0, 9))
      .when(reads(11, 9))
      .emits(quiet({ above: 'briefly' }))
    given(violationMachine, input, series(0, 9))
      .when(reads(10, 9))
      .emits(expect.objectContaining({ state: { above: 'violated' } }))
  })

  test(`carries at most ${EVIDENCE} readings, the newest`, () => {
    const many = Array.from({ length: 50 }, (_, i) => reads(i * 0.02, 9))
    const { facts } = given(violationMachine, input, many).when(reads(2, 9))
    const [fact] = facts as [{ data: { readings: { at: number }[] } }]
    expect(fact.data.readings).toHaveLength(EVIDENCE)
    expect(fact.data.readings.at(-1)?.at).toBe(at(2))
  })
})

describe('clearing', () => {
  test('takes coming back by the margin, and tells the worst', () => {
    given(violationMachine, input, [...opened, reads(3, 7.6)])
      .when(reads(4, 7.5))
      .emits({
        state: 'inside',
        facts: [
          {
            type: 'violation.cleared',
            at: at(4),
            since: at(0),
            data: {
              type: 'HIGH_TEMPERATURE_DETECTED',
              value: 7.5,
              worst: 10,
              durationSeconds: 240,
              reason: 'back-inside',
            },
          },
        ],
      })
  })

  test('and beginning the other side happen in one reading that crosses the whole band', () => {
    given(violationMachine, input, opened)
      .when(reads(3, 0))
      .emits({ state: { below: 'briefly' }, facts: [expect.objectContaining({ type: 'violation.cleared' })] })
  })

  test('comes at the next reading when the threshold moved away', () => {
    const moved = movedTo(12)
    given(violationMachine, input, opened)
      .when(moved)
      .emits(quiet({ above: 'violated' }))
    const { facts } = given(violationMachine, input, [...opened, moved]).when(reads(3, 9))
    expect(facts).toMatchObject([{ data: { reason: 'threshold-changed', value: 9 } }])
    const back = given(violationMachine, input, [...opened, moved]).when(reads(3, 6))
    expect(back.facts).toMatchObject([{ data: { reason: 'back-inside' } }])
  })

  test.for<[string, number]>([
    ['inside the new band, however little', 11.9],
    ['on the new threshold itself', 12],
  ])('comes %s: no margin was ever due to it', ([, value]) => {
    const { snapshot, facts } = given(violationMachine, input, [...opened, movedTo(12)]).when(reads(3, value))
    expect({ state: snapshot.value, facts }).toMatchObject({
      state: 'inside',
      facts: [{ since: at(0), data: { reason: 'threshold-changed', value, durationSeconds: 180 } }],
    })
  })

  test('waits for a value inside the threshold that moved, and is the violation it was', () => {
    given(violationMachine, input, [...opened, movedTo(8.5)])
      .when(reads(3, 9))
      .emits(quiet({ above: 'violated' }))
    const { facts } = given(violationMachine, input, [...opened, movedTo(8.5), reads(3, 9)]).when(reads(4, 7))
    expect(facts).toMatchObject([{ since: at(0), data: { reason: 'back-inside', worst: 10 } }])
  })

  test('takes the margin of the threshold that moved, once a value was beyond that', () => {
    const stricter = [...opened, movedTo(7), reads(3, 8)]
    given(violationMachine, input, stricter)
      .when(reads(4, 6.9))
      .emits(quiet({ above: 'violated' }))
    const { facts } = given(violationMachine, input, stricter).when(reads(4, 6.5))
    expect(facts).toMatchObject([{ data: { reason: 'back-inside' } }])
  })

  test('does not come when the threshold moved away and back between two readings', () => {
    given(violationMachine, input, [...opened, movedTo(12), movedTo(8)])
      .when(reads(3, 7.8))
      .emits(quiet({ above: 'violated' }))
  })

  test('and the other side begin together where the band moved past the value', () => {
    const over: ViolationEvent = { type: 'limits.changed', limits: { ...limits, low: 10, high: 15 } }
    const { snapshot, facts } = given(violationMachine, input, [...opened, over]).when(reads(3, 9))
    expect({ state: snapshot.value, facts }).toMatchObject({
      state: { below: 'briefly' },
      facts: [{ type: 'violation.cleared', data: { reason: 'threshold-changed' } }],
    })
  })

  test('comes with a limit that is gone', () => {
    const none: ViolationEvent = {
      type: 'limits.changed',
      limits: { ...limits, low: Number.NaN, high: Number.NaN },
    }
    const { facts } = given(violationMachine, input, [...opened, none]).when(reads(3, 30))
    expect(facts).toMatchObject([{ data: { reason: 'threshold-changed', value: 30 } }])
  })

  test('by the sensor leaves nothing behind: plugged in again, the value takes the delay anew', () => {
    const unplugged: ViolationEvent = { type: 'sensor.unplugged', at: at(3) }
    given(violationMachine, input, [...opened, unplugged, reads(4, 9)])
      .when(reads(5, 9))
      .emits(quiet({ above: 'briefly' }))
    const { facts } = given(violationMachine, input, [...opened, unplugged, ...series(4, 9, 9)]).when(
      reads(6, 9),
    )
    expect(facts).toMatchObject([{ type: 'violation.opened', data: { since: at(4) } }])
  })

  test('takes the time of a silence in: nobody saw it end before', () => {
    const { facts } = given(violationMachine, input, opened).when(reads(500, 5))
    expect(facts).toMatchObject([{ at: at(500), data: { durationSeconds: 500 * 60 } }])
  })

  test('comes with the sensor unplugged, at the last value known', () => {
    const { facts } = given(violationMachine, input, opened).when({ type: 'sensor.unplugged', at: at(3) })
    expect(facts).toMatchObject([{ at: at(3), data: { reason: 'sensor-unplugged', value: 9, worst: 10 } }])
  })
})

describe('what must not disturb', () => {
  test('flapping about the limit, inside the margin, is one violation until it is over', () => {
    const flapping = Array.from({ length: 60 }, (_, i) => reads(3 + i, i % 2 === 0 ? 7.6 : 8.4))
    given(violationMachine, input, [...opened, ...flapping])
      .when(reads(63, 7.6))
      .emits(quiet({ above: 'violated' }))
    const { facts } = given(violationMachine, input, [...opened, ...flapping]).when(reads(63, 7.5))
    expect(facts).toMatchObject([{ since: at(0), data: { durationSeconds: 63 * 60 } }])
  })

  test.for<[string, ViolationEvent[], ViolationEvent]>([
    ['inside', series(0, 5, 5, 5), reads(0.5, 30)],
    ['after a violation that is over', [...opened, reads(3, 5)], reads(2.5, 30)],
  ])('a late reading opens nothing: %s', ([, before, late]) => {
    given(violationMachine, input, before).when(late).emits(quiet('inside'))
  })

  test.for<[string, ViolationEvent]>([
    ['a late reading', reads(1.5, 5)],
    ['the same reading again', reads(2, 5)],
    ['a reading without value', reads(3, Number.NaN)],
    ['a late word of an unplugged sensor', { type: 'sensor.unplugged', at: at(1) }],
    ['a silence', reads(500, 9)],
  ])('%s leaves an open violation open', ([, event]) => {
    given(violationMachine, input, opened)
      .when(event)
      .emits(quiet({ above: 'violated' }))
  })

  test('a late or empty reading does not lend its time to a spell', () => {
    given(violationMachine, input, series(0, 9))
      .when(reads(5, Number.NaN))
      .emits(quiet({ above: 'briefly' }))
    const shorter: ViolationEvent = { type: 'limits.changed', limits: { ...limits, delay: 60_000 } }
    given(violationMachine, input, [...series(0, 9, 9), shorter])
      .when(reads(0.5, 9))
      .emits(quiet('inside'))
  })

  test('limits moved while a value is briefly beyond them count from the next reading', () => {
    given(violationMachine, input, [...series(0, 9, 9), movedTo(7)])
      .when(reads(2, 9))
      .emits(quiet({ above: 'briefly' }))
  })
})
