import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createReadings, pushReading, type Reading } from '../contracts/readings.ts'
import { silencesOf, silentWithin } from './silences.ts'
import { speedingOf, topSpeedOf } from './speeding.ts'
import { spellsOf } from './spells.ts'
import { stopsOf } from './stops.ts'

const MINUTE = 60_000
const GAP = 10 * MINUTE

type Row = { minute: number } & Omit<Reading, 'device' | 'at'>
function columnsOf(rows: Row[]) {
  const columns = createReadings(rows.length)
  for (const { minute, ...row } of rows) pushReading(columns, { device: 0, at: minute * MINUTE, ...row })
  return columns
}

describe('over-speeding', () => {
  const spells = (rows: Row[], limit = 80, end = 0) =>
    speedingOf(columnsOf(rows), limit, GAP, end * MINUTE).map(({ from, to, top }) => [
      from / MINUTE,
      to === null ? null : to / MINUTE,
      top,
    ])

  test('is above the limit, not at it, until a reading that is not above', () => {
    expect(
      spells([
        { minute: 0, speed: 80 },
        { minute: 1, speed: 80.1 },
        { minute: 2 },
        { minute: 3, speed: 91 },
        { minute: 4, speed: 80 },
        { minute: 5, speed: 200 },
      ]),
    ).toEqual([
      [1, 4, 3],
      [5, null, 5],
    ])
  })

  test('is not known in a silence: it ends with the last reading above', () => {
    const rows = [
      { minute: 0, speed: 90 },
      { minute: 2, speed: 95 },
      { minute: 30, speed: 95 },
      { minute: 31, speed: 0 },
    ]
    expect(spells(rows)).toEqual([
      [0, 2, 1],
      [30, 31, 2],
    ])
    const dead = rows.slice(0, 2)
    expect(spells(dead, 80, 12)).toEqual([[0, null, 1]])
    expect(spells(dead, 80, 13)).toEqual([[0, 2, 1]])
  })

  test('of what tells no speed there is none, and no top speed either', () => {
    const silent = columnsOf([{ minute: 0 }, { minute: 1, lat: 30, lng: 70 }])
    expect(speedingOf(silent, 1, GAP, GAP)).toEqual([])
    expect(topSpeedOf(silent)).toEqual({ measured: 0, top: Number.NaN })
    expect(topSpeedOf(columnsOf([{ minute: 0, speed: 0 }]))).toEqual({ measured: 1, top: 0 })
  })
})

describe('a stop', () => {
  const stand = (minutes: number[], fields: Omit<Row, 'minute'> = {}) =>
    minutes.map((minute) => ({ minute, speed: 0, ...fields }))

  test('lasts five minutes at least; how it ended is told, and how long the engine was on', () => {
    const rows = [
      ...stand([0, 2, 4], { ignition: 1 }),
      { minute: 5, speed: 40, ignition: 1 },
      ...stand([6, 8], { ignition: 1 }),
      ...stand([11, 14], { ignition: 0 }),
      { minute: 15, speed: 60, ignition: 1 },
      ...stand([16, 22]),
      ...stand([60, 66]),
    ]
    const { stops, watched } = stopsOf(columnsOf(rows), GAP, 76 * MINUTE)
    // minutes 0 to 4 are traffic
    expect(stops).toEqual([
      { first: 4, last: 7, idling: 2 * MINUTE, endedBy: 'driving' },
      { first: 9, last: 10, idling: null, endedBy: 'gap' },
      { first: 11, last: 12, idling: null, endedBy: 'end' },
    ])
    expect(watched).toBe((22 + 6) * MINUTE)
  })

  test('of what tells neither speed nor place nor ignition nobody knows', () => {
    const sensor = columnsOf([0, 5, 10, 15].map((minute) => ({ minute, temperature: 4 })))
    expect(stopsOf(sensor, GAP, 15 * MINUTE)).toEqual({ stops: [], watched: 0 })
    const switched = columnsOf([0, 5, 10].map((minute) => ({ minute, ignition: 0 })))
    expect(stopsOf(switched, GAP, 10 * MINUTE).stops).toMatchObject([{ first: 0, last: 2, idling: 0 }])
  })
})

describe('a silence', () => {
  const hours = (words: number[], start: number, end: number) => silencesOf(words, start, end, 1)

  test('begins with the last word, also before the time asked for, and ends with the next', () => {
    expect(hours([-9, -8, -3, 2, 3, 7], 0, 8)).toEqual([
      { from: -3, to: 2 },
      { from: 3, to: 7 },
    ])
  })

  test('goes on where nothing is heard up to the end; as long as the patience is none', () => {
    expect(hours([0, 1, 2], 0, 8)).toEqual([{ from: 2, to: null }])
    expect(hours([0, 1, 2, 3], 0, 4)).toEqual([])
  })

  test('before the first word there ever was, and of none at all, is none', () => {
    expect(hours([5, 6], 0, 7)).toEqual([])
    expect(hours([], 0, 7)).toEqual([])
  })

  test('counts within the time asked for only as far as it lies in it', () => {
    expect(silentWithin({ from: -3, to: 2 }, 0, 8)).toBe(2)
    expect(silentWithin({ from: 5, to: null }, 0, 8)).toBe(3)
  })
})

test('what is told of the time before a silence is the same whether it is read up to its end or into it', () => {
  const row = fc.record({
    wait: fc.oneof(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 12, max: 90 })),
    speed: fc.option(fc.constantFrom(0, 40, 95), { nil: undefined }),
    ignition: fc.option(fc.constantFrom(0, 1), { nil: undefined }),
  })
  const foundIn = (rows: Row[], end: number) => {
    const columns = columnsOf(rows)
    return {
      speeding: speedingOf(columns, 80, GAP, end),
      stops: stopsOf(columns, GAP, end).stops,
      ignition: spellsOf(columns, 'ignition', GAP, end),
    }
  }
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 40 }), (waits) => {
      let minute = 0
      const rows = waits.map(({ wait, ...fields }) => {
        minute += wait
        return { minute, ...fields }
      })
      const whole = foundIn(rows, (minute + 60) * MINUTE)
      for (const [i, { minute: next }] of rows.entries()) {
        const last = rows[i - 1]?.minute
        if (last === undefined || next - last <= 10) continue
        const cut = foundIn(rows.slice(0, i), (last + 11) * MINUTE)
        const before = <T extends { first: number }>(all: T[]) => all.filter(({ first }) => first < i)
        expect(cut).toEqual({
          speeding: before(whole.speeding),
          stops: before(whole.stops),
          ignition: before(whole.ignition),
        })
      }
    }),
  )
})
