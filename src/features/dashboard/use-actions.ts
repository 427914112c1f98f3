import { useMemo } from 'react'
import type { StatusFilter } from '#machines/dashboard/dashboard.machine.ts'
import type { DashboardActor } from '../../actors/dashboard-actor.ts'
import { useRoot } from '../../actors/use-root.ts'
import { useWhenNow } from '../../layout/past/past-context.ts'
import { historyPath } from './device.ts'

/** What can be pressed on the dashboard, the same object for as long as it stands. @param onEdit opens the form of a device */
export function useActions(dashboard: DashboardActor, onEdit: (imei: string) => void) {
  const { goTo } = useRoot()
  const whenNow = useWhenNow()
  return useMemo(
    () => ({
      select: (imei: string) => dashboard.send({ type: 'device.select', imei }),
      open: (imei: string) => goTo(historyPath(imei)),
      edit: (imei: string) => whenNow(() => onEdit(imei)),
      pickStatus: (status: StatusFilter) => dashboard.send({ type: 'status.pick', status }),
      follow: () => dashboard.send({ type: 'map.follow' }),
      reset: () => dashboard.send({ type: 'map.reset' }),
    }),
    [dashboard, goTo, onEdit, whenNow],
  )
}
