import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { holdAgainst } from '../testing/oracle.ts'
import { walk } from '../testing/paths.ts'
import { prose } from '../testing/prose.ts'
import { model } from './schedule-form.samples.ts'

const found = walk(model)

test('every state and transition is reached', () => expect(found.unreached).toEqual([]))

test('the paths are those on record', () =>
  expect(prose(model, found)).toBe(
    readFileSync(new URL('./schedule-form.paths.txt', import.meta.url), 'utf8'),
  ))

test('what it knows follows from the events', () => holdAgainst(model, found, oracle))

/** Which schedule the form is for, and which is to be deleted. */
function oracle(events: readonly { type: string; id?: string; schedule?: { _id: string } }[]) {
  let editing: string | null = null
  let deleting: string | null = null
  for (const { type, id, schedule } of events) {
    if (type === 'edit') editing = schedule?._id ?? null
    if (type === 'cancel' || type === 'xstate.done.actor.saveSchedule') editing = null
    if (type === 'delete.ask') deleting = id ?? null
    if (type === 'xstate.done.actor.deleteSchedule' && deleting === editing) editing = null
    if (type === 'delete.no' || type === 'xstate.done.actor.deleteSchedule') deleting = null
  }
  return { editing, deleting }
}
