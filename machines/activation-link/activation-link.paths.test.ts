import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { holdAgainst } from '../testing/oracle.ts'
import { walk } from '../testing/paths.ts'
import { prose } from '../testing/prose.ts'
import { model } from './activation-link.samples.ts'

const found = walk(model)

test('every state and transition is reached', () => expect(found.unreached).toEqual([]))

test('the paths are those on record', () =>
  expect(prose(model, found)).toBe(
    readFileSync(new URL('./activation-link.paths.txt', import.meta.url), 'utf8'),
  ))

test('what it knows follows from the events', () => holdAgainst(model, found, oracle))

/** The last answer's words, and why the last request had none. What is only shown is not kept. */
function oracle(events: readonly Sent[]) {
  const kept = events.filter(
    ({ type, output }) =>
      type.startsWith('xstate.') && type !== 'xstate.error.actor.resendLink' && output?.success !== false,
  )
  return {
    message: kept.findLast(({ output }) => output !== undefined)?.output?.message ?? '',
    failure: kept.at(-1)?.error ?? null,
  }
}

type Sent = { type: string; output?: { message: string; success: unknown }; error?: unknown }
