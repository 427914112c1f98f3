import { useStore } from '../../actors/store.ts'
import { useRoot } from '../../actors/use-root.ts'

/** What a device is called, for who is signed in and sees it; else its IMEI. */
export function useDeviceNames(): (imei: string) => string {
  const fleet = useStore(useRoot().live)?.fleet
  return (imei) => {
    const row = fleet?.names.rowOf(imei) ?? -1
    return fleet === undefined || row < 0 ? imei : fleet.names.of(row, 'name')
  }
}
