import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { holdAgainst } from '../testing/oracle.ts'
import { walk } from '../testing/paths.ts'
import { prose } from '../testing/prose.ts'
import { type NotDone, SHELVED_MINUTES } from './incident-action.machine.ts'
import { model } from './incident-action.samples.ts'

const found = walk(model)

test('every state and transition is reached', () => expect(found.unreached).toEqual([]))
test('the paths are those on record', () =>
  expect(prose(model, found)).toBe(
    readFileSync(new URL('./incident-action.paths.txt', import.meta.url), 'utf8'),
  ))

test('what it knows follows from the events', () => holdAgainst(model, found, oracle))

/** What was asked last, of which of it the last refusal was, what was said of it since, and that refusal until it is tried again. */
function oracle(
  events: readonly {
    type: string
    ids?: readonly string[]
    text?: string
    minutes?: number
    error?: NotDone
  }[],
) {
  const requested = events.findLastIndex(({ ids }) => ids !== undefined)
  const since = events.slice(requested + 1)
  const failed = since.findLastIndex(({ error }) => error !== undefined)
  const isRetried = since.slice(failed + 1).some(({ type }) => type === 'retry')
  const isShelving = events[requested]?.type === 'shelve'
  return {
    kind: events[requested]?.type ?? 'acknowledge',
    ids: since[failed]?.error?.ids ?? events[requested]?.ids ?? [],
    text: since.find(({ type }) => type === 'say')?.text ?? '',
    minutes: isShelving ? (since.findLast(({ type }) => type === 'last')?.minutes ?? SHELVED_MINUTES) : 0,
    error: isRetried ? null : (since[failed]?.error?.message ?? null),
  }
}
