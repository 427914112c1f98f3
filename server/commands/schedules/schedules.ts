import { createHash } from 'node:crypto'
import { is } from 'superstruct'
import type { CommandData, CommandOf } from '#machines/contracts/commands.ts'
import { type ScheduledReportType, ScheduleInterval } from '#machines/contracts/entities/reports.ts'
import type { FactData, NewFact } from '#machines/contracts/facts.ts'
import { type Directory, devicesWithin, isWithin } from '#machines/projections/directory.ts'
import type { ScheduleRecord } from '#machines/projections/schedules.ts'
import { mailboxOf } from '#machines/rules/mailbox.ts'
import { DEFAULT_MIN_DISTANCE } from '#machines/rules/report-interval.ts'
import { reportTypeOf } from '#machines/rules/report-types.ts'
import { extraFieldsOf, type ScheduledPicks, scheduleFaults } from '#machines/rules/schedule-form.ts'
import { SPEED } from '#machines/rules/speed-limit.ts'
import { type Decision, decided, faulty, NOT_FOUND, refuse, stale } from '../decision.ts'
import { deviceInScope, devicesInScope, groupInScope, originOf } from '../structure.ts'
import { asksFor } from './scheduled-mail.ts'

/** Schedules of a company. */
export const MOST_SCHEDULES = 200
const TOO_MANY_SCHEDULES = `Your company has ${MOST_SCHEDULES} schedules, and no more are kept: delete one, or change one to what this is to be.`

type Schedule = Omit<CommandData<'schedule.update'>, 'scheduleId' | 'ifVersion'>
type Checked = Omit<FactData<'schedule.updated'>, 'scheduleId'>

/** A schedule of groups and devices in the requester's scope; it belongs to the group they are at. `topId`: their top group. */
export function createSchedule(
  directory: Directory,
  command: CommandOf<'schedule.create'>,
  topId: string,
): Decision {
  const { scheduleId, groupId, ...typed } = command.data
  const group = groupInScope(directory, groupId, topId)
  if (group === undefined) return refuse(404, NOT_FOUND)
  const origin = originOf(command, group.companyId)
  return checked(directory, typed, { groupId, topId }, (schedule) =>
    hasMost(directory, group.companyId)
      ? refuse(409, TOO_MANY_SCHEDULES)
      : decided(
          { ...origin, type: 'schedule.created', data: { scheduleId, groupId, ...schedule } },
          ...asksFor(directory, scheduleId, schedule.emails, origin),
        ),
  )
}

const hasMost = ({ schedules }: Directory, wanted: string): boolean =>
  [...schedules.values()].filter(({ companyId }) => companyId === wanted).length >= MOST_SCHEDULES

/** Stands for what a schedule says, whenever it ran: an opaque text. */
export function scheduleVersion({ ranTo: _, ...fields }: ScheduleRecord): string {
  const text = JSON.stringify(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)))
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

/**
 * It stays with its group, whoever changes it. What it had and is gone, or out of that group, since is left out; where none is left,
 * nobody is asked for others.
 */
export function updateSchedule(
  directory: Directory,
  command: CommandOf<'schedule.update'>,
  topId: string,
): Decision {
  const { scheduleId, ifVersion, ...typed } = command.data
  const known = directory.schedules.get(scheduleId)
  if (known === undefined || !isWithin(directory, known.groupId, topId)) return refuse(404, NOT_FOUND)
  if (ifVersion !== null && ifVersion !== scheduleVersion(known)) return stale()
  const origin = originOf(command, known.companyId)
  const { groupId } = known
  const left = {
    ...known,
    groups: known.groups.filter((id) => groupInScope(directory, id, groupId) !== undefined),
    vehicles: known.vehicles.filter((imei) => deviceInScope(directory, imei, groupId) !== undefined),
  }
  const wanted = {
    ...typed,
    groups: withoutGone(typed.groups, known.groups, left.groups),
    vehicles: withoutGone(typed.vehicles, known.vehicles, left.vehicles),
  }
  const decide = (schedule: Checked) =>
    decided(
      { ...origin, type: 'schedule.updated', data: { scheduleId, ...schedule } },
      ...asksFor(directory, scheduleId, schedule.emails, origin),
    )
  return checked(directory, wanted, { groupId, topId }, decide, left)
}

/** Refused with 404 for a schedule of a group that is not `topId` or below. */
export function deleteSchedule(
  directory: Directory,
  command: CommandOf<'schedule.delete'>,
  topId: string,
): Decision {
  const { scheduleId } = command.data
  const known = directory.schedules.get(scheduleId)
  if (known === undefined || !isWithin(directory, known.groupId, topId)) return refuse(404, NOT_FOUND)
  return decided({ ...originOf(command, known.companyId), type: 'schedule.deleted', data: { scheduleId } })
}

/**
 * A period is over: the reports over its vehicles are requested, once a period, whoever comes twice; a vehicle that is
 * gone since, or in another part of the tree, is left out.
 */
export function runSchedule(directory: Directory, command: CommandOf<'schedule.run'>): Decision {
  const { scheduleId, from, to, reportIds, upTo } = command.data
  const schedule = directory.schedules.get(scheduleId)
  if (schedule === undefined || to <= schedule.ranTo) return decided()
  const { groupId, companyId, reportTypes } = schedule
  // nothing is made or mailed for a company that is suspended
  const isSuspended = directory.companies.get(companyId)?.suspended !== false
  const things = vehiclesOf(directory, schedule)
  const origin = originOf(command, companyId)
  const requested = reportTypes.flatMap((type, i): NewFact[] => {
    const made = reportTypeOf(type)
    const reportId = reportIds[i]
    if (made === undefined || reportId === undefined || things.length === 0 || isSuspended) return []
    return [
      {
        ...origin,
        type: 'report.requested',
        data: {
          reportId,
          groupId,
          ...made,
          things,
          groups: [],
          from,
          to,
          types: null,
          minDistance: null,
          ...optionsFor(type, schedule),
          requestedBy: 'Schedule',
          scheduleId,
          upTo,
        },
      },
    ]
  })
  const reports = requested.flatMap((fact) => (fact.type === 'report.requested' ? [fact.data.reportId] : []))
  return decided(
    { ...origin, type: 'schedule.ran', data: { scheduleId, from, to, reportIds: reports } },
    ...requested,
  )
}

/**
 * The vehicles of a schedule as they are now: those picked that its group still sees, or all in and below its groups. Where
 * single vehicles are picked, the groups only say where from.
 */
function vehiclesOf(directory: Directory, schedule: ScheduleRecord): string[] {
  const { groupId, groups, vehicles, allGroups, allVehicles } = schedule
  if (allVehicles !== true)
    return vehicles.filter((imei) => deviceInScope(directory, imei, groupId) !== undefined)
  const within =
    allGroups === true ? [groupId] : groups.filter((id) => groupInScope(directory, id, groupId) !== undefined)
  const found = new Set(within.flatMap((id) => [...devicesWithin(directory, id)]))
  return [...found].flatMap((no) => {
    const device = directory.devices[no]
    return device?.type === 'vehicle' ? [device.imei] : []
  })
}

/** What reports of a type are requested with, beyond their vehicles and the period. */
function optionsFor(type: string, schedule: ScheduleRecord) {
  const fields = extraFieldsOf([type])
  const { speed, vehicleTravelDistance, startTime, endTime } = schedule
  return {
    ...(fields.has('speed') && { speed: speed ?? SPEED.standard }),
    ...(fields.has('vehicleTravelDistance') && {
      minDistance: vehicleTravelDistance ?? DEFAULT_MIN_DISTANCE,
    }),
    ...(fields.has('startTime') &&
      startTime !== undefined &&
      endTime !== undefined && { startTime, endTime }),
  }
}

/** `ids` without those there were before that are not left. */
function withoutGone(ids: string[], before: string[], left: string[]): string[] {
  const gone = new Set(before)
  for (const id of left) gone.delete(id)
  return ids.filter((id) => !gone.has(id))
}

/** The group of a schedule, and the top group of whoever asks. */
type Scope = { groupId: string; topId: string }

/** @param left what a schedule that is changed still has */
function checked(
  directory: Directory,
  typed: Schedule,
  { groupId, topId }: Scope,
  decide: (schedule: Checked) => Decision,
  left?: ScheduledPicks,
): Decision {
  const { groups, vehicles, interval, emails, reportTypes, allGroups, allVehicles, ...options } = typed
  if (!groups.every((id) => groupInScope(directory, id, topId))) return refuse(404, NOT_FOUND)
  if (devicesInScope(directory, vehicles, topId) === undefined) return refuse(404, NOT_FOUND)
  const faults = [...scheduleFaults(typed, left), ...elsewhere(directory, typed, groupId)]
  if (faults.length > 0 || !is(interval, ScheduleInterval)) return faulty(faults)
  return decide({
    ...requestedFor(options, reportTypes),
    interval,
    ...(allGroups === true ? { groups: [], allGroups } : { groups: [...new Set(groups)] }),
    ...(allVehicles === true ? { vehicles: [], allVehicles } : { vehicles: [...new Set(vehicles)] }),
    // of several spellings of one mailbox the first
    emails: emails.map((email) => email.trim()).filter(isFirst),
    reportTypes: [...new Set(reportTypes as ScheduledReportType[])],
  })
}

const isFirst = (email: string, i: number, all: readonly string[]): boolean =>
  all.findIndex((other) => mailboxOf(other) === mailboxOf(email)) === i

/** No run would look at what is not in the group of a schedule. */
function elsewhere(directory: Directory, { groups, vehicles }: Schedule, groupId: string) {
  const name = directory.groups.get(groupId)?.name ?? ''
  const message = `This is a schedule of ${name}: pick what is there, and make another schedule for what is not.`
  return [
    ...(groups.every((id) => groupInScope(directory, id, groupId)) ? [] : [{ path: 'groups', message }]),
    ...(devicesInScope(directory, vehicles, groupId) ? [] : [{ path: 'vehicles', message }]),
  ]
}

/** What the types of a schedule ask for of what was sent with it. */
function requestedFor<T extends object>(options: T, reportTypes: readonly string[]): Partial<T> {
  const fields: ReadonlySet<string> = extraFieldsOf(reportTypes)
  return Object.fromEntries(Object.entries(options).filter(([field]) => fields.has(field))) as Partial<T>
}
