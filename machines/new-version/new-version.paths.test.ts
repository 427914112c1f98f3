import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { holdAgainst } from '../testing/oracle.ts'
import { walk } from '../testing/paths.ts'
import { prose } from '../testing/prose.ts'
import { model } from './new-version.samples.ts'

const found = walk(model)

test('every state and transition is reached', () => expect(found.unreached).toEqual([]))
test('the paths are those on record', () =>
  expect(prose(model, found)).toBe(readFileSync(new URL('./new-version.paths.txt', import.meta.url), 'utf8')))

test('what it knows follows from the events', () => holdAgainst(model, found, oracle))

/** The part that is missing, until it turns out that the build is the same. */
function oracle(events: readonly { type: string; detail?: string }[]) {
  const last = events.findLast(({ type }) => type === 'part.missing' || type.endsWith('askServer'))
  return { missing: last?.detail ?? null }
}
