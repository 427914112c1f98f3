import type { Fact, FactData } from '../contracts/facts.ts'
import { instantOf, isTimeZone, wallTime } from '../rules/zoned-time.ts'

/** A schedule that was not deleted. */
export type ScheduleRecord = FactData<'schedule.created'> & {
  companyId: string
  createdAt: number
  /** the end of the last period that was run, and that it was not changed before; epoch ms, by the calendar of the company */
  ranTo: number
}

/** By id, in order of their making. */
export type Schedules = Map<string, ScheduleRecord>

/** The first period that is run is the one it was created in, from its beginning. */
export function foldScheduleCreated(
  schedules: Schedules,
  data: FactData<'schedule.created'>,
  { at, companyId }: Pick<Fact, 'at' | 'companyId'>,
): void {
  schedules.set(data.scheduleId, { ...data, companyId: companyId ?? '', createdAt: at, ranTo: at })
}

export function foldScheduleUpdated(
  schedules: Schedules,
  data: FactData<'schedule.updated'>,
  at: number,
): void {
  const schedule = schedules.get(data.scheduleId)
  if (schedule === undefined) return
  const { scheduleId, groupId, companyId, createdAt, interval } = schedule
  // periods of another length begin with the change; those of the same go on
  const ranTo = interval === data.interval ? schedule.ranTo : Math.max(schedule.ranTo, at)
  schedules.set(scheduleId, { ...data, scheduleId, groupId, companyId, createdAt, ranTo })
}

export const foldScheduleDeleted = (
  schedules: Schedules,
  { scheduleId }: FactData<'schedule.deleted'>,
): void => void schedules.delete(scheduleId)

/** One that was deleted meanwhile stays so. */
export function foldScheduleRan(schedules: Schedules, { scheduleId, to }: FactData<'schedule.ran'>): void {
  const schedule = schedules.get(scheduleId)
  if (schedule) schedule.ranTo = Math.max(schedule.ranTo, to)
}

/** A company moves to another zone: its schedules were run to the same date and time there, so that no period is run twice or left out. */
export function foldZoneChanged(
  schedules: Schedules,
  companyId: string,
  before: string,
  after: string,
): void {
  if (!isTimeZone(before) || !isTimeZone(after)) return
  for (const schedule of schedules.values())
    if (schedule.companyId === companyId) schedule.ranTo = instantOf(wallTime(schedule.ranTo, before), after)
}

/**
 * Schedules of a deleted group belong to the group above from then on. One of all its groups is of those that are gone: it has no
 * vehicles, as what the group above has more was not meant.
 */
export function foldSchedulesUp(schedules: Schedules, groupId: string, parentId: string | null): void {
  if (parentId === null) return
  for (const schedule of schedules.values()) {
    if (schedule.groupId !== groupId) continue
    const { allGroups, ...rest } = schedule
    const left = allGroups === true ? { ...rest, groups: [groupId] } : schedule
    schedules.set(schedule.scheduleId, { ...left, groupId: parentId })
  }
}
