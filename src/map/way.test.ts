import { expect, test } from 'vitest'
import { stopsOf, type WayPoint, wayOf, wayTo } from './way.ts'

const MINUTE = 60_000
const at = (minute: number, lng: number): WayPoint => ({
  at: minute * MINUTE,
  lng,
  lat: 31.5,
  temperature: -18,
})

test('a way leaves out what has no place', () => {
  const told = { dateTime: '2026-06-15T09:00:00.000Z', lat: 31.5, lng: 74.3, temperature: null }
  expect(wayOf([told, { ...told, lat: null }])).toEqual([
    { at: Date.parse(told.dateTime), lat: 31.5, lng: 74.3, temperature: null },
  ])
})

test('a way goes on to where its device is now, and not over a time of which nothing was told', () => {
  const way = [at(0, 74), at(5, 74.1)]
  const { lng, lat } = at(0, 74.2)
  expect(wayTo(way, { at: 15 * MINUTE, lng, lat })).toEqual([...way, at(15, 74.2)])
  expect(wayTo(way, { at: 120 * MINUTE, lng, lat })).toEqual(way)
  expect(wayTo([], { at: 0, lng, lat })).toEqual([])
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
