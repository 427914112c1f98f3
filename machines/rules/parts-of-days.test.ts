import { expect, test } from 'vitest'
import { createReadings, pushReading } from '../contracts/readings.ts'
import { dayStarts } from './days.ts'
import { drivingParts, isPartOfDay, partsOfDays, timeOfDay, WHOLE_DAY } from './parts-of-days.ts'

const MINUTE = 60_000
const iso = (at: number) => new Date(at).toISOString()

function parts(from: string, to: string, zone: string, startTime: string, endTime: string) {
  const starts = dayStarts(Date.parse(from), Date.parse(to), zone)
  return partsOfDays(starts, zone, { startTime, endTime }).map(({ from, to }) => [iso(from), iso(to)])
}

test('the part of each day is cut to what is asked for; a day that has none of it is left out', () => {
  expect(parts('2026-11-20T10:00+05:00', '2026-11-22T07:00+05:00', 'Asia/Karachi', '08:00', '17:30')).toEqual(
    [
      ['2026-11-20T05:00:00.000Z', '2026-11-20T12:30:00.000Z'],
      ['2026-11-21T03:00:00.000Z', '2026-11-21T12:30:00.000Z'],
    ],
  )
})

test('an end of 00:00 is midnight; days of 23 and 25 hours are whole', () => {
  const day = (date: string, next: string) => parts(date, next, 'Europe/Berlin', '00:00', '00:00')
  expect(day('2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z')).toEqual([
    ['2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
  ])
  expect(parts('2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z', 'Europe/Berlin', '01:00', '04:00')).toEqual([
    ['2026-10-24T23:00:00.000Z', '2026-10-25T03:00:00.000Z'],
  ])
})

test('a time of day is read as people type it', () => {
  expect(['8:00', ' 08:00', '800', '0830', '17.30', '23:59'].map(timeOfDay)).toEqual([
    ...['08:00', '08:00', '08:00', '08:30', '17:30', '23:59'],
  ])
  expect(['24:00', '8', '12:60', 'noon', ''].map(timeOfDay)).toEqual(['24:00', '8', '12:60', 'noon', ''])
})

test('a part across midnight is none', () => {
  expect(isPartOfDay({ startTime: '22:00', endTime: '06:00' })).toBe(false)
  expect(isPartOfDay({ startTime: '08:00', endTime: '08:00' })).toBe(false)
  expect(isPartOfDay({ startTime: '22:00', endTime: '00:00' })).toBe(true)
  expect(isPartOfDay(WHOLE_DAY)).toBe(true)
})

test('what crosses the end of a part is shared by time, and a speed outside of it is not its top speed', () => {
  const columns = createReadings(5)
  for (const [minute, speed] of [
    [0, 99],
    [4, 60],
    [8, 70],
    [12, 120],
    [16, 60],
  ] as const)
    pushReading(columns, { device: 0, at: minute * MINUTE, lat: 30 + minute / 100, lng: 70, speed })
  const [part] = drivingParts(columns, [{ from: 2 * MINUTE, to: 10 * MINUTE }], 10 * MINUTE)
  expect(part?.driving).toBe(8 * MINUTE)
  // 0.08° of a meridian
  expect(part?.km).toBeCloseTo(8 * 1.11195, 3)
  expect(part).toMatchObject({ topSpeed: 70, first: 2 * MINUTE, last: 10 * MINUTE })
})
