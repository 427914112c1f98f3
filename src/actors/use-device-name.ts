import { useCallback, useSyncExternalStore } from 'react'
import { useStore } from './store.ts'
import { useRoot } from './use-root.ts'

const nothing = () => () => {}

/** Name and plate number of a device, following renames; undefined while the fleet does not know it. */
export function useDeviceName(imei: string): { name: string; plate: string } | undefined {
  const fleet = useStore(useRoot().live)?.fleet
  const joined = useSyncExternalStore(
    fleet?.subscribe ?? nothing,
    useCallback(() => {
      const row = fleet?.names.rowOf(imei) ?? -1
      return fleet === undefined || row < 0
        ? undefined
        : `${fleet.names.of(row, 'name')}\n${fleet.names.of(row, 'plate')}`
    }, [fleet, imei]),
  )
  const [name = '', plate = ''] = joined?.split('\n') ?? []
  return joined === undefined ? undefined : { name, plate }
}
