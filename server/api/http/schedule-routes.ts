import type { ReportSchedule } from '#machines/contracts/entities/reports.ts'
import { isWithin } from '#machines/projections/directory.ts'
import { lettersLeft, mailStateOf } from '#machines/projections/scheduled-mail.ts'
import type { ScheduleRecord } from '#machines/projections/schedules.ts'
import { newId } from '../../commands/repeatable.ts'
import {
  createSchedule,
  deleteSchedule,
  scheduleVersion,
  updateSchedule,
} from '../../commands/schedules/schedules.ts'
import { deviceInScope, groupInScope } from '../../commands/structure.ts'
import { streamOf } from '../../jobs/reports/queue.ts'
import type { HttpContext } from './context.ts'
import { pageOrAll } from './json-rows.ts'
import { notFound, refusal } from './refusals.ts'
import { ifVersion, refusedEdit, versioned } from './versions.ts'

type Deps = Pick<HttpContext, 'answerCall' | 'visible' | 'execute' | 'readModels' | 'clock'>

/** Schedules an address makes or changes a minute: each may name all devices of a company. */
const LIMIT = { perMinute: 60 }

/** Schedules of reports: made, changed, listed, deleted. One belongs to the group of who made it. */
export function scheduleRoutes({ answerCall, visible, execute, readModels, clock }: Deps): void {
  const { directory } = readModels

  answerCall(
    'scheduleReport',
    async ({ body, visitor }) => {
      const scheduleId = newId('s')
      const { refused } = await execute(
        streamOf(visitor.companyId),
        {
          type: 'schedule.create',
          by: visitor.userId,
          data: { ...body, interval: body.interval ?? '', scheduleId, groupId: visitor.groupId },
        },
        (state, command) => createSchedule(state, command, visitor.groupId),
      )
      if (refused) throw refusal(refused)
      return answerOf(scheduleId, visitor.groupId)
    },
    LIMIT,
  )

  answerCall(
    'updateSchedule',
    async ({ params: { id }, body, visitor, request, reply }) => {
      const { refused } = await execute(
        streamOf(visitor.companyId),
        {
          type: 'schedule.update',
          by: visitor.userId,
          data: { ...body, interval: body.interval ?? '', scheduleId: id, ifVersion: ifVersion(request) },
        },
        (state, command) => updateSchedule(state, command, visitor.groupId),
      )
      if (refused) throw refusedEdit(refused, () => answerOf(id, visitor.groupId), { by: null, at: null })
      return versioned(reply, answerOf(id, visitor.groupId))
    },
    LIMIT,
  )

  answerCall('schedules', ({ params, query, visitor, reply }) => {
    visible.company(visitor, params.companyId)
    const { groupId: topId } = visitor
    const seen = directory.schedules.values().filter(({ groupId }) => isWithin(directory, groupId, topId))
    return pageOrAll(seen, query, (schedule) => scheduleAnswer(schedule, topId), reply)
  })

  answerCall('deleteSchedule', async ({ params: { id }, visitor }) => {
    const { refused } = await execute(
      streamOf(visitor.companyId),
      { type: 'schedule.delete', by: visitor.userId, data: { scheduleId: id } },
      (state, command) => deleteSchedule(state, command, visitor.groupId),
    )
    if (refused) throw refusal(refused)
    return { message: 'Report Schedule Deleted' }
  })

  function answerOf(id: string, topId: string): ReportSchedule {
    const schedule = directory.schedules.get(id)
    if (schedule === undefined) throw notFound()
    return scheduleAnswer(schedule, topId)
  }

  /** Who gets none of its mails, and why; nothing where all do. */
  function notSentOf({ companyId, emails }: ScheduleRecord): Pick<ReportSchedule, 'notSent'> {
    const notSent = emails.flatMap((email): NonNullable<ReportSchedule['notSent']> => {
      const state = mailStateOf(directory, companyId, email)
      if (state !== 'sent') return [{ email, because: state }]
      const left = lettersLeft(directory.scheduledMail, companyId, email, clock.now())
      return left > 0 ? [] : [{ email, because: 'budget' }]
    })
    return notSent.length === 0 ? {} : { notSent }
  }

  /** With today's names; what is gone since, or out of scope, is left out. */
  function scheduleAnswer(schedule: ScheduleRecord, topId: string): ReportSchedule {
    const { scheduleId, companyId, groupId: _, createdAt: __, ranTo: ___, ...rest } = schedule
    return {
      ...rest,
      _id: scheduleId,
      version: scheduleVersion(schedule),
      company: companyId,
      ...notSentOf(schedule),
      groups: schedule.groups.flatMap((id) => {
        const group = groupInScope(directory, id, topId)
        return group ? [{ _id: id, name: group.name }] : []
      }),
      vehicles: schedule.vehicles.flatMap((imei) => {
        const device = deviceInScope(directory, imei, topId)
        return device ? [{ _id: imei, plateNumber: device.plateNumber, name: device.name }] : []
      }),
    }
  }
}
