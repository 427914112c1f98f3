import { useActorRef, useSelector } from '@xstate/react'
import { useEffect, useMemo, useRef } from 'react'
import { fromPromise, type StateFrom } from 'xstate'
import { REPORT_CALLS } from '#machines/contracts/calls/report-calls.ts'
import { decode } from '#machines/contracts/decode.ts'
import type { ReportSchedule } from '#machines/contracts/entities/reports.ts'
import { pickedFor, type ScheduleFields } from '#machines/rules/schedule-fields.ts'
import { extraFieldsOf } from '#machines/rules/schedule-form.ts'
import { scheduleFormMachine } from '#machines/schedule-form/schedule-form.machine.ts'
import { Unreachable } from '../effects/call-failures.ts'
import type { Fleet } from '../read-model/fleet.ts'
import { inspect } from './inspection.ts'
import type { Root } from './root.ts'
import { NO_ANSWER } from './save-result.ts'
import { useRoot } from './use-root.ts'

type Context = StateFrom<typeof scheduleFormMachine>['context']

export type ScheduleFormState = Pick<Context, 'fields' | 'editing' | 'deleting' | 'error' | 'refusals'> & {
  state: StateFrom<typeof scheduleFormMachine>['value']
  /** what is wrong with a field */
  messageOf: (field: keyof ScheduleFields) => string | undefined
  fill: (patch: Partial<ScheduleFields>) => void
  enterEmail: () => void
  submit: () => void
  edit: (schedule: ReportSchedule) => void
  cancel: () => void
  askToDelete: (id: string) => void
  deleteIt: () => void
  keepIt: () => void
}

/** The form of recurring reports. @param onChanged a schedule was saved or deleted: the list is another */
export function useScheduleForm(onChanged: () => void): ScheduleFormState {
  const root = useRoot()
  const latest = useRef(onChanged)
  useEffect(() => {
    latest.current = onChanged
  })
  const machine = useMemo(
    () =>
      scheduleFormMachine.provide({
        actors: {
          saveSchedule: fromPromise<void, { id: string | null; fields: ScheduleFields }>(
            ({ input, signal }) => answered(save(root, input, signal)),
          ),
          deleteSchedule: fromPromise<void, { id: string }>(({ input: { id }, signal }) =>
            answered(
              root.http.ask(REPORT_CALLS.deleteSchedule, { params: { id } }, { signal, isBackground: true }),
            ),
          ),
        },
        actions: {
          announce: (_, { message }) => {
            root.toasts.success(message)
            latest.current()
          },
        },
      }),
    [root],
  )
  const actor = useActorRef(machine, { inspect })
  const { faults, ...context } = useSelector(actor, (snapshot) => snapshot.context)
  const state = useSelector(actor, ({ value }) => value)
  return {
    ...context,
    state,
    messageOf: (field) => faults.find(({ path }) => path === field)?.message,
    fill: (patch) => actor.send({ type: 'fill', patch }),
    enterEmail: () => actor.send({ type: 'email.enter' }),
    submit: () => actor.send({ type: 'submit' }),
    edit: (schedule) => actor.send({ type: 'edit', schedule }),
    cancel: () => actor.send({ type: 'cancel' }),
    askToDelete: (id) => actor.send({ type: 'delete.ask', id }),
    deleteIt: () => actor.send({ type: 'delete.yes' }),
    keepIt: () => actor.send({ type: 'delete.no' }),
  }
}

type Saving = { id: string | null; fields: ScheduleFields }

async function save({ http }: Root, { id, fields }: Saving, signal: AbortSignal): Promise<void> {
  const asked = extraFieldsOf(fields.reportTypes)
  const { interval, emails, reportTypes } = fields
  const extras = Object.fromEntries([...asked].map((field) => [field, fields[field as keyof ScheduleFields]]))
  const { body: Body } = REPORT_CALLS.scheduleReport
  const body = decode({ ...extras, ...pickedFor(fields), interval, emails, reportTypes }, Body, 'schedule')
  // Nobody is taken off the page by a failure: what was chosen would be lost.
  const options = { signal, isBackground: true }
  if (id === null) await http.ask(REPORT_CALLS.scheduleReport, { body }, options)
  else await http.ask(REPORT_CALLS.updateSchedule, { params: { id }, body }, options)
}

/** The groups that are picked and all below them; undefined: none is, so that nothing is narrowed. */
export function withThoseBelow(
  { within }: Pick<Fleet['groups'], 'within'>,
  groups: ScheduleFields['groups'],
): ReadonlySet<string> | undefined {
  return groups === 'all' || groups.size === 0 ? undefined : new Set([...groups].flatMap(within))
}

/** @throws Error whose message is for the visitor */
async function answered(asking: Promise<unknown>): Promise<void> {
  try {
    await asking
  } catch (error) {
    throw error instanceof Unreachable ? new Error(NO_ANSWER, { cause: error }) : error
  }
}
