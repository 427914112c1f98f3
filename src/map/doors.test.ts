import { expect, test } from 'vitest'
import type { HistoryPoint } from '#machines/contracts/entities/devices.ts'
import { doorsOf } from './way.ts'

const MINUTE = 60_000
const START = Date.UTC(2026, 5, 15, 5)

/** What was told of the door at minutes after the start; undefined: nothing. */
const points = (...doors: [minute: number, door: 0 | 1 | null | undefined][]): HistoryPoint[] =>
  doors.map(([minute, door]) => ({
    ...{ dateTime: new Date(START + minute * MINUTE).toISOString(), temperature: 4, humidity: 50 },
    ...{ lat: null, lng: null, ...(door !== undefined && { door }) },
  }))

const minutesOf = (points: HistoryPoint[]) =>
  doorsOf(points).map(({ from, to }) => [from, to].map((at) => (at - START) / MINUTE))

test('a door is open from the reading that says so to the one that says it is closed', () => {
  expect(minutesOf(points([0, 0], [1, 1], [2, 1], [5, 0], [6, 1], [7, 0]))).toEqual([
    [1, 5],
    [6, 7],
  ])
})

test('readings that tell nothing of a door do not hold it open', () => {
  expect(minutesOf(points([0, 1], [2, 1], [3, undefined], [4, null], [9, undefined]))).toEqual([[0, 2]])
  expect(minutesOf(points([0, 1], [2, null], [4, 0]))).toEqual([[0, 4]])
})

test('a silence of half an hour ends what is known of a door', () => {
  expect(minutesOf(points([0, 1], [5, 1], [36, 1], [40, 0]))).toEqual([
    [0, 5],
    [36, 40],
  ])
})

test('a door is marked where it was first seen open', () => {
  const at = (minute: number, door: 0 | 1, lng: number | null): HistoryPoint => ({
    ...(points([minute, door])[0] as HistoryPoint),
    ...{ lng, lat: lng === null ? null : 31 },
  })
  const places = doorsOf([
    ...[at(0, 0, 73), at(1, 1, null), at(2, 1, 74), at(3, 1, 75), at(4, 0, 76)],
    ...[at(5, 1, null), at(6, 0, 77), at(7, 1, 78)],
  ]).map(({ place }) => place?.lng)
  expect(places).toEqual([74, undefined, 78])
})
