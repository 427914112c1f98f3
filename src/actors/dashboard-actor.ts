import { type ActorRefFrom, createActor } from 'xstate'
import {
  type DashboardFilters,
  dashboardMachine,
  type Picked,
} from '#machines/dashboard/dashboard.machine.ts'
import type { Fleet } from '../read-model/fleet.ts'
import { inspect } from './inspection.ts'

export type DashboardActor = ActorRefFrom<typeof dashboardMachine>
/** What is picked, searched for and selected: an imei. */
export type DashboardView = DashboardFilters & { selected: string | null }

const kept = new WeakMap<Fleet, DashboardActor>()

/**
 * What is picked and selected on the dashboard. It lives as long as the fleet, i.e. the session: who comes back from a
 * device's history finds everything as they left it, and the next visitor nothing.
 */
export function dashboardOf(fleet: Fleet): DashboardActor {
  const known = kept.get(fleet)
  if (known) return known
  const actor = createActor(dashboardMachine, { inspect }).start()
  kept.set(fleet, actor)
  return actor
}

/** Tells a dashboard to show a view. What it shows already is not told it: whoever picks something takes the map with them. */
export function showOn(
  dashboard: DashboardActor,
  { groups, devices, status, words, selected }: DashboardView,
): void {
  const now = dashboard.getSnapshot().context
  if (!areSame(groups, now.groups)) dashboard.send({ type: 'groups.pick', groups })
  if (!areSame(devices, now.devices)) dashboard.send({ type: 'devices.pick', devices })
  // the status that is picked already would be let go of
  if (status !== now.status) dashboard.send({ type: 'status.pick', status })
  if (words !== now.words) dashboard.send({ type: 'words.type', words })
  if (selected === null) dashboard.send({ type: 'selection.clear' })
  else if (selected !== now.selected) dashboard.send({ type: 'device.select', imei: selected })
}

const areSame = (one: Picked, other: Picked): boolean =>
  one === other ||
  (one !== 'all' && other !== 'all' && one.size === other.size && one.values().every((id) => other.has(id)))

const likes = new WeakMap<Fleet, Fleet>()

/** Has the dashboard of a fleet begin as that of another stands: it shows the same, from where the other's map was left. */
export function beginLike(fleet: Fleet, other: Fleet): void {
  const [dashboard, like] = [dashboardOf(fleet), dashboardOf(other).getSnapshot()]
  showOn(dashboard, like.context)
  if (!like.matches({ selected: 'followed' })) dashboard.send({ type: 'map.moved' })
  likes.set(fleet, other)
}

/** The fleet on whose dashboard that of a fleet began. */
export const likeOf = (fleet: Fleet): Fleet | undefined => likes.get(fleet)
