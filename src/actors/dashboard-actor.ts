import { type ActorRefFrom, createActor } from 'xstate'
import { dashboardMachine } from '#machines/dashboard/dashboard.machine.ts'
import type { Fleet } from '../read-model/fleet.ts'
import { inspect } from './inspection.ts'

export type DashboardActor = ActorRefFrom<typeof dashboardMachine>

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
