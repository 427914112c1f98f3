import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { holdAgainst } from '../testing/oracle.ts'
import { walk } from '../testing/paths.ts'
import { prose } from '../testing/prose.ts'
import { model } from './notification-popup.samples.ts'

const found = walk(model)

test('every state and transition is reached', () => expect(found.unreached).toEqual([]))
test('the paths are those on record', () =>
  expect(prose(model, found)).toBe(
    readFileSync(new URL('./notification-popup.paths.txt', import.meta.url), 'utf8'),
  ))

test('what it knows follows from the events', () => holdAgainst(model, found, oracle))

/** What waits is added to what is shown when a pause is over; what is gone took along what it showed. */
function oracle(events: readonly { type: string; count?: number; notification?: unknown }[]) {
  let shown = 0
  let waiting = 0
  let newest: unknown = null
  for (const { type, count = 1, notification } of events) {
    newest = notification ?? newest
    if (type === 'gone') {
      shown = 0
      if (waiting === 0) newest = null
    } else if (type.startsWith('xstate.after')) {
      shown += waiting
      waiting = 0
    } else waiting += count
  }
  return { told: shown, count: shown + waiting, newest }
}
