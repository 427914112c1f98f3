import { expect, test } from 'vitest'
import { readVisits, visited } from './last-visit.ts'

const MINUTE = 60_000
const moment = (minutes: number) => ({ at: 1_000_000 + minutes * MINUTE, wall: 5_000_000 + minutes * MINUTE })

test('somebody who was away for half an hour left when they were last active', () => {
  const first = visited(undefined, moment(0))
  expect(first.left).toBeNull()
  const later = visited(first, moment(29))
  expect(later.left).toBeNull()
  expect(visited(later, moment(59)).left).toBe(moment(29).at)
})

test('it is kept until they have seen it or leave again', () => {
  const back = visited(visited(undefined, moment(0)), moment(60))
  const busy = visited(back, moment(61))
  expect(busy.left).toBe(moment(0).at)
  expect(visited({ ...busy, left: null }, moment(62)).left).toBeNull()
  expect(visited(busy, moment(120)).left).toBe(moment(61).at)
})

test('a server whose clock went back since knows nothing of then', () => {
  const before = visited(undefined, moment(0))
  expect(visited(before, { ...moment(60), at: before.at - MINUTE }).left).toBeNull()
})

test('what is kept in no such form is nobody’s visit', () => {
  expect(readVisits('a=1; frostline-visits=%7B%22u%22%3A1%7D')).toEqual({})
  expect(readVisits('')).toEqual({})
  const kept = encodeURIComponent(JSON.stringify({ u1: { ...moment(1), left: null } }))
  expect(readVisits(`frostline-visits=${kept}; b=2`)).toEqual({ u1: { ...moment(1), left: null } })
})
