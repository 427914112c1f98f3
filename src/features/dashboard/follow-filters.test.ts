import { beforeEach, expect, test } from 'vitest'
import { type Filtered, followFilters } from './follow-filters.ts'

const [ALL, SOME, FEW] = [undefined, new Uint8Array(3), new Uint8Array(2)]
/** What the map was told, and who waits until nobody types. */
let calls: unknown[]
let waiting: (() => void)[]
let follow: (filtered: Filtered) => void

const filtered = (words: string, mask: Uint8Array | undefined, isFollowed = false): Filtered => ({
  mask,
  question: { words },
  isFollowed,
})
const pause = (): void => {
  for (const call of waiting.splice(0)) call()
}

beforeEach(() => {
  calls = []
  waiting = []
  follow = followFilters(
    { setMask: (mask) => void calls.push(mask), fitShown: () => void calls.push('fit') },
    (call) => waiting.push(call),
  )
})

test('what is picked is on the map at once, and the map goes there', () => {
  follow(filtered('', SOME))
  expect(calls).toEqual([SOME])
  follow(filtered('', FEW))
  expect(calls).toEqual([SOME, FEW, 'fit'])
})

test('what is typed is drawn once, when no key came for a while', () => {
  follow(filtered('', ALL))
  follow(filtered('k', SOME))
  follow(filtered('kh', FEW))
  expect(calls).toEqual([])
  pause()
  expect(calls).toEqual([FEW, 'fit'])
})

test('what was typed and taken back moves nothing', () => {
  const before = filtered('', ALL)
  follow(before)
  follow(filtered('k', SOME))
  follow({ ...before })
  pause()
  expect(calls).toEqual([])
})

test('devices that come into a filter are drawn, and the map stays', () => {
  const before = filtered('', SOME)
  follow(before)
  follow({ ...before, mask: FEW })
  expect(calls).toEqual([SOME, FEW])
})

test('it stays with the device it goes along with', () => {
  follow(filtered('', ALL, true))
  follow(filtered('khi', SOME, true))
  pause()
  expect(calls).toEqual([SOME])
})

test('let go of before the pause, the device that the map went along with when it was typed stays in sight', () => {
  const along = filtered('', ALL, true)
  follow(filtered('khi', SOME, true))
  follow(along)
  follow({ ...along, isFollowed: false })
  pause()
  expect(calls).toEqual([SOME, ALL])
  follow(filtered('', FEW))
  expect(calls).toEqual([SOME, ALL, FEW, 'fit'])
})
