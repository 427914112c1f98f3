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

/** What was typed last; a blank name is refused until it is typed anew. */
function oracle(events: readonly { type: string; name?: string; groupId?: string; error?: Error }[]) {
  const before = { name: model.input.name, groupId: model.input.groupId }
  let now = before
  let name: string | null = null
  let error: string | null = null
  for (const { type, error: thrown, ...event } of events) {
    now = {
      ...now,
      ...('name' in event && { name: event.name }),
      ...('groupId' in event && { groupId: event.groupId }),
    } as typeof now
    if (type === 'name.changed') name = null
    if (type === 'save') name = now.name.trim() === '' ? 'This field is required' : null
    if (type.endsWith('changed') || (type === 'save' && name === null)) error = null
    error = thrown?.message ?? error
  }
  return { before, now, messages: { name, groupId: null } }
}
