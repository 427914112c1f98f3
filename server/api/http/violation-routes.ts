import { ALL, type ViolationType } from '#machines/contracts/scalars.ts'
import { type Device, devicesIn, groupsWithin, isWithin } from '#machines/projections/directory.ts'
import type { Visitor } from '../../auth/visitor.ts'
import { noViolations, type ViolationCounts } from '../../read-models/notification-index.ts'
import type { HttpContext } from './context.ts'

type Deps = Pick<HttpContext, 'answerCall' | 'visible' | 'readModels' | 'notifications'>

/** How often visible devices were beyond their limits: what charts are drawn from. */
export function violationRoutes({ answerCall, visible, readModels, notifications }: Deps): void {
  const { directory } = readModels
  const isOf =
    (groupId: string) =>
    (no: number): boolean =>
      isWithin(directory, (directory.devices[no] as Device).groupId, groupId)

  function oneOf(imeis: string[], visitor: Visitor, groupId: string): (no: number) => boolean {
    const numbers = new Set(imeis.map((imei) => visible.device(visitor, imei).no).filter(isOf(groupId)))
    return (no) => numbers.has(no)
  }

  answerCall('violationStats', async ({ params, body, visitor }) => {
    const groupId = visible.group(visitor, params.groupId)._id
    const { devices = [ALL] } = body
    const found = await notifications.violations({
      from: Date.parse(body.startDate),
      to: Date.parse(body.endDate),
      isAsked: devices.includes(ALL) ? isOf(groupId) : oneOf(devices, visitor, groupId),
      types: body.violations,
    })
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
