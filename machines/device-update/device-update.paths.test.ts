import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { holdAgainst } from '../testing/oracle.ts'
import { walk } from '../testing/paths.ts'
import { prose } from '../testing/prose.ts'
import { model } from './device-update.samples.ts'

const found = walk(model)

test('every state and transition is reached', () => expect(found.unreached).toEqual([]))
test('the paths are those on record', () =>
  expect(prose(model, found)).toBe(
    readFileSync(new URL('./device-update.paths.txt', import.meta.url), 'utf8'),
  ))

test('what it knows follows from the events', () => holdAgainst(model, found, oracle))

type Sent = {
  type: string
  name?: string
  groupId?: string
  output?: { name: string; groupId: string } | undefined
  error?: Error
}

/** What was typed last; a blank name is refused until it is typed anew. */
function oracle(events: readonly Sent[]) {
  let before = { name: model.input.name, groupId: model.input.groupId }
  let now = before
  let name: string | null = null
  let error: string | null = null
  for (const { type, error: thrown, output: theirs, ...event } of events) {
    now = {
      ...now,
      ...('name' in event && { name: event.name }),
      ...('groupId' in event && { groupId: event.groupId }),
    } as typeof now
    if (type === 'name.changed') name = null
    if (type === 'save') name = now.name.trim() === '' ? 'This field is required' : null
    if (type.endsWith('changed') || (type === 'save' && name === null)) error = null
    error = thrown?.message ?? error
    if (theirs === undefined) continue
    // they moved it, and what was not moved here goes with it
    if (now.groupId === before.groupId) now = { ...now, groupId: theirs.groupId }
    const isElsewhere = now.groupId !== theirs.groupId
    before = theirs
    error = `Somebody else has changed this meanwhile${isElsewhere ? ': it is in another group now' : ''}. Save again to have it your way.`
  }
  return { before, now, messages: { name, groupId: null } }
}
