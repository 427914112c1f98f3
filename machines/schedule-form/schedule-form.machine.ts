import { assign, fromPromise, setup } from 'xstate'
import type { ReportSchedule } from '../contracts/entities/reports.ts'
import { messageOf } from '../rules/message-of.ts'
import type { Fault } from '../rules/plain-text.ts'
import {
  blankSchedule,
  fieldsOfSchedule,
  type ScheduleFields,
  scheduleFieldFaults,
  withTypedEmail,
} from '../rules/schedule-fields.ts'

type Context = {
  fields: ScheduleFields
  /** id of the schedule that is edited; null: a new one */
  editing: string | null
  /** of the one that is edited, as it was taken; a change of a newer one is refused */
  version: string | null
  /** id of the one that is to be deleted */
  deleting: string | null
  faults: readonly Fault[]
  /** how often it was refused: with each the cursor goes to what is wrong */
  refusals: number
  /** why it could not be saved, or deleted */
  error: string | null
}
type Event =
  | { type: 'fill'; patch: Partial<ScheduleFields> }
  /** Enter or Tab after an address */
  | { type: 'email.enter' }
  | { type: 'submit' }
  | { type: 'edit'; schedule: ReportSchedule }
  /** leaves the schedule that is edited as it was */
  | { type: 'cancel' }
  | { type: 'delete.ask'; id: string }
  | { type: 'delete.yes' }
  | { type: 'delete.no' }

const DELETED = 'Report Schedule Deleted'

const chart = setup({
  types: { context: {} as Context, events: {} as Event },
  actors: {
    /** rejects where it was not taken; `id` null: a new one */
    saveSchedule: fromPromise<void, Pick<Context, 'version' | 'fields'> & { id: string | null }>(notProvided),
    deleteSchedule: fromPromise<void, { id: string }>(notProvided),
  },
  guards: { isFaulty, isNew, isOfTheForm },
  actions: {
    /** says what was done, in the documents' words, and has the list loaded again */
    announce: (_, _params: { message: string }) => {},
    fill: assign(fill),
    enterEmail: assign(enterEmail),
    check: assign(check),
    countRefusal: assign(countRefusal),
    take: assign(take),
    clear: assign(clear),
    chooseToDelete: assign(chooseToDelete),
    forgetToDelete: assign({ deleting: null, error: null }),
    keepError: assign(keepError),
  },
})

/** Recurring reports: one form that makes a schedule or changes one, and the question before one is deleted. */
export const scheduleFormMachine = chart.createMachine({
  id: 'schedule-form',
  context: () => ({
    fields: blankSchedule(),
    editing: null,
    version: null,
    deleting: null,
    faults: [],
    refusals: 0,
    error: null,
  }),
  initial: 'creating',
  states: {
    creating: { id: 'creating', ...filling() },
    editing: {
      id: 'editing',
      ...filling(),
      on: { ...filling().on, cancel: { target: 'creating', actions: 'clear' } },
    },
    checking: {
      id: 'checking',
      always: [{ guard: 'isFaulty', target: 'returning', actions: 'countRefusal' }, { target: 'saving' }],
    },
    saving: {
      invoke: {
        id: 'saveSchedule',
        src: 'saveSchedule',
        input: ({ context: { editing, version, fields } }) => ({ id: editing, version, fields }),
        onDone: [
          {
            guard: 'isNew',
            target: 'creating',
            actions: [{ type: 'announce', params: { message: 'Report scheduled successfully' } }, 'clear'],
          },
          {
            target: 'creating',
            actions: [{ type: 'announce', params: { message: 'Report schedule updated' } }, 'clear'],
          },
        ],
        onError: { target: 'returning', actions: { type: 'keepError', params: ({ event }) => event } },
      },
    },
    /** 'Delete Report Schedule?' */
    confirmingDelete: {
      id: 'confirming',
      on: {
        'delete.yes': 'deleting',
        'delete.no': { target: 'returning', actions: 'forgetToDelete' },
      },
    },
    deleting: {
      invoke: {
        id: 'deleteSchedule',
        src: 'deleteSchedule',
        input: ({ context: { deleting } }) => ({ id: deleting ?? '' }),
        onDone: [
          {
            // there is nothing left to change
            guard: 'isOfTheForm',
            target: 'returning',
            actions: [{ type: 'announce', params: { message: DELETED } }, 'forgetToDelete', 'clear'],
          },
          {
            target: 'returning',
            actions: [{ type: 'announce', params: { message: DELETED } }, 'forgetToDelete'],
          },
        ],
        onError: { target: 'confirmingDelete', actions: { type: 'keepError', params: ({ event }) => event } },
      },
    },
    /** to the form as it was left */
    returning: { always: [{ guard: 'isNew', target: 'creating' }, { target: 'editing' }] },
  },
})

/** What can be done with the form, whether it is for a new schedule or for one there is. */
function filling() {
  return chart.createStateConfig({
    on: {
      fill: { actions: { type: 'fill', params: ({ event }) => event } },
      'email.enter': { actions: 'enterEmail' },
      submit: { target: '#checking', actions: 'check' },
      edit: { target: '#editing', actions: { type: 'take', params: ({ event }) => event } },
      'delete.ask': {
        target: '#confirming',
        actions: { type: 'chooseToDelete', params: ({ event }) => event },
      },
    },
  })
}

function notProvided(): Promise<never> {
  return Promise.reject(new Error('the portal provides what saves and deletes'))
}

type Args = { context: Context }

function isFaulty({ context: { faults } }: Args): boolean {
  return faults.length > 0
}

function isNew({ context: { editing } }: Args): boolean {
  return editing === null
}

function isOfTheForm({ context: { editing, deleting } }: Args): boolean {
  return editing === deleting
}

/** A field that is filled anew loses what was wrong with it. */
function fill(
  { context: { fields, faults } }: Args,
  { patch }: { patch: Partial<ScheduleFields> },
): Partial<Context> {
  const isFilled = (path: string) =>
    Object.hasOwn(patch, path) || (path === 'emails' && Object.hasOwn(patch, 'email'))
  return {
    fields: { ...fields, ...patch },
    faults: faults.filter(({ path }) => !isFilled(path)),
    error: null,
  }
}

function enterEmail({ context: { fields, faults } }: Args): Partial<Context> {
  const next = withTypedEmail(fields)
  const others = faults.filter(({ path }) => path !== 'emails')
  const ofEmails = scheduleFieldFaults(next).filter(({ path }) => path === 'emails')
  return { fields: next, faults: [...others, ...(next.email.trim() === '' ? [] : ofEmails)] }
}

function check({ context }: Args): Partial<Context> {
  const fields = withTypedEmail(context.fields)
  return { fields, faults: scheduleFieldFaults(fields, context.editing === null), error: null }
}

function countRefusal({ context: { refusals } }: Args): Partial<Context> {
  return { refusals: refusals + 1 }
}

function take(_: unknown, { schedule }: { schedule: ReportSchedule }): Partial<Context> {
  const { _id, version } = schedule
  return { fields: fieldsOfSchedule(schedule), editing: _id, version, faults: [], error: null }
}

function clear(): Partial<Context> {
  return { fields: blankSchedule(), editing: null, version: null, faults: [], error: null }
}

function chooseToDelete(_: unknown, { id }: { id: string }): Partial<Context> {
  return { deleting: id, error: null }
}

function keepError(_: unknown, { error }: { error: unknown }): Partial<Context> {
  return { error: messageOf(error) }
}
