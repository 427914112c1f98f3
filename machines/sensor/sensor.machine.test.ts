import { describe, test } from 'vitest'
import { given } from '../testing/given.ts'
import { sensorMachine } from './sensor.machine.ts'

const reads = (at: number, measured: boolean) => ({ type: 'reading' as const, at, measured, gap: 60 })

describe('a sensor', () => {
  test('that never gave a value is not missed', () => {
    given(
      sensorMachine,
      undefined,
      [1, 2, 3, 4].map((at) => reads(at, false)),
    )
      .when(reads(5, false))
      .emits({ state: 'unknown', facts: [] })
  })

  test('is unplugged at the third reading in a row without a value', () => {
    const two = [reads(0, true), reads(1, true), reads(2, false), reads(3, false)]
    given(sensorMachine, undefined, two)
      .when(reads(4, false))
      .emits({ state: 'unplugged', facts: [{ type: 'sensor.unplugged', at: 4 }] })
    given(sensorMachine, undefined, [...two, reads(4, true)])
      .when(reads(5, false))
      .emits({ state: 'plugged', facts: [] })
  })

  test('whose values come between readings without one is unplugged when two and a half of them are missing', () => {
    const sparse = Array.from({ length: 18 }, (_, i) => reads(i, i % 6 === 0))
    const between = Array.from({ length: 8 }, (_, i) => reads(18 + i, false))
    given(sensorMachine, undefined, [...sparse, ...between])
      .when(reads(26, false))
      .emits({ state: 'plugged', facts: [] })
    given(sensorMachine, undefined, [...sparse, ...between, reads(26, false)])
      .when(reads(27, false))
      .emits({ state: 'unplugged', facts: [{ type: 'sensor.unplugged', at: 27 }] })
  })

  test('that gave values far apart, or one alone, is unplugged when the last is as old as may be', () => {
    for (const before of [[], [reads(1, true)]])
      given(sensorMachine, undefined, [...before, reads(101, true), reads(130, false), reads(160, false)])
        .when(reads(161, false))
        .emits({ state: 'unplugged', facts: [{ type: 'sensor.unplugged', at: 161 }] })
  })

  test('is back with its first value', () => {
    given(sensorMachine, undefined, [
      reads(0, true),
      reads(1, true),
      ...[2, 3, 4].map((at) => reads(at, false)),
    ])
      .when(reads(5, true))
      .emits({ state: 'plugged', facts: [{ type: 'sensor.plugged-in', at: 5 }] })
  })

  test('is not told by late readings', () => {
    given(sensorMachine, undefined, [reads(10, true), reads(11, false), reads(12, false)])
      .when(reads(9, false))
      .emits({ state: 'plugged', facts: [] })
  })
})
