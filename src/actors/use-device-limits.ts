import { useCallback, useSyncExternalStore } from 'react'
import type { FleetGroup } from '#machines/contracts/fleet-snapshot.ts'
import { useStore } from './store.ts'
import { useRoot } from './use-root.ts'

const nothing = () => () => {}

/** The group of a device with the limits in force now, °C and %; undefined while the fleet does not know it. */
export function useDeviceLimits(imei: string): FleetGroup | undefined {
  const fleet = useStore(useRoot().live)?.fleet
  return useSyncExternalStore(
    fleet?.subscribe ?? nothing,
    useCallback(() => {
      const row = fleet?.names.rowOf(imei) ?? -1
      return fleet === undefined || row < 0
        ? undefined
        : fleet.groups.list[fleet.columns.group[row] as number]
    }, [fleet, imei]),
  )
}
