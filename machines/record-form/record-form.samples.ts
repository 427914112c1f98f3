import type { Fault } from '../rules/plain-text.ts'
import type { Fields, Side } from './merge.ts'
import { recordFormMachine } from './record-form.machine.ts'

export const before = { fields: { name: 'North', things: ['1', '2'] }, version: '7', entity: { of: 'North' } }
export const after = { fields: { name: 'Far north', things: ['1', '2'] }, version: '8', entity: {} }
export const theirs = {
  fields: { name: 'Upper north', things: ['2', '3'] },
  version: '9',
  entity: { of: 'theirs' },
  by: 'Bilal',
  at: '2026-01-01T10:00:00.000Z',
}
const nameless = { ...theirs, fields: { ...theirs.fields, name: '' } }
/** A name is needed. */
export const check = ({ name }: Fields): Fault[] =>
  name === '' ? [{ path: 'name', message: 'This field is required' }] : []

export const model = {
  name: 'record-form',
  kind: 'screen' as const,
  machine: recordFormMachine,
  input: { check },
  events: [
    { type: 'edit', patch: { name: 'Far north' } },
    { type: 'edit', patch: { name: '' } },
    { type: 'submit' },
    { type: 'retry' },
    { type: 'changed.elsewhere' },
    { type: 'choose', fields: ['name'], side: 'theirs' },
    { type: 'choose', fields: ['name'], side: 'mine' },
    { type: 'resolve' },
    { type: 'back' },
    { type: 'leave' },
    { type: 'leave.confirm' },
    { type: 'xstate.done.actor.load', output: before },
    { type: 'xstate.error.actor.load', error: new Error('Group not found') },
    { type: 'xstate.done.actor.reload', output: before },
    { type: 'xstate.error.actor.reload', error: new Error('No network') },
    { type: 'xstate.done.actor.save', output: { kind: 'saved', record: after } },
    { type: 'xstate.done.actor.save', output: { kind: 'conflict', theirs } },
    { type: 'xstate.done.actor.save', output: { kind: 'conflict', theirs: nameless } },
    { type: 'xstate.done.actor.save', output: { kind: 'refused', message: 'No', faults: [] } },
    { type: 'xstate.error.actor.save', error: new Error('No answer') },
  ],
  serializeState: (snapshot: {
    value: unknown
    context: {
      now: Fields
      record: { version: string | null }
      theirs: { fields: Fields } | null
      choice: Readonly<Record<string, Side>>
    }
  }) =>
    JSON.stringify([
      snapshot.value,
      snapshot.context.now.name,
      snapshot.context.record.version,
      snapshot.value === 'conflict' && [snapshot.context.theirs?.fields.name, snapshot.context.choice.name],
      snapshot.value === 'asking' && snapshot.context.theirs !== null,
    ]),
  describe: (event: {
    type: string
    patch?: Fields
    side?: Side
    output?: { kind?: string; theirs?: { fields: Fields } }
  }) => {
    if (event.patch !== undefined) return event.patch.name === '' ? 'emptying the name' : 'another name'
    if (event.side !== undefined) return `choosing ${event.side === 'mine' ? 'my' : 'their'} name`
    if (event.output?.theirs?.fields.name === '')
      return 'the answer that somebody else left it without a name'
    if (event.output?.kind !== undefined) return `the answer that it is ${OUTCOMES[event.output.kind]}`
    return WORDS[event.type]
  },
}

const OUTCOMES: Record<string, string> = {
  saved: 'saved',
  conflict: 'changed by somebody else',
  refused: 'not to be had',
}

const WORDS: Record<string, string> = {
  submit: 'Save',
  retry: 'trying again',
  'changed.elsewhere': 'word that somebody else changed it',
  resolve: 'saving what was chosen',
  back: 'going back to the form',
  leave: 'leaving',
  'leave.confirm': 'leaving all the same',
  'xstate.done.actor.load': 'the record being there',
  'xstate.error.actor.load': 'no record coming',
  'xstate.done.actor.reload': 'the newer record being there',
  'xstate.error.actor.reload': 'no newer record coming',
  'xstate.error.actor.save': 'no answer',
}
