import { beforeAll, expect, test } from 'vitest'
import { setTimeZone } from '../../format/time.ts'
import { seriesOf } from './series.ts'
import { spellTime, spellWords, summaryOf } from './spell-words.ts'

beforeAll(() => setTimeZone('UTC'))

const MINUTE = 60_000
const start = Date.UTC(2026, 10, 1, 7)
const thresholds = {
  lowTemperatureThreshold: -26,
  highTemperatureThreshold: -10,
  lowHumidityThreshold: 0,
  highHumidityThreshold: 0,
  tmin: -30,
  tmax: 70,
  hmin: -40,
  hmax: 100,
}
const series = (...values: [minute: number, temperature: number][]) =>
  seriesOf(
    {
      points: values.map(([minute, temperature]) => ({
        dateTime: new Date(start + minute * MINUTE).toISOString(),
        temperature,
        humidity: 50,
        lat: null,
        lng: null,
      })),
      latest: null,
      thresholds,
    },
    'temperature',
  )
/** From when it begins until so many minutes later. */
const until = (minute: number) => ({ from: start, to: start + minute * MINUTE })

test('says first what is out, for how long and by how much', () => {
  const warming = series([0, -18], [55, -9], [60, 0], [65, 12])
  expect(summaryOf(warming, 'temperature', start + 66 * MINUTE, until(66))).toEqual({
    side: 'above',
    headline: 'Above −10.0 °C for 10 min',
    details: ['since 07:55', 'now 12.0 °C, 22.0 above'],
  })
  expect(summaryOf(warming, 'temperature', start + 120 * MINUTE, until(120))?.details).toEqual([
    'since 07:55',
    '12.0 °C, 22.0 above at 08:05',
  ])
})

test('of a reading that stands alone beyond a limit it says no time', () => {
  const alone = series([0, -20], [5, -20], [10, -20], [15, -20], [45, -5], [75, -20])
  expect(summaryOf(alone, 'temperature', start + 76 * MINUTE, until(76))?.details[0]).toBe('out once')
  expect(spellWords(alone.spells[0] as (typeof alone.spells)[0], 'temperature')).toBe('above, −5.0 °C')
  const last = series([0, -20], [5, -20], [10, -20], [15, -20], [45, -5])
  expect(summaryOf(last, 'temperature', start + 46 * MINUTE, until(46))?.headline).toBe('Above −10.0 °C')
})

test('says that it is within again, and what was out before', () => {
  const back = series([0, -27], [5, -20], [10, -5], [15, -20])
  expect(summaryOf(back, 'temperature', start + 16 * MINUTE, until(16))).toEqual({
    side: undefined,
    headline: 'Within −26.0 °C to −10.0 °C again',
    details: ['out 2 times, 10 min', 'now −20.0 °C'],
  })
  expect(back.spells.map((spell) => spellTime(spell, start + 16 * MINUTE))).toEqual([
    'before 07:00–07:05',
    '07:10–07:15',
  ])
  expect(spellWords(back.spells[1] as (typeof back.spells)[0], 'temperature')).toBe(
    '5 min above, worst −5.0 °C, 4 degree-minutes',
  )
})

test('says that nothing was out, that there are no limits, and nothing where nothing was measured', () => {
  const now = start + 6 * MINUTE
  expect(summaryOf(series([0, -20], [5, -21]), 'temperature', now, until(6))?.headline).toMatch(
    /^Within .* the whole time$/,
  )
  const silent = series([0, -20], [5, -21], [120, -21], [125, -20])
  expect(summaryOf(silent, 'temperature', start + 126 * MINUTE, until(126))?.headline).toMatch(
    /^Within .* whenever it was measured$/,
  )
  expect(summaryOf(series(), 'temperature', now, until(6))).toBeUndefined()
  const unlimited = { ...series([0, 5]), limits: { low: 0, high: 0, min: 0, max: 1 } }
  expect(summaryOf(unlimited, 'temperature', now, until(6))?.headline).toBe('No limits set')
})

const WHOLE = /^Within .* the whole time$/
const MEASURED = /^Within .* whenever it was measured$/
test.each<[string, [minute: number, temperature: number][], now: number, words: RegExp]>([
  [
    'silent at its start',
    [
      [40, -20],
      [45, -21],
      [50, -20],
    ],
    51,
    MEASURED,
  ],
  [
    'silent at its end',
    [
      [0, -20],
      [5, -21],
      [10, -20],
    ],
    60,
    MEASURED,
  ],
  ['with a lone reading', [[30, -20]], 60, MEASURED],
  [
    'with a reading within what two may be apart of both ends',
    [
      [10, -20],
      [15, -21],
      [20, -20],
    ],
    30,
    WHOLE,
  ],
])('a span %s is told as what it is', (_, readings, end, words) => {
  expect(summaryOf(series(...readings), 'temperature', start + end * MINUTE, until(end))?.headline).toMatch(
    words,
  )
})

test('a span whose end is still to come is told of until now', () => {
  const readings = series([0, -20], [5, -21], [10, -20])
  expect(summaryOf(readings, 'temperature', start + 12 * MINUTE, until(600))?.headline).toMatch(WHOLE)
})
