import type { AsOf } from '#machines/contracts/calls/as-of.ts'
import { ALL, type ViolationType } from '#machines/contracts/scalars.ts'
import { type Device, devicesWithin, isWithin } from '#machines/projections/directory.ts'
import { isTimeZone } from '#machines/rules/zoned-time.ts'
import type { Visitor } from '../../auth/visitor.ts'
import type { Cut } from '../../read-models/cut.ts'
import {
  noViolations,
  type ViolationCounts,
  type ViolationQuery,
} from '../../read-models/notification-index.ts'
import { createCutOf, deviceAt, historyAt, visibleAt } from './as-of.ts'
import type { HttpContext } from './context.ts'
import { createKeptHistory } from './kept-history.ts'
import { ApiError } from './refusals.ts'
import { violationTimes } from './violation-times.ts'

/** Whose violations are asked for, which and of when. */
type Requested = {
  devices?: string[] | undefined
  violations: ViolationType[]
  startDate: string
  endDate: string
}

type Deps = Pick<
  HttpContext,
  'answerCall' | 'visible' | 'readModels' | 'notifications' | 'store' | 'clock' | 'past'
>

/** Of so many days at most it is said how long devices were beyond their limits. */
const MOST_DAYS = 400
const DAY = 86_400_000

/** How often visible devices were beyond their limits: what charts are drawn from. */
export function violationRoutes(deps: Deps): void {
  const { answerCall, visible, readModels, notifications, clock } = deps
  const { directory } = readModels
  const keptHistory = createKeptHistory(deps)
  const cutOf = createCutOf(deps)

  /** Whether a device, by its number, is one of these and of the group or below. */
  function named(imeis: string[], visitor: Visitor, group: string): ViolationQuery['isRequested'] {
    const devices = imeis.map((imei) => visible.device(visitor, imei))
    const numbers = new Set(
      devices.flatMap(({ no, groupId }) => (isWithin(directory, groupId, group) ? no : [])),
    )
    return (no) => numbers.has(no)
  }

  /** Devices of a group and below, by number. None that is retired: it is no device that could be without violations either. */
  function all(cut: Cut | undefined, visitor: Visitor, groupId: string): Set<number> {
    const shown = cut === undefined ? directory : visibleAt(cut, readModels, visitor.groupId)
    return new Set(devicesWithin(shown, groupId))
  }

  /** The same with those that were retired of them: what they did stays in the lists of what happened. */
  const ever =
    (inUse: ReadonlySet<number>, groupId: string): ViolationQuery['isRequested'] =>
    (no) => {
      const device = directory.devices[no]
      return inUse.has(no) || (device?.retired != null && isWithin(directory, device.groupId, groupId))
    }

  /** A device, by its number, as it was called where one looks. */
  const shownAt =
    (cut: Cut | undefined, visitor: Visitor) =>
    (no: number): Device =>
      deviceAt(cut, directory.devices[no] as Device, readModels, visitor)

  async function queryOf(
    body: Requested,
    asOf: AsOf,
    visitor: Visitor,
    groupId: string,
  ): Promise<ViolationQuery> {
    const { devices = [ALL], violations: types, startDate, endDate } = body
    const cut = await cutOf(asOf, visitor)
    return {
      from: Date.parse(startDate),
      to: Math.min(Date.parse(endDate), cut?.at ?? Number.POSITIVE_INFINITY),
      cut,
      isRequested: devices.includes(ALL)
        ? ever(all(cut, visitor, groupId), groupId)
        : named(devices, visitor, groupId),
      types,
    }
  }

  answerCall('violationStats', async ({ params, query: asOf, body, visitor }) => {
    const groupId = visible.group(visitor, params.groupId)._id
    const query = await queryOf(body, asOf, visitor, groupId)
    const found = await notifications.violations(query)
    const shownAs = shownAt(query.cut, visitor)
    const data = [...found].map(([no, counts]) => {
      const { plateNumber, imei } = shownAs(no)
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

  answerCall('violationTimes', async ({ params, query: asOf, body, visitor }) => {
    const groupId = visible.group(visitor, params.groupId)._id
    const { timeZone } = body
    if (!isTimeZone(timeZone))
      throw new ApiError(400, `${timeZone} is no time zone: name one as Asia/Karachi or UTC`)
    const query = await queryOf(body, asOf, visitor, groupId)
    const { cut } = query
    if (query.to - query.from > MOST_DAYS * DAY) throw new ApiError(400, `Choose ${MOST_DAYS} days at most`)
    const spans = await notifications.violationSpans(query)
    const known = { ...deps, keptHistory: historyAt(keptHistory, cut), shownAs: shownAt(cut, visitor) }
    return violationTimes(known, spans, query, timeZone, cut?.at ?? clock.now())
  })

  answerCall('summaryChart', async ({ params, query, body, visitor }) => {
    const groupId = visible.group(visitor, params.groupId)._id
    const cut = await cutOf(query, visitor)
    const devices = all(cut, visitor, groupId)
    const found = await notifications.violations({
      from: body.startDate,
      to: Math.min(body.endDate, cut?.at ?? Number.POSITIVE_INFINITY),
      cut,
      isRequested: ever(devices, groupId),
    })
    const violating = [...found.keys()].filter((no) => devices.has(no)).length
    return {
      data: [
        { label: 'Violation Devices', value: violating },
        { label: 'Normal Devices', value: devices.size - violating },
      ],
      numOfDevices: devices.size,
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
