import { Id, Imei } from '#machines/contracts/scalars.ts'
import type { DashboardFilters, Picked } from '#machines/dashboard/dashboard.machine.ts'
import { idOrNone, oneOf, pageAddress, picks, typed } from '../../format/page-address.ts'
import type { Fleet } from '../../read-model/fleet.ts'

/** What of the dashboard is in its address: what is picked, searched for and selected. */
export type DashboardView = DashboardFilters & { selected: string | null }

/** More groups or devices than these were picked one by one by nobody. */
const MOST_PICKED = 100

/** `/?status=offline&q=LEB&groups=a,b&devices=1,2&device=1`; the dashboard as it opens has no query. */
export const dashboardAddress = pageAddress<DashboardView>({
  status: oneOf('status', ['all', 'online', 'offline', 'disconnected', 'trouble'], 'all'),
  words: typed('q'),
  groups: picks('groups', Id, MOST_PICKED),
  devices: picks('devices', Imei, MOST_PICKED),
  selected: idOrNone('device', Imei),
})

/** `/?list=plate.at~-temperature`: the columns and the order of the list. A part of its own: another look is no other view. */
export const lookAddress = pageAddress<{ look: string }>({ look: typed('list') })

/**
 * What an address asks for, without what the visitor cannot see: a choice of which nothing is left is none. What was picked before and
 * is too much for an address stays, unless it hides the device that is asked for.
 */
export function askedOf(fleet: Fleet, view: DashboardView, before: DashboardFilters): DashboardView {
  const { names, groups, columns } = fleet
  const row = view.selected === null ? -1 : names.rowOf(view.selected)
  const selected = row < 0 ? null : view.selected
  const group = groups.list[columns.group[row] as number]?._id
  return {
    ...view,
    groups: picked(before.groups, group, view.groups, (id) => groups.indexOf(id) >= 0),
    devices: picked(before.devices, selected, view.devices, (imei) => names.rowOf(imei) >= 0),
    selected,
  }
}

function picked(
  before: Picked,
  /** what holds the device that is asked for, and must not be hidden */
  needed: string | null | undefined,
  asked: Picked,
  isThere: (id: string) => boolean,
): Picked {
  if (asked === 'all') {
    const stays = before !== 'all' && before.size > MOST_PICKED && (needed == null || before.has(needed))
    return stays ? before : asked
  }
  if (asked.size === 0) return asked
  const left = new Set([...asked].filter(isThere))
  return left.size === 0 ? 'all' : left
}

/** Whether the view is that of the dashboard as it opens. */
export const isBare = (view: DashboardView): boolean => dashboardAddress.write(view) === ''
