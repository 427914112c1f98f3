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

/** The first part that is missing, until it turns out that the build is the same. */
function oracle(events: readonly { type: string; detail?: string; isKept?: boolean }[]) {
  const settled = events.findLastIndex(({ type }) => type.endsWith('askServer'))
  const first = events.slice(settled + 1).find(({ type }) => type === 'part.missing')
  return { missing: first ? { detail: first.detail, isKept: first.isKept } : null }
}
