import { useEffect, useState } from 'react'
import { DEVICE_CALLS } from '#machines/contracts/calls/device-calls.ts'
import type { DeviceHistory } from '#machines/contracts/entities/devices.ts'
import { followVisibility } from '../effects/attention.ts'
import { useRoot } from './use-root.ts'
import { useThen } from './use-then.ts'

const HOURS = 6
const HOUR_MS = 3_600_000
/** As many as a line on a map needs. */
const MAX_POINTS = 400
/** It is asked for again while one can see it, ms. */
const RENEW_MS = 60_000

/**
 * Where a device was in its last hours: asked for each minute, and for each other time one looks back to. Undefined until it is
 * told, and where it is not; what was told of an earlier time stays until then, what would be still to come does not.
 */
export function useWay(imei: string | null): DeviceHistory | undefined {
  const { http, clock } = useRoot()
  const then = useThen()
  const [loaded, setLoaded] = useState<{ imei: string; to: number; history: DeviceHistory }>()
  useEffect(() => {
    if (imei === null) return
    let asking: AbortController | undefined
    let isVisible = false
    let isDue = true
    const ask = (): void => {
      if (!isDue || !isVisible) return
      isDue = false
      asking?.abort()
      asking = new AbortController()
      const { signal } = asking
      const to = clock.now()
      const data = { startDate: to - HOURS * HOUR_MS, endDate: to }
      http
        .ask(
          DEVICE_CALLS.observations,
          { params: { imei }, query: { data, maxPoints: MAX_POINTS } },
          { signal, isBackground: true },
        )
        .then(
          (history) => setLoaded({ imei, to, history }),
          // The map does without it.
          () => undefined,
        )
    }
    const unfollow = followVisibility(document, (visible) => {
      isVisible = visible
      ask()
    })
    const renewing = setInterval(() => {
      isDue ||= then === undefined
      ask()
    }, RENEW_MS)
    return () => {
      unfollow()
      clearInterval(renewing)
      asking?.abort()
    }
  }, [http, clock, imei, then])
  const isOfIt = loaded?.imei === imei && (then === undefined || loaded.to <= clock.now())
  return isOfIt ? loaded.history : undefined
}
