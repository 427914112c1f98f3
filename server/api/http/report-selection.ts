import type { ReportSelection } from '#machines/contracts/entities/reports.ts'
import { type Directory, isWithin } from '#machines/projections/directory.ts'
import type { ReportRecord } from '#machines/projections/reports.ts'

/** So many are named: a report may be of 100,000 devices, and a log of thousands of reports. */
const NAMED = 5

/** What was chosen for a report, as somebody may know it who sees `topId` and all below it. */
export function selectionOf(
  directory: Directory,
  { groups, devices }: Pick<ReportRecord, 'groups' | 'devices'>,
  topId: string,
): ReportSelection {
  const isSeen = ({ groupId }: { groupId: string | null }) => isWithin(directory, groupId, topId)
  return {
    groups: firstNames(groups, (id) => {
      const group = directory.groups.get(id)
      return group && isSeen({ groupId: id }) ? group.name : undefined
    }),
    groupCount: groups.length,
    devices: firstNames(devices, (no) => {
      const device = directory.devices[no]
      return device && isSeen(device) ? device.plateNumber || device.name : undefined
    }),
    deviceCount: devices.length,
  }
}

function firstNames<T>(ids: readonly T[], nameOf: (id: T) => string | undefined): string[] {
  const names: string[] = []
  for (const id of ids) {
    if (names.length === NAMED) break
    const name = nameOf(id)
    if (name !== undefined) names.push(name)
  }
  return names
}
