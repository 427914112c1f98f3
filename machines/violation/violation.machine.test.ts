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
const quiet = (state: unknown) => ({ state, facts: [] })

describe('opening', () => {
  test('takes the delay, and tells what led to it', () => {
    given(violationMachine, input, series(0, 5, 9, 11))
      .when(reads(3, 10))
      .tells({
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
      .tells(quiet({ above: 'briefly' }))
  })

  test('begins anew after a silence: nobody knows what was in between', () => {
    given(violationMachine, input, series(0, 9))
      .when(reads(11, 9))
      .tells(quiet({ above: 'briefly' }))
    given(violationMachine, input, series(0, 9))
      .when(reads(10, 9))
      .tells(expect.objectContaining({ state: { above: 'violated' } }))
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
      .tells({
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
      .tells({ state: { below: 'briefly' }, facts: [expect.objectContaining({ type: 'violation.cleared' })] })
  })

  test('comes at the next reading when the threshold moved away', () => {
    const moved: ViolationEvent = { type: 'limits.changed', limits: { ...limits, high: 12 } }
    given(violationMachine, input, opened)
      .when(moved)
      .tells(quiet({ above: 'violated' }))
    const { facts } = given(violationMachine, input, [...opened, moved]).when(reads(3, 9))
    expect(facts).toMatchObject([{ data: { reason: 'threshold-changed', value: 9 } }])
    const back = given(violationMachine, input, [...opened, moved]).when(reads(3, 6))
    expect(back.facts).toMatchObject([{ data: { reason: 'back-inside' } }])
  })

  test('comes with the sensor unplugged, at the last value known', () => {
    const { facts } = given(violationMachine, input, opened).when({ type: 'sensor.unplugged', at: at(3) })
    expect(facts).toMatchObject([{ at: at(3), data: { reason: 'sensor-unplugged', value: 9, worst: 10 } }])
  })
})

describe('what must not disturb', () => {
  test.for<[string, ViolationEvent]>([
    ['a late reading', reads(1.5, 5)],
    ['the same reading again', reads(2, 5)],
    ['a reading without value', reads(3, Number.NaN)],
    ['a late word of an unplugged sensor', { type: 'sensor.unplugged', at: at(1) }],
    ['a silence', reads(500, 9)],
  ])('%s leaves an open violation open', ([, event]) => {
    given(violationMachine, input, opened)
      .when(event)
      .tells(quiet({ above: 'violated' }))
  })

  test('a late or empty reading does not lend its time to a spell', () => {
    given(violationMachine, input, series(0, 9))
      .when(reads(5, Number.NaN))
      .tells(quiet({ above: 'briefly' }))
    const shorter: ViolationEvent = { type: 'limits.changed', limits: { ...limits, delay: 60_000 } }
    given(violationMachine, input, [...series(0, 9, 9), shorter])
      .when(reads(0.5, 9))
      .tells(quiet('inside'))
  })

  test('limits moved while a value is briefly beyond them count from the next reading', () => {
    const moved: ViolationEvent = { type: 'limits.changed', limits: { ...limits, high: 7 } }
    given(violationMachine, input, [...series(0, 9, 9), moved])
      .when(reads(2, 9))
      .tells(quiet({ above: 'briefly' }))
  })
})
