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

/** Where one looks: a group and below, who looks, and as of when. */
type Sought = { groupId: string; visitor: Visitor; cut: Cut | undefined }

/** How often visible devices were beyond their limits: what charts are drawn from. */
export function violationRoutes(deps: Deps): void {
  statsRoute(deps)
  timesRoute(deps)
  summaryRoute(deps)
}

function statsRoute(deps: Deps): void {
  const { answerCall, visible, notifications } = deps
  const cutOf = createCutOf(deps)

  answerCall('violationStats', async ({ params, query: asOf, body, visitor }) => {
    const groupId = visible.group(visitor, params.groupId)._id
    const sought = { groupId, visitor, cut: await cutOf(asOf, visitor) }
    const found = await notifications.violations(queryOf(deps, body, sought))
    const data = [...found].map(([no, counts]) => {
      const { plateNumber, imei } = shownAs(deps, sought, no)
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
}

function timesRoute(deps: Deps): void {
  const { answerCall, visible, notifications, clock } = deps
  const keptHistory = createKeptHistory(deps)
  const cutOf = createCutOf(deps)

  answerCall('violationTimes', async ({ params, query: asOf, body, visitor }) => {
    const groupId = visible.group(visitor, params.groupId)._id
    const { timeZone } = body
    if (!isTimeZone(timeZone))
      throw new ApiError(400, `${timeZone} is no time zone: name one as Asia/Karachi or UTC`)
    const cut = await cutOf(asOf, visitor)
    const sought = { groupId, visitor, cut }
    const query = queryOf(deps, body, sought)
    if (query.to - query.from > MOST_DAYS * DAY) throw new ApiError(400, `Choose ${MOST_DAYS} days at most`)
    const spans = await notifications.violationSpans(query)
    const known = {
      ...deps,
      keptHistory: historyAt(keptHistory, cut),
      shownAs: (no: number) => shownAs(deps, sought, no),
    }
    return violationTimes(known, spans, query, timeZone, cut?.at ?? clock.now())
  })
}

function summaryRoute(deps: Deps): void {
  const { answerCall, visible, notifications } = deps
  const cutOf = createCutOf(deps)

  answerCall('summaryChart', async ({ params, query, body, visitor }) => {
    const groupId = visible.group(visitor, params.groupId)._id
    const cut = await cutOf(query, visitor)
    const devices = inUse(deps, { groupId, visitor, cut })
    const found = await notifications.violations({
      from: body.startDate,
      to: Math.min(body.endDate, cut?.at ?? Number.POSITIVE_INFINITY),
      cut,
      isRequested: ever(deps, devices, groupId),
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

function queryOf(deps: Deps, body: Requested, sought: Sought): ViolationQuery {
  const { devices = [ALL], violations: types, startDate, endDate } = body
  const { groupId, cut } = sought
  return {
    from: Date.parse(startDate),
    to: Math.min(Date.parse(endDate), cut?.at ?? Number.POSITIVE_INFINITY),
    cut,
    isRequested: devices.includes(ALL)
      ? ever(deps, inUse(deps, sought), groupId)
      : named(deps, devices, sought),
    types,
  }
}

/** Whether a device, by its number, is one of these and of the group or below. */
function named(
  { visible, readModels: { directory } }: Deps,
  imeis: string[],
  { visitor, groupId }: Sought,
): ViolationQuery['isRequested'] {
  const devices = imeis.map((imei) => visible.device(visitor, imei))
  const numbers = new Set(
    devices.flatMap((device) => (isWithin(directory, device.groupId, groupId) ? device.no : [])),
  )
  return (no) => numbers.has(no)
}

/** Devices of a group and below, by number. None that is retired: it is no device that could be without violations either. */
function inUse({ readModels }: Deps, { groupId, visitor, cut }: Sought): Set<number> {
  const shown = cut === undefined ? readModels.directory : visibleAt(cut, readModels, visitor.groupId)
  return new Set(devicesWithin(shown, groupId))
}

/** The same with those that were retired of them: what they did stays in the lists of what happened. */
function ever(
  { readModels: { directory } }: Deps,
  used: ReadonlySet<number>,
  groupId: string,
): ViolationQuery['isRequested'] {
  return (no) => {
    const device = directory.devices[no]
    return used.has(no) || (device?.retired != null && isWithin(directory, device.groupId, groupId))
  }
}

/** A device, by its number, as it was called where one looks. */
function shownAs({ readModels }: Deps, { cut, visitor }: Sought, no: number): Device {
  return deviceAt(cut, readModels.directory.devices[no] as Device, readModels, visitor)
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
