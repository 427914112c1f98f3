import { useMemo } from 'react'
import { DEVICE_CALLS } from '#machines/contracts/calls/device-calls.ts'
import { useKeptAnswer } from './use-kept-answer.ts'
import { useSignedIn } from './use-root.ts'

/** Beyond so many devices the list of them is more than a page should fetch for one line each: the plates must do. */
const MOST_DEVICES = 20_000

/**
 * Make and model of each vehicle the visitor sees, by imei: requested once. Without them (too many devices, no answer) a
 * list shows what it knows anyway.
 */
export function useVehicleModels(devices: number): (imei: string) => string | undefined {
  const { groupId } = useSignedIn().user
  const isWanted = devices > 0 && devices <= MOST_DEVICES
  const { answer } = useKeptAnswer(
    DEVICE_CALLS.groupThings,
    { params: { groupId } },
    { isBackground: true, isWanted },
  )
  return useMemo(() => {
    const models = new Map(answer?.map(({ imei, vehicleMakeAndModel }) => [imei, vehicleMakeAndModel]))
    return (imei) => models.get(imei)
  }, [answer])
}
