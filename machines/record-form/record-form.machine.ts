import { assign, fromPromise, setup } from 'xstate'
import { messageOf } from '../rules/message-of.ts'
import type { Fault } from '../rules/plain-text.ts'
import { differing, type Fields, firstChoice, merged, type Side } from './merge.ts'

/**
 * A record as a form holds it. `version`: to be named when it is saved; null for one that does not exist yet.
 * `entity`: what the fields were read from, or what a new one needs to know.
 */
export type FormRecord = { fields: Fields; version: string | null; entity: unknown }
/** What somebody else made of it meanwhile; `by` and `at` (ISO 8601) where they are known. */
export type Theirs = FormRecord & { by: string | null; at: string | null }
/** How saving went. `refused`: the server found what the form did not. */
export type SaveResult =
  | { kind: 'saved'; record: FormRecord }
  | { kind: 'conflict'; theirs: Theirs }
  | { kind: 'refused'; message: string; faults: readonly Fault[] }

type Check = (fields: Fields, entity: unknown) => readonly Fault[]
/** What was typed before the page had to be loaded anew, and what it was made of; `record` null: of a new one. */
export type Resumed = { now: Fields; record: FormRecord | null }
type Input = { check: Check; resumed?: Resumed | undefined }
type Context = {
  /** what was loaded or saved last */
  record: FormRecord
  now: Fields
  check: Check
  /** what is wrong with a field */
  faults: readonly Fault[]
  /** how often it was refused: a new number puts the focus on the first wrong field */
  refusals: number
  /** why it could not be loaded or saved */
  error: string | null
  theirs: Theirs | null
  choice: Readonly<Record<string, Side>>
  /** until the record is there to go on with */
  resumed: Resumed | null
  /** somebody else may have changed it since, which did not come in over what is typed */
  isOld: boolean
}
type Event =
  | { type: 'edit'; patch: Fields }
  | { type: 'submit' }
  | { type: 'retry' }
  /** somebody else may have changed it */
  | { type: 'changed.elsewhere' }
  /** whose version of these fields is kept */
  | { type: 'choose'; fields: readonly string[]; side: Side }
  | { type: 'resolve' }
  | { type: 'back' }
  | { type: 'leave' }
  | { type: 'leave.confirm' }

/** The form of one record: loaded, filled in, saved once however often Save is pressed; two who change the same lose nothing. */
export const recordFormMachine = setup({
  types: { context: {} as Context, events: {} as Event, input: {} as Input },
  actors: {
    /** `isBackground`: the form stands meanwhile */
    load: fromPromise<FormRecord, { isBackground: boolean }>(notProvided),
    save: fromPromise<SaveResult, { fields: Fields; version: string | null; entity: unknown }>(notProvided),
  },
  /** without a key, after which nobody is typing */
  delays: { typingPause: 2000 },
  guards: { isFaulty, isUntouched, isUnchanged, isOutdated, isInConflict, isConflict, isRefused },
  actions: {
    /** says that it is saved; `entity`: as the server answered it */
    announce: (_, __: { entity: unknown }) => {},
    /** says why it was not; the form goes on saying it */
    showFailure: (_, __: { error: unknown }) => {},
    take: assign(take),
    edit: assign(edit),
    refuse: assign(refuse),
    forget: assign({ faults: [], error: null }),
    keepError: assign(keepError),
    keepResult: assign(keepResult),
    choose: assign(choose),
    merge: assign(merge),
    dropTheirs: assign({ theirs: null }),
    noteChange: assign({ isOld: true }),
    forgetChange: assign({ isOld: false }),
  },
}).createMachine({
  id: 'record-form',
  context: ({ input: { check, resumed = null } }) => ({
    record: NOTHING,
    now: {},
    check,
    faults: [],
    refusals: 0,
    error: null,
    theirs: null,
    choice: {},
    resumed,
    isOld: false,
  }),
  initial: 'loading',
  states: {
    loading: {
      invoke: {
        id: 'load',
        src: 'load',
        input: { isBackground: false },
        onDone: {
          target: 'editing',
          actions: { type: 'take', params: ({ event }) => ({ record: event.output }) },
        },
        onError: { target: 'failed', actions: { type: 'keepError', params: ({ event }) => event } },
      },
      on: { leave: 'left' },
    },
    failed: { on: { retry: 'loading', leave: 'left' } },
    editing: {
      initial: 'resting',
      states: {
        /** nothing is typed, or not any more */
        resting: { always: { guard: 'isOutdated', target: '#record-form.refreshing' } },
        /** nothing comes in under the fingers, also where what they pass through is the old value */
        typing: { after: { typingPause: 'resting' } },
      },
      on: {
        edit: { target: '.typing', actions: { type: 'edit', params: ({ event }) => event } },
        submit: [
          { guard: 'isFaulty', actions: 'refuse' },
          { guard: 'isUnchanged', target: 'saved' },
          { target: 'saving' },
        ],
        'changed.elsewhere': { actions: 'noteChange' },
        leave: [{ guard: 'isUntouched', target: 'left' }, { target: 'asking' }],
      },
    },
    /** what somebody else wrote comes in by itself */
    refreshing: {
      entry: 'forgetChange',
      invoke: {
        id: 'reload',
        src: 'load',
        input: { isBackground: true },
        onDone: {
          target: 'editing',
          actions: { type: 'take', params: ({ event }) => ({ record: event.output }) },
        },
        onError: 'editing',
      },
      on: {
        edit: {
          target: 'editing.typing',
          actions: [{ type: 'edit', params: ({ event }) => event }, 'noteChange'],
        },
        /** nothing is typed: there is nothing to wait for */
        submit: { target: 'saved', actions: 'noteChange' },
        'changed.elsewhere': { target: 'refreshing', reenter: true },
        leave: 'left',
      },
    },
    saving: {
      entry: 'forget',
      on: { 'changed.elsewhere': { actions: 'noteChange' } },
      invoke: {
        id: 'save',
        src: 'save',
        input: ({ context: { now, record } }) => ({
          fields: now,
          version: record.version,
          entity: record.entity,
        }),
        onDone: [
          {
            guard: { type: 'isConflict', params: ({ event }) => ({ result: event.output }) },
            target: 'conflict',
            actions: { type: 'keepResult', params: ({ event }) => ({ result: event.output }) },
          },
          {
            guard: { type: 'isRefused', params: ({ event }) => ({ result: event.output }) },
            target: 'editing',
            actions: { type: 'keepResult', params: ({ event }) => ({ result: event.output }) },
          },
          {
            target: 'saved',
            actions: [
              { type: 'take', params: ({ event }) => ({ record: recordOf(event.output) }) },
              { type: 'announce', params: ({ event }) => ({ entity: recordOf(event.output).entity }) },
            ],
          },
        ],
        onError: {
          target: 'editing',
          actions: [
            { type: 'keepError', params: ({ event }) => event },
            { type: 'showFailure', params: ({ event }) => event },
          ],
        },
      },
    },
    conflict: {
      on: {
        'changed.elsewhere': { actions: 'noteChange' },
        choose: { actions: { type: 'choose', params: ({ event }) => event } },
        resolve: { target: 'resolving', actions: 'merge' },
        /** theirs is known of, and not shown any more */
        back: { target: 'editing', actions: ['dropTheirs', 'noteChange'] },
        leave: 'asking',
      },
    },
    resolving: {
      always: [
        { guard: 'isFaulty', target: 'editing', actions: 'refuse' },
        { guard: 'isUntouched', target: 'editing', actions: 'forget' },
        { target: 'saving' },
      ],
    },
    asking: {
      on: {
        back: [{ guard: 'isInConflict', target: 'conflict' }, { target: 'editing' }],
        'leave.confirm': 'left',
        'changed.elsewhere': { actions: 'noteChange' },
      },
    },
    /** nothing is left to be saved; a page that stays goes on from here */
    saved: {
      on: {
        edit: { target: 'editing.typing', actions: { type: 'edit', params: ({ event }) => event } },
        'changed.elsewhere': 'refreshing',
        leave: 'left',
      },
    },
    left: { type: 'final' },
  },
})

const NOTHING: FormRecord = { fields: {}, version: null, entity: null }

function recordOf(result: SaveResult): FormRecord {
  return result.kind === 'saved' ? result.record : NOTHING
}

function notProvided(): Promise<never> {
  return Promise.reject(new Error('load and save are provided by the portal'))
}

type Args = { context: Context }

function isFaulty({ context: { check, now, record } }: Args): boolean {
  return check(now, record.entity).length > 0
}

function isUntouched({ context: { now, record } }: Args): boolean {
  return differing(now, record.fields).length === 0
}

function isUnchanged(args: Args): boolean {
  return args.context.record.version !== null && isUntouched(args)
}

function isOutdated(args: Args): boolean {
  return args.context.isOld && isUnchanged(args)
}

function isInConflict({ context: { theirs } }: Args): boolean {
  return theirs !== null
}

function isConflict(_: unknown, { result }: { result: SaveResult }): boolean {
  return result.kind === 'conflict'
}

function isRefused(_: unknown, { result }: { result: SaveResult }): boolean {
  return result.kind === 'refused'
}

/** What was typed into an older version is saved as of that version: nobody else's change since then is lost. */
function take({ context: { resumed } }: Args, { record }: { record: FormRecord }): Partial<Context> {
  const older = resumed?.record && resumed.record.version !== record.version ? resumed.record : null
  return {
    record: older ?? record,
    now: { ...record.fields, ...resumed?.now },
    faults: [],
    error: null,
    resumed: null,
    ...(older && { isOld: true }),
  }
}

function edit({ context: { now, faults } }: Args, { patch }: { patch: Fields }): Partial<Context> {
  return { now: { ...now, ...patch }, faults: faults.filter(({ path }) => !(path in patch)), error: null }
}

function refuse({ context: { check, now, record, refusals } }: Args): Partial<Context> {
  return { faults: check(now, record.entity), refusals: refusals + 1 }
}

function keepResult({ context }: Args, { result }: { result: SaveResult }): Partial<Context> {
  if (result.kind === 'saved') return {}
  if (result.kind === 'conflict') {
    const { theirs } = result
    // conflicts shown before are in theirs too
    return { theirs, choice: firstChoice(context.record.fields, context.now, theirs.fields), isOld: false }
  }
  const { message, faults } = result
  // what is at no field of this form is said beside Save
  const isAtField = faults.some(({ path }) => path in context.now)
  return { faults, error: isAtField ? null : message, refusals: context.refusals + 1 }
}

function choose(
  { context: { choice } }: Args,
  { fields, side }: { fields: readonly string[]; side: Side },
): Partial<Context> {
  return { choice: { ...choice, ...Object.fromEntries(fields.map((field) => [field, side])) } }
}

function merge({ context: { record, now, theirs, choice } }: Args): Partial<Context> {
  if (theirs === null) return {}
  return { record: theirs, now: merged(record.fields, now, theirs.fields, choice), theirs: null }
}

function keepError(_: unknown, { error }: { error: unknown }): Partial<Context> {
  return { error: messageOf(error) }
}
