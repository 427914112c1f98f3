import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { holdAgainst } from '../testing/oracle.ts'
import { walk } from '../testing/paths.ts'
import { prose } from '../testing/prose.ts'
import { model } from './feed.samples.ts'

const found = walk(model)

test('every state and transition is reached', () => expect(found.unreached).toEqual([]))
test('the paths are those on record', () =>
  expect(prose(model, found)).toBe(readFileSync(new URL('./feed.paths.txt', import.meta.url), 'utf8')))

test('what it knows follows from the events', () => holdAgainst(model, found, oracle))

/** The last word on the link holds, and the last answer. */
function oracle(events: readonly { type: string; error?: Error }[]) {
  const link = events.findLast(({ type }) => type.startsWith('link'))
  const answer = events.findLast(({ type }) => type.endsWith('Fleet'))
  return { isLinked: link?.type === 'linkUp', error: answer?.error?.message ?? null }
}
