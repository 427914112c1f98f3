import { useSyncExternalStore } from 'react'
import { useRoute } from 'wouter'
import { dashboardOf } from '../../actors/dashboard-actor.ts'
import { useStore } from '../../actors/store.ts'
import { useRoot } from '../../actors/use-root.ts'

const nothing = () => () => {}

/** The device whose history is open, else the one selected on the dashboard; '' where there is neither. */
export function useSelectedDevice(): string {
  const fleet = useStore(useRoot().live)?.fleet
  const [isHistory, params] = useRoute('/temperature/:imei')
  const dashboard = fleet === undefined ? undefined : dashboardOf(fleet)
  const selected = useSyncExternalStore(
    dashboard === undefined
      ? nothing
      : (listener) => {
          const subscription = dashboard.subscribe(listener)
          return () => subscription.unsubscribe()
        },
    () => dashboard?.getSnapshot().context.selected ?? '',
  )
  return isHistory ? params.imei : selected
}
