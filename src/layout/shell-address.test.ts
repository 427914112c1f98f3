import { afterEach, beforeEach, expect, test } from 'vitest'
import { setTimeZone, zoneName } from '../format/time.ts'
import { shellAddress } from './shell-address.ts'

const before = zoneName
beforeEach(() => setTimeZone('Asia/Karachi'))
afterEach(() => setTimeZone(before))

const FOUR = Date.UTC(2026, 5, 14, 23)

test('it is written in the zone of the portal, and read from any', () => {
  const query = shellAddress.write({ asOf: FOUR, view: 'now', isWall: false })
  expect(new URLSearchParams(query).get('asOf')).toBe('2026-06-15T04:00+05:00')
  expect(shellAddress.read(query)).toEqual({ asOf: FOUR, view: 'now', isWall: false })
  expect(shellAddress.read('asOf=2026-06-14T23:00:00.000Z')).toEqual({
    asOf: FOUR,
    view: 'then',
    isWall: false,
  })
})

test('a plus sign as one types it is taken for what it is; what is no time is none', () => {
  expect(shellAddress.read('asOf=2026-06-15T04:00+05:00').asOf).toBe(FOUR)
  expect(shellAddress.read('asOf=yesterday&view=later')).toEqual({ asOf: null, view: 'then', isWall: false })
})
