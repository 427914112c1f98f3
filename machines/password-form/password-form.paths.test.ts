import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { holdAgainst } from '../testing/oracle.ts'
import { walk } from '../testing/paths.ts'
import { prose } from '../testing/prose.ts'
import { model } from './password-form.samples.ts'

const found = walk(model)

test('every state and transition is reached', () => expect(found.unreached).toEqual([]))

test('the paths are those on record', () =>
  expect(prose(model, found)).toBe(
    readFileSync(new URL('./password-form.paths.txt', import.meta.url), 'utf8'),
  ))

test('what it knows follows from the events', () => holdAgainst(model, found, oracle))

/** The last that was typed in each field. */
function oracle(events: readonly { type: string; field?: string; value?: string }[]) {
  const typed = events.flatMap(({ field, value }) => (field === undefined ? [] : [[field, value]]))
  return { now: { code: '', password: '', confirmPassword: '', ...Object.fromEntries(typed) } }
}
