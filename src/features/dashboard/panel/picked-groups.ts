import type { FleetGroup } from '#machines/contracts/fleet-snapshot.ts'
import type { Picked } from '#machines/dashboard/dashboard.machine.ts'

/** What is ticked: every group where all are picked. */
export const tickedGroups = (picked: Picked, groups: readonly FleetGroup[]): ReadonlySet<string> =>
  picked === 'all' ? new Set(groups.map(({ _id }) => _id)) : picked

/** Every group ticked is all of them, those to come included. */
export const pickedGroups = (ticked: ReadonlySet<string>, groups: readonly FleetGroup[]): Picked =>
  groups.every(({ _id }) => ticked.has(_id)) ? 'all' : ticked
