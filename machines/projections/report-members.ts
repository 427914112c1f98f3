import { type Directory, isWithin } from './directory.ts'
import type { ReportRecord } from './reports.ts'

/** Whether a report is of a device, by its number; a picked group stands for all that is in and below it by now. */
export function membersOf(
  directory: Directory,
  { devices, groups, companyId }: Pick<ReportRecord, 'devices' | 'companyId'> & { groups: readonly string[] },
): (no: number) => boolean {
  // of most reports no device is asked for
  let picked: Set<number> | undefined
  const known = new Map<number, boolean>()
  const isOf = (no: number): boolean => {
    const device = directory.devices[no]
    if (device?.companyId !== companyId) return false
    picked ??= new Set(devices)
    return picked.has(no) || groups.some((id) => isWithin(directory, device.groupId, id))
  }
  return (no) => {
    const isKnown = known.get(no) ?? isOf(no)
    known.set(no, isKnown)
    return isKnown
  }
}
