import { Id, Imei } from '#machines/contracts/scalars.ts'
import type { DashboardFilters } from '#machines/dashboard/dashboard.machine.ts'
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

/** The view without what the visitor cannot see: a choice of which nothing is left is none. */
export function visibleIn(fleet: Fleet, view: DashboardView): DashboardView {
  const isDevice = (imei: string): boolean => fleet.names.rowOf(imei) >= 0
  return {
    ...view,
    groups: visible(view.groups, (id) => fleet.groups.indexOf(id) >= 0),
    devices: visible(view.devices, isDevice),
    selected: view.selected !== null && isDevice(view.selected) ? view.selected : null,
  }
}

function visible(
  picked: DashboardFilters['groups'],
  isThere: (id: string) => boolean,
): DashboardFilters['groups'] {
  if (picked === 'all' || picked.size === 0) return picked
  const left = new Set([...picked].filter(isThere))
  return left.size === 0 ? 'all' : left
}

/** Whether the view is that of the dashboard as it opens. */
export const isBare = (view: DashboardView): boolean => dashboardAddress.write(view) === ''
