import type { ReportSchedule } from '../contracts/entities/reports.ts'
import type { ScheduleFields } from '../rules/schedule-fields.ts'
import { scheduleFormMachine } from './schedule-form.machine.ts'

export const WEEKLY: ReportSchedule = {
  _id: 'weekly',
  version: '1',
  company: 'indus',
  groups: [{ _id: 'lahore', name: 'Lahore' }],
  vehicles: [{ _id: '352093024171000', plateNumber: 'LEA-19-1000', name: 'Reefer 1' }],
  interval: 'Weekly',
  emails: ['desk@indus.example'],
  reportTypes: ['POWER_REPORT'],
}
export const OTHER: ReportSchedule = { ...WEEKLY, _id: 'other', interval: 'Daily' }

/** All that a schedule needs. */
export const WHOLE: Partial<ScheduleFields> = {
  groups: 'all',
  vehicles: 'all',
  interval: 'Daily',
  emails: ['desk@indus.example'],
  reportTypes: ['POWER_REPORT'],
}
const TO_NOBODY: Partial<ScheduleFields> = { emails: [] }

type Sample = { type: string; patch?: Partial<ScheduleFields>; schedule?: ReportSchedule; id?: string }
type Shown = {
  value: unknown
  context: {
    fields: ScheduleFields
    editing: string | null
    deleting: string | null
    faults: readonly unknown[]
  }
}

export const model = {
  name: 'schedule-form',
  kind: 'screen' as const,
  machine: scheduleFormMachine,
  events: [
    { type: 'fill', patch: WHOLE },
    { type: 'fill', patch: TO_NOBODY },
    { type: 'email.enter' },
    { type: 'submit' },
    { type: 'edit', schedule: WEEKLY },
    { type: 'cancel' },
    { type: 'delete.ask', id: WEEKLY._id },
    { type: 'delete.ask', id: OTHER._id },
    { type: 'delete.yes' },
    { type: 'delete.no' },
    { type: 'xstate.done.actor.saveSchedule', output: undefined },
    { type: 'xstate.error.actor.saveSchedule', error: new Error('No answer from the server') },
    { type: 'xstate.done.actor.deleteSchedule', output: undefined },
    { type: 'xstate.error.actor.deleteSchedule', error: new Error('No answer from the server') },
  ],
  serializeState: ({ value, context: { fields, editing, deleting, faults } }: Shown) =>
    JSON.stringify([value, fields.emails.length > 0, editing, deleting, faults.length > 0]),
  describe: ({ type, patch, id }: Sample): string | undefined => {
    if (patch !== undefined) return patch === WHOLE ? 'filling in all there is' : 'taking the addresses out'
    if (type === 'delete.ask') return id === WEEKLY._id ? 'Delete of the weekly one' : 'Delete of another one'
    return WORDS[type]
  },
}

const WORDS: Record<string, string> = {
  'email.enter': 'Enter after an address',
  submit: 'Save or Update',
  edit: 'Edit of the weekly one',
  cancel: 'Cancel of the change',
  'delete.yes': 'Yes',
  'delete.no': 'No',
  'xstate.done.actor.saveSchedule': 'the server keeping it',
  'xstate.error.actor.saveSchedule': 'the server not keeping it',
  'xstate.done.actor.deleteSchedule': 'the server deleting it',
  'xstate.error.actor.deleteSchedule': 'the server not deleting it',
}
