import { useActorRef, useSelector } from '@xstate/react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { array, nullable, object, type as open, type Struct, string } from 'superstruct'
import { fromPromise, type StateFrom } from 'xstate'
import { REPORT_CALLS } from '#machines/contracts/calls/report-calls.ts'
import { decode } from '#machines/contracts/decode.ts'
import { CHANGED_MEANWHILE } from '#machines/contracts/entities/changes.ts'
import type { ReportSchedule } from '#machines/contracts/entities/reports.ts'
import { pickedFor, type ScheduleFields } from '#machines/rules/schedule-fields.ts'
import { extraFieldsOf } from '#machines/rules/schedule-form.ts'
import { scheduleFormMachine } from '#machines/schedule-form/schedule-form.machine.ts'
import { CallRefused } from '../effects/call-failures.ts'
import type { Fleet } from '../read-model/fleet.ts'
import { inspect } from './inspection.ts'
import { KeptPicks } from './kept-values.ts'
import type { Root } from './root.ts'
import { useDraft } from './use-drafts.ts'
import { useRoot } from './use-root.ts'
import type { Rows } from './use-rows.ts'

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

/**
 * The form of recurring reports.
 * @param listed those there are: asked for again when one was saved or deleted; a form kept from before goes on with one of them
 */
export function useScheduleForm(listed: Rows<ReportSchedule>): ScheduleFormState {
  const root = useRoot()
  const { rows: schedules, hasMore, isLoadingMore, loadMore, ask } = listed
  const machine = useMemo(
    () =>
      scheduleFormMachine.provide({
        actors: {
          saveSchedule: fromPromise<void, Saving>(({ input, signal }) => save(root, input, signal)),
          deleteSchedule: fromPromise<void, { id: string }>(({ input: { id }, signal }) =>
            root.http.ask(REPORT_CALLS.deleteSchedule, { params: { id } }, { signal }).then(() => {}),
          ),
        },
        actions: {
          announce: (_, { message }) => {
            root.toasts.success(message)
            ask()
          },
        },
      }),
    [root, ask],
  )
  const actor = useActorRef(machine, { inspect })
  const { faults, ...context } = useSelector(actor, (snapshot) => snapshot.context)
  const state = useSelector(actor, ({ value }) => value)
  const { fields, editing, deleting } = context
  useDraft(DRAFT, () => ({ fields, editing, deleting }))
  const [before] = useState(() => root.drafts.kept(DRAFT, KeptSchedule))
  const isTaken = useRef(false)
  useEffect(() => {
    if (schedules === undefined || before === undefined || isTaken.current) return
    const meant = before.editing ?? before.deleting
    if (meant !== null && hasMore && !schedules.some(({ _id }) => _id === meant)) {
      if (!isLoadingMore) loadMore()
      return
    }
    isTaken.current = true
    const edited = schedules.find(({ _id }) => _id === before.editing)
    if (edited) actor.send({ type: 'edit', schedule: edited })
    actor.send({ type: 'fill', patch: before.fields })
    if (schedules.some(({ _id }) => _id === before.deleting))
      actor.send({ type: 'delete.ask', id: before.deleting as string })
  }, [actor, schedules, before, hasMore, isLoadingMore, loadMore])
  return {
    ...context,
    state,
    messageOf: (field) => faults.find(({ path }) => path === field)?.message,
    // vehicles of other groups are not to be seen any more
    fill: (patch) =>
      actor.send({
        type: 'fill',
        patch:
          patch.groups === undefined ? patch : { ...patch, ...picksThere(root, { ...fields, ...patch }) },
      }),
    enterEmail: () => actor.send({ type: 'email.enter' }),
    submit() {
      // of one that is changed the server leaves out what went
      if (editing === null) actor.send({ type: 'fill', patch: picksThere(root, fields) })
      actor.send({ type: 'submit' })
    },
    edit: (schedule) => actor.send({ type: 'edit', schedule }),
    cancel: () => actor.send({ type: 'cancel' }),
    askToDelete: (id) => actor.send({ type: 'delete.ask', id }),
    deleteIt: () => actor.send({ type: 'delete.yes' }),
    keepIt: () => actor.send({ type: 'delete.no' }),
  }
}

const DRAFT = 'schedule'
/** What was filled in, kept while there was no answer. */
const KeptSchedule = object({
  fields: open({
    groups: KeptPicks,
    vehicles: KeptPicks,
    emails: array(string()),
    email: string(),
    reportTypes: array(string()),
  }) as unknown as Struct<Partial<ScheduleFields>>,
  editing: nullable(string()),
  deleting: nullable(string()),
})

type Saving = { id: string | null; version: string | null; fields: ScheduleFields }

async function save({ http }: Root, { id, version, fields }: Saving, signal: AbortSignal): Promise<void> {
  const extra = extraFieldsOf(fields.reportTypes)
  const { interval, emails, reportTypes } = fields
  const extras = Object.fromEntries([...extra].map((field) => [field, fields[field as keyof ScheduleFields]]))
  const { body: Body } = REPORT_CALLS.scheduleReport
  const body = decode({ ...extras, ...pickedFor(fields), interval, emails, reportTypes }, Body, 'schedule')
  const options = { signal }
  if (id === null) await http.ask(REPORT_CALLS.scheduleReport, { body }, options)
  else
    await http
      .ask(
        REPORT_CALLS.updateSchedule,
        { params: { id }, body },
        { signal, ...(version !== null && { ifMatch: version }) },
      )
      .catch((error: unknown) => {
        throw error instanceof CallRefused && error.status === 412 ? new Error(AS_IT_IS_NOW) : error
      })
}

const AS_IT_IS_NOW = `${CHANGED_MEANWHILE}. Press Cancel, and edit it as it is now.`

type Picks = Pick<ScheduleFields, 'groups' | 'vehicles'>

/** Of what is picked the groups that are there still, and the vehicles in and below them. */
function picksThere({ live }: Root, { groups, vehicles }: Picks): Picks {
  const fleet = live.get()?.fleet
  if (fleet?.seq === undefined) return { groups, vehicles }
  const { columns, names, groups: all } = fleet
  const left = groups === 'all' ? groups : new Set([...groups].filter((id) => all.indexOf(id) >= 0))
  const within = withThoseBelow(all, left)
  const isThere = (imei: string): boolean => {
    const row = names.rowOf(imei)
    return row >= 0 && (within?.has(all.list[columns.group[row] ?? -1]?._id ?? '') ?? true)
  }
  return { groups: left, vehicles: vehicles === 'all' ? vehicles : new Set([...vehicles].filter(isThere)) }
}

/** The groups that are picked and all below them; undefined: none is, so that nothing is narrowed. */
export function withThoseBelow(
  { within }: Pick<Fleet['groups'], 'within'>,
  groups: ScheduleFields['groups'],
): ReadonlySet<string> | undefined {
  return groups === 'all' || groups.size === 0 ? undefined : new Set([...groups].flatMap(within))
}
