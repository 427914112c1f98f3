import { useEffect } from 'react'
import { type Infer, nullable, number, object, string } from 'superstruct'
import type { BodyOf } from '#machines/contracts/calls/call.ts'
import { REPORT_CALLS } from '#machines/contracts/calls/report-calls.ts'
import { decode } from '#machines/contracts/decode.ts'
import { ReportSchedule } from '#machines/contracts/entities/reports.ts'
import {
  BLANK_SCHEDULE,
  type Chosen,
  fieldsOfSchedule,
  type Picks,
  pickedFor,
  type ScheduleFields,
  scheduleFieldFaults,
  withTypedEmail,
} from '#machines/rules/schedule-fields.ts'
import { extraFieldsOf } from '#machines/rules/schedule-form.ts'
import { leaveOnceConfirmed } from '../effects/leaving.ts'
import type { Fleet } from '../read-model/fleet.ts'
import { type RecordForm, useRecordForm } from './record-form.ts'
import { useKeptState } from './use-drafts.ts'
import { useRoot } from './use-root.ts'

/** `id`: of the schedule in the form, null for a new one. `turn`: another with each form that is opened. */
const Opened = object({ id: nullable(string()), turn: number() })

/** Which schedule is in the form of the page: a new one at first. `open` asks about unsaved changes, `close` does not. */
export function useOpenSchedule() {
  const [{ id, turn }, setOpened] = useKeptState<Infer<typeof Opened>>('opened', Opened, {
    id: null,
    turn: 0,
  })
  return {
    id,
    turn,
    open: (next: string) => leaveOnceConfirmed(() => setOpened({ id: next, turn: turn + 1 })),
    close: () => setOpened({ id: null, turn: turn + 1 }),
  }
}

export type ScheduleForm = RecordForm<Partial<ReportSchedule>, ScheduleFields>

export type ScheduleFormOptions = {
  /** of the schedule that is changed; null: a new one */
  id: string | null
  /** those there are */
  schedules: readonly ReportSchedule[]
  onSaved: () => void
  /** nothing is left to do here */
  onClose: () => void
}

/** The form of a schedule. One that is changed is taken from the list, which follows what others do. */
export function useScheduleForm({ id, schedules, onSaved, onClose }: ScheduleFormOptions): ScheduleForm {
  const { http, toasts, live } = useRoot()
  const isNew = id === null
  const schedule = schedules.find(({ _id }) => _id === id)
  const form = useRecordForm<Partial<ReportSchedule>, ScheduleFields>({
    name: id ?? '',
    load: async () => schedule ?? {},
    read: (known) =>
      known.version === undefined
        ? { fields: BLANK_SCHEDULE, version: null }
        : { fields: fieldsOfSchedule(known as ReportSchedule), version: known.version },
    check: (fields) => scheduleFieldFaults(fields, isNew),
    save: (fields, _, options) =>
      isNew
        ? http.ask(REPORT_CALLS.scheduleReport, { body: bodyOf(fields) }, options)
        : http.ask(REPORT_CALLS.updateSchedule, { params: { id }, body: bodyOf(fields) }, options),
    contract: ReportSchedule,
    onSaved() {
      toasts.success(isNew ? 'Report scheduled successfully' : 'Report schedule updated')
      onSaved()
    },
    onClose,
  })
  const { entity, changedElsewhere } = form
  const isOld = schedule !== undefined && entity !== undefined && schedule.version !== entity.version
  useEffect(() => {
    if (isOld) changedElsewhere()
  }, [isOld, changedElsewhere])
  const picksNow = (patch: Partial<Picks>) => picksThere(live.get()?.fleet, { ...form.fields, ...patch })
  return {
    ...form,
    error: isNew || schedule ? form.error : GONE,
    // vehicles of other groups are not to be seen any more
    edit: (patch) => form.edit(patch.groups === undefined ? patch : { ...patch, ...picksNow(patch) }),
    submit() {
      // of one that is changed the server leaves out what went
      form.edit({ ...withTypedEmail(form.fields), ...(isNew && picksNow({})) })
      form.submit()
    },
  }
}

const GONE = 'This schedule was deleted meanwhile: it cannot be saved any more.'

type Body = BodyOf<typeof REPORT_CALLS.scheduleReport>

/** What its report types do not ask for is not sent. */
function bodyOf(fields: ScheduleFields): Body {
  const { interval, emails, reportTypes } = fields
  const extras = Object.fromEntries(
    [...extraFieldsOf(reportTypes)].map((field) => [field, fields[field as keyof ScheduleFields]]),
  )
  return decode(
    { ...extras, ...pickedFor(fields), interval, emails, reportTypes },
    REPORT_CALLS.scheduleReport.body,
    'schedule',
  )
}

/** Of what is picked the groups that are there still, and the vehicles in and below them. */
function picksThere(fleet: Fleet | undefined, { groups, vehicles }: Picks): Picks {
  if (fleet?.seq === undefined) return { groups, vehicles }
  const { columns, names, groups: all } = fleet
  const left = groups === 'all' ? groups : groups.filter((id) => all.indexOf(id) >= 0)
  const within = withThoseBelow(all, left)
  const isThere = (imei: string): boolean => {
    const row = names.rowOf(imei)
    return row >= 0 && (within?.has(all.list[columns.group[row] ?? -1]?._id ?? '') ?? true)
  }
  return { groups: left, vehicles: vehicles === 'all' ? vehicles : vehicles.filter(isThere) }
}

/** The groups that are picked and all below them; undefined: none is, so that nothing is narrowed. */
export function withThoseBelow(
  { within }: Pick<Fleet['groups'], 'within'>,
  groups: Chosen,
): ReadonlySet<string> | undefined {
  return groups === 'all' || groups.length === 0 ? undefined : new Set(groups.flatMap(within))
}
