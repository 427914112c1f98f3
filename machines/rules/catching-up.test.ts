import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { catchingUpText, isForgotten, progressOf, type Silence, takeReceived } from './catching-up.ts'

const MINUTE = 60_000
const GAP = 10 * MINUTE

/** A device that was last heard at minute 100; readings are minutes: when measured, and when received. */
function device(heard = 100) {
  let before = heard * MINUTE
  let heardAt = before
  let silence: Silence | undefined
  return {
    take(at: number, received: number) {
      const [atMs, receivedAt] = [at * MINUTE, received * MINUTE]
      silence = takeReceived(silence, { at: atMs, receivedAt, before, heardAt, gap: GAP })
      before = Math.max(before, atMs)
      heardAt = receivedAt
      return this
    },
    at: (now: number) => silence && progressOf(silence, now * MINUTE),
    silence: () => silence,
  }
}

const minutes = (from: number, to: number, step = 1): number[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step)

describe('a device that was silent for 61 minutes', () => {
  const back = () => device().take(161, 161)

  test('says nothing while nothing late came', () => {
    expect(back().at(162)).toBeUndefined()
  })

  test('says how much has come, newest first', () => {
    const it = back()
    for (const at of minutes(123, 160).reverse()) it.take(at, 162)
    expect(it.at(162)).toEqual({ came: 38, of: 61 })
  })

  test('says as much where the oldest come first, and nothing was live before', () => {
    const it = device()
    for (const at of minutes(101, 138)) it.take(at, 161)
    expect(it.at(161)).toEqual({ came: 38, of: 61 })
  })

  test('has ended when all has come, or nothing late came for two minutes', () => {
    const it = back()
    for (const at of minutes(101, 160).reverse()) it.take(at, 162)
    expect(it.silence()).toBeUndefined()
    const broken = back().take(150, 162)
    expect(broken.at(163)).toEqual({ came: 0, of: 61 })
    expect(broken.at(164)).toBeUndefined()
    for (const at of minutes(151, 160)) broken.take(at, 170)
    expect(broken.at(170)).toEqual({ came: 11, of: 61 })
  })

  test('is forgotten a quarter of an hour after the last late reading', () => {
    const silence = back().take(150, 162).silence() as Silence
    expect([176, 178].map((now) => isForgotten(silence, now * MINUTE))).toEqual([false, true])
  })
})

test('a second silence adds to what is missing of the first', () => {
  const it = device().take(161, 161).take(200, 200)
  for (const at of minutes(162, 199).reverse()) it.take(at, 201)
  expect(it.at(201)).toEqual({ came: 39, of: 100 })
})

test('a device whose readings are always late, and one never heard before, are not catching up', () => {
  const slow = device()
  for (const at of minutes(101, 200)) slow.take(at, at + 15)
  // the first was silence, as far as anybody knew
  expect(slow.silence()?.length ?? 0).toBeLessThanOrEqual(16 * MINUTE)
  expect(slow.at(217)).toBeUndefined()
  const late = device(0)
  for (const at of minutes(101, 200).reverse()) late.take(at, 201)
  expect(late.at(201)).toBeUndefined()
})

test('any order, with any repeated, comes to the same, and never goes back', () => {
  const sent = fc
    .uniqueArray(fc.integer({ min: 101, max: 399 }), { minLength: 1, maxLength: 40 })
    .chain((some) =>
      fc.record({
        some: fc.constant(some),
        order: fc.shuffledSubarray(some, { minLength: some.length }),
        repeated: fc.shuffledSubarray(some),
      }),
    )
  fc.assert(
    fc.property(sent, ({ some, order, repeated }) => {
      const it = device().take(400, 400)
      let came = 0
      for (const at of [...order, ...repeated]) {
        it.take(at, 403)
        const now = it.at(403)
        if (now) expect(now.came).toBeGreaterThanOrEqual(came)
        came = now?.came ?? 300
      }
      expect(came).toBe(300 - missingOf([100, ...some.toSorted((a, b) => a - b), 400]))
    }),
  )
})

/** Minutes between known readings that are further apart than a gap. */
const missingOf = (known: number[]): number =>
  known.slice(1).reduce((sum, at, i) => {
    const apart = at - (known[i] as number)
    return sum + (apart > 10 ? apart : 0)
  }, 0)

test('what it keeps is bounded, whatever comes', () => {
  const it = device().take(20_000, 20_000)
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 20_001 }), (at) => {
      expect(it.take(at, 20_003).silence()?.holes.length ?? 0).toBeLessThanOrEqual(64)
    }),
    { numRuns: 2000 },
  )
})

test('is said in minutes, in hours where it is long', () => {
  expect(catchingUpText({ came: 38, of: 61 })).toBe('catching up: 38 of 61 minutes')
  expect(catchingUpText({ came: 65, of: 420 })).toBe('catching up: 1 h 5 min of 7 h')
})
