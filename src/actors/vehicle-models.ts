import { useMemo } from 'react'
import { DEVICE_CALLS } from '#machines/contracts/calls/device-calls.ts'
import type { Fleet } from '../read-model/fleet.ts'
import { useKeptAnswer } from './use-kept-answer.ts'
import { useSignedIn } from './use-root.ts'

/**
 * Make and model of each vehicle the visitor sees, by imei: requested once. Without an answer a list shows what it knows
 * anyway.
 */
export function useVehicleModels(fleet: Fleet): (imei: string) => string | undefined {
  const { groupId } = useSignedIn().user
  const { answer } = useKeptAnswer(
    DEVICE_CALLS.vehicleModels,
    { params: { groupId } },
    { isBackground: true },
  )
  return useMemo(() => {
    const models = new Map<number, string>()
    for (const { model, devices } of answer ?? [])
      for (const deviceNo of devices.split(',')) models.set(Number(deviceNo), model)
    return (imei) => models.get(fleet.columns.device[fleet.names.rowOf(imei)] ?? -1)
  }, [answer, fleet])
}
