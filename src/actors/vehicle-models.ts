import { useEffect, useState } from 'react'
import { DEVICE_CALLS } from '#machines/contracts/calls/device-calls.ts'
import { useRoot, useSignedIn } from './use-root.ts'

/** Beyond so many devices the list of them is more than a page should fetch for one line each: the plates must do. */
const MOST_DEVICES = 20_000

/**
 * Make and model of each vehicle in sight, by imei: asked for once, told when they are there. Without them (too many
 * devices, no answer) a list shows what it knows anyway.
 */
export function useVehicleModels(devices: number): (imei: string) => string | undefined {
  const { http } = useRoot()
  const { groupId } = useSignedIn().user
  const [modelOf, setModelOf] = useState<(imei: string) => string | undefined>(() => () => undefined)
  const isRequested = devices > 0 && devices <= MOST_DEVICES
  useEffect(() => {
    if (!isRequested) return
    const aborter = new AbortController()
    const options = { signal: aborter.signal, isBackground: true }
    http.ask(DEVICE_CALLS.groupThings, { params: { groupId } }, options).then(
      (things) => {
        const models = new Map(things.map(({ imei, vehicleMakeAndModel }) => [imei, vehicleMakeAndModel]))
        setModelOf(() => (imei: string) => models.get(imei))
      },
      () => {},
    )
    return () => aborter.abort()
  }, [http, groupId, isRequested])
  return modelOf
}
