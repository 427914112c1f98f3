import { Id, Imei } from '#machines/contracts/scalars.ts'
import type { DashboardFilters, Picked } from '#machines/dashboard/dashboard.machine.ts'
import type { DashboardView } from '../../actors/dashboard-actor.ts'
import { type Choice, choice, idOrNone, oneOf, pageAddress, typed } from '../../format/page-address.ts'
import { choiceOf, groupIds, imeis, pickedBy } from '../../read-model/choices.ts'
import type { Fleet } from '../../read-model/fleet.ts'

/** What the dashboard shows, as its address says it. */
export type Requested = Omit<DashboardView, 'groups' | 'devices'> & { groups: Choice; devices: Choice }

/** `/?status=offline&q=LEB&groups=a,b&devices=~1,2&device=1`; the dashboard as it opens has no query. */
export const dashboardAddress = pageAddress<Requested>({
  status: oneOf('status', ['all', 'online', 'offline', 'disconnected', 'trouble'], 'all'),
  words: typed('q'),
  groups: choice('groups', Id),
  devices: choice('devices', Imei),
  selected: idOrNone('device', Imei),
})

/** `/?list=plate.at~-temperature`: the columns and the order of the list. A part of its own: another look is no other view. */
export const lookAddress = pageAddress<{ look: string }>({ look: typed('list') })

/** What an address says of a view. */
export const addressed = (fleet: Fleet, view: DashboardView): Requested => ({
  ...view,
  groups: choiceOf(view.groups, groupIds(fleet)),
  devices: choiceOf(view.devices, imeis(fleet)),
})

/**
 * What an address asks for, without what the visitor cannot see: a choice of which nothing is left is none. What was picked before
 * stays where it is too much for the address, unless it hides the device that is asked for.
 */
export function requestedOf(fleet: Fleet, requested: Requested, before: DashboardFilters): DashboardView {
  const { names, groups, columns } = fleet
  const row = requested.selected === null ? -1 : names.rowOf(requested.selected)
  const selected = row < 0 ? null : requested.selected
  const group = groups.list[columns.group[row] as number]?._id
  return {
    ...requested,
    groups: pickedBy(requested.groups, groupIds(fleet)) ?? unlessHidden(before.groups, group),
    devices: pickedBy(requested.devices, imeis(fleet)) ?? unlessHidden(before.devices, selected),
    selected,
  }
}

/** @param needed what holds the device that is asked for */
const unlessHidden = (before: Picked, needed: string | null | undefined): Picked =>
  before === 'all' || needed == null || before.has(needed) ? before : 'all'

/** Whether an address is that of the dashboard as it opens. */
export const isBare = (requested: Requested): boolean => dashboardAddress.write(requested) === ''
