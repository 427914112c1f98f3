import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { holdAgainst } from '../testing/oracle.ts'
import { walk } from '../testing/paths.ts'
import { prose } from '../testing/prose.ts'
import { model } from './forgot-password.samples.ts'

const found = walk(model)

test('every state and transition is reached', () => expect(found.unreached).toEqual([]))

test('the paths are those on record', () =>
  expect(prose(model, found)).toBe(
    readFileSync(new URL('./forgot-password.paths.txt', import.meta.url), 'utf8'),
  ))

test('what it knows follows from the events', () => holdAgainst(model, found, oracle))

/** The last that was typed; blank, it is refused until it is typed anew. */
function oracle(events: readonly { type: string; email?: string }[]) {
  const typed = events.findLastIndex(({ type }) => type === 'email.changed')
  const email = events[typed]?.email ?? ''
  const isSent = events.slice(typed + 1).some(({ type }) => type === 'submit')
  return { email, message: isSent && email.trim() === '' ? 'This field is required' : null }
}
