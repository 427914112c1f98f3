import { expect, test } from 'vitest'
import { stopsOf, stretchesOf, type WayPoint, wayOf } from './way.ts'

const MINUTE = 60_000
const at = (minute: number, lng: number): WayPoint => ({
  at: minute * MINUTE,
  lng,
  lat: 31.5,
  temperature: -18,
})

test('a way leaves out what has no place', () => {
  const point = { dateTime: '2026-06-15T09:00:00.000Z', lat: 31.5, lng: 74.3, temperature: null }
  expect(wayOf([point, { ...point, lat: null }])).toEqual([
    { at: Date.parse(point.dateTime), lat: 31.5, lng: 74.3, temperature: null },
  ])
})

test('a way breaks where nothing was told, and not where its device tells little as a rule', () => {
  const lngs = (way: WayPoint[]) => stretchesOf(way).map((stretch) => stretch.map(({ lng }) => lng))
  expect(lngs([at(0, 74), at(5, 74.1), at(180, 76), at(185, 76.1), at(230, 77)])).toEqual([
    [74, 74.1],
    [76, 76.1],
    [77],
  ])
  expect(lngs([at(0, 74), at(15, 74.1), at(30, 74.2), at(45, 74.3)])).toHaveLength(1)
  expect(stretchesOf([])).toEqual([])
})

test('where it stays for ten minutes it stops; a shorter wait is traffic', () => {
  const way = [
    at(0, 74),
    at(5, 74.1),
    at(9, 74.1003),
    at(20, 74.2),
    at(30, 74.2004),
    at(45, 74.2002),
    at(50, 74.4),
  ]
  expect(stopsOf(way)).toEqual([{ lng: 74.2, lat: 31.5, from: 20 * MINUTE, to: 45 * MINUTE }])
})

test('the last stop may still be going on', () => {
  expect(stopsOf([at(0, 74), at(10, 74)])).toHaveLength(1)
  expect(stopsOf([])).toEqual([])
})
