import { useEffect, useRef } from 'react'
import { type DashboardActor, type DashboardView, showOn } from '../../actors/dashboard-actor.ts'
import { type How, useAddress } from '../../layout/use-address.ts'
import { TYPING_PAUSE_MS } from '../../layout/use-search-words.ts'
import type { Fleet } from '../../read-model/fleet.ts'
import { addressed, dashboardAddress, isBare, requestedOf } from './dashboard-address.ts'

export type Shown = {
  fleet: Fleet
  dashboard: DashboardActor
  isLoading: boolean
  /** what is picked, typed and selected; another object whenever one of them is another */
  view: DashboardView
  /** the selected device is not among what is shown */
  isLost: boolean
}

/**
 * The address says what the dashboard shows, and what came by the address is shown. Back steps through selections and
 * statuses; what is typed and ticked replaces. Who comes to the bare address from another page finds it as they left it.
 */
export function useDashboardAddress({ fleet, dashboard, isLoading, view, isLost }: Shown): void {
  const { state, visit, write: writeAddress } = useAddress(dashboardAddress)
  const shown = useRef<{ visit: number; view: DashboardView; isLost: boolean }>(undefined)
  useEffect(() => {
    if (isLoading) return
    const last = shown.current
    shown.current = { visit, view, isLost }
    const write = (of: DashboardView, how: How): void => writeAddress(addressed(fleet, of), how)
    if (last?.visit !== visit) {
      const requested = requestedOf(fleet, state, view)
      if (last !== undefined || !isBare(addressed(fleet, requested))) {
        shown.current.view = requested
        write(requested, 'replace')
        showOn(dashboard, requested)
        return
      }
    }
    // Back must not lead to a device that would be lost again
    const isStep =
      last !== undefined &&
      !last.isLost &&
      (last.view.selected !== view.selected || last.view.status !== view.status)
    if (isStep || last?.view.words === view.words) return write(view, isStep ? 'push' : 'replace')
    const timer = setTimeout(() => write(view, 'replace'), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [isLoading, visit, state, view, isLost, fleet, dashboard, writeAddress])
}
