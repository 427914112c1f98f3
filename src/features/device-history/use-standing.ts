import { useMemo } from 'react'
import type { DeviceHistory } from '#machines/contracts/entities/devices.ts'
import { pointOf } from '../../actors/history-search.ts'
import { useOnlyNow } from '../../layout/past/past-context.ts'
import type { Fleet } from '../../read-model/fleet.ts'
import { useFleet, useFleetItself } from '../../read-model/use-fleet.ts'

/** Who looks back sees as its newest reading what was that then. */
export function useStanding(imei: string, history: DeviceHistory | null): DeviceHistory | null {
  const isPast = useOnlyNow() !== undefined
  const fleet = useFleetItself()
  const version = useFleet(versionOf)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the fleet is another one with its version
  return useMemo(() => {
    if (!isPast || history === null) return history
    const row = fleet.names.rowOf(imei)
    const isHeard = row >= 0 && (fleet.columns.at[row] as number) > 0
    return { ...history, latest: isHeard ? pointOf(fleet, row) : null }
  }, [isPast, history, fleet, version, imei])
}

const versionOf = ({ version }: Fleet): number => version
