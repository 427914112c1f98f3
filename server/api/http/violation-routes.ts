import { ALL, type ViolationType } from '#machines/contracts/scalars.ts'
import { type Device, devicesIn, groupsWithin, isWithin } from '#machines/projections/directory.ts'
import { isTimeZone } from '#machines/rules/zoned-time.ts'
import type { Visitor } from '../../auth/visitor.ts'
import {
  noViolations,
  type ViolationCounts,
  type ViolationQuery,
} from '../../read-models/notification-index.ts'
import type { HttpContext } from './context.ts'
import { createKeptHistory } from './kept-history.ts'
import { ApiError } from './refusals.ts'
import { violationTimes } from './violation-times.ts'

/** Whose violations are asked for, which and of when. */
type Asked = {
  devices?: string[] | undefined
  violations: ViolationType[]
  startDate: string
  endDate: string
}

type Deps = Pick<HttpContext, 'answerCall' | 'visible' | 'readModels' | 'notifications' | 'store' | 'clock'>

/** Of so many days at most it is said how long devices were beyond their limits. */
const MOST_DAYS = 400
const DAY = 86_400_000

/** How often visible devices were beyond their limits: what charts are drawn from. */
export function violationRoutes(deps: Deps): void {
  const { answerCall, visible, readModels, notifications, clock } = deps
  const { directory } = readModels
  const keptHistory = createKeptHistory(deps)
  const isOf =
    (groupId: string) =>
    (no: number): boolean =>
      isWithin(directory, (directory.devices[no] as Device).groupId, groupId)

  function oneOf(imeis: string[], visitor: Visitor, groupId: string): (no: number) => boolean {
    const numbers = new Set(imeis.map((imei) => visible.device(visitor, imei).no).filter(isOf(groupId)))
    return (no) => numbers.has(no)
  }

  function queryOf(body: Asked, visitor: Visitor, groupId: string): ViolationQuery {
    const { devices = [ALL], violations: types, startDate, endDate } = body
    return {
      from: Date.parse(startDate),
      to: Date.parse(endDate),
      isAsked: devices.includes(ALL) ? isOf(groupId) : oneOf(devices, visitor, groupId),
      types,
    }
  }

  answerCall('violationStats', async ({ params, body, visitor }) => {
    const groupId = visible.group(visitor, params.groupId)._id
    const found = await notifications.violations(queryOf(body, visitor, groupId))
    const data = [...found].map(([no, counts]) => {
      const { plateNumber, imei } = directory.devices[no] as Device
      return {
        plateNumber,
        imei,
        LowTemperature: counts.LOW_TEMPERATURE_DETECTED,
        LowHumidity: counts.LOW_HUMIDITY_DETECTED,
        HighTemperature: counts.HIGH_TEMPERATURE_DETECTED,
        HighHumidity: counts.HIGH_HUMIDITY_DETECTED,
      }
    })
    return {
      data: data.sort((a, b) => plates.compare(a.plateNumber, b.plateNumber) || (a.imei < b.imei ? -1 : 1)),
      counts: totalsOf(found.values()),
      ...notifications.lacking(Date.parse(body.startDate)),
    }
  })

  answerCall('violationTimes', async ({ params, body, visitor }) => {
    const groupId = visible.group(visitor, params.groupId)._id
    const { timeZone } = body
    if (!isTimeZone(timeZone))
      throw new ApiError(400, `${timeZone} is no time zone: name one as Asia/Karachi or UTC`)
    const query = queryOf(body, visitor, groupId)
    if (query.to - query.from > MOST_DAYS * DAY) throw new ApiError(400, `Choose ${MOST_DAYS} days at most`)
    const spans = await notifications.violationSpans(query)
    return violationTimes({ ...deps, keptHistory }, spans, query, timeZone, clock.now())
  })

  answerCall('summaryChart', async ({ params, body, visitor }) => {
    const groupId = visible.group(visitor, params.groupId)._id
    const devices = devicesIn(groupsWithin(directory, groupId))
    const found = await notifications.violations({
      from: body.startDate,
      to: body.endDate,
      isAsked: isOf(groupId),
    })
    return {
      data: [
        { label: 'Violation Devices', value: found.size },
        { label: 'Normal Devices', value: devices - found.size },
      ],
      numOfDevices: devices,
      totalViolations: totalsOf(found.values()).total,
      ...notifications.lacking(body.startDate),
    }
  })
}

/** LES-9 before LES-10 */
const plates = new Intl.Collator('en', { numeric: true })

/** Sums of a type over all devices, and of all types. */
function totalsOf(all: Iterable<ViolationCounts>): ViolationCounts & { total: number } {
  const sums = { ...noViolations(), total: 0 }
  for (const counts of all)
    for (const [type, count] of Object.entries(counts)) {
      sums[type as ViolationType] += count
      sums.total += count
    }
  return sums
}
