import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { holdAgainst } from '../testing/oracle.ts'
import { walk } from '../testing/paths.ts'
import { prose } from '../testing/prose.ts'
import type { LoadEvent } from './load.machine.ts'
import { model } from './load.samples.ts'

const found = walk(model)

test('every state and transition is reached', () => expect(found.unreached).toEqual([]))

test('the paths are those on record', () =>
  expect(prose(model, found)).toBe(readFileSync(new URL('./load.paths.txt', import.meta.url), 'utf8')))

test('what it knows follows from the events', () => holdAgainst(model, found, oracle))

/**
 * Closed once, by the first to say so. Exhausted since what was said last, unless it was rejected: then nothing counts any more. A
 * decision needs a review, and a review something to review.
 */
function oracle(events: readonly LoadEvent[]) {
  let [isExhausted, isReviewed, isReleased, isRejected] = [false, false, false, false]
  let exhaustedAt: number | null = null
  let closedAt: number | null = null
  for (const event of events) {
    if (event.type === 'close') closedAt ??= event.at
    if (isRejected) continue
    if (event.type === 'exhaust' && (!isExhausted || isReviewed || isReleased)) {
      exhaustedAt = event.at
      isExhausted = true
      isReleased = false
    } else if (event.type === 'revise' && (isExhausted || isReviewed || isReleased)) {
      exhaustedAt = event.after?.exhaustedAt ?? null
      if (!isReviewed && !isReleased) isExhausted = event.after !== null
    } else if (event.type === 'begin review' && !isReviewed && !isReleased)
      isReviewed = isExhausted || closedAt !== null
    else if (isReviewed && (event.type === 'release' || event.type === 'reject')) {
      isReviewed = false
      isReleased = event.type === 'release'
      isRejected = event.type === 'reject'
    }
  }
  return { exhaustedAt, closedAt }
}
