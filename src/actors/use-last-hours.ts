import { useEffect, useState } from 'react'
import { DEVICE_CALLS } from '#machines/contracts/calls/device-calls.ts'
import type { DeviceHistory } from '#machines/contracts/entities/devices.ts'
import { followVisibility } from '../effects/attention.ts'
import { useRoot } from './use-root.ts'
import { useThen } from './use-then.ts'

const HOUR_MS = 3_600_000
/** It is asked for again while one can see it, ms. */
const RENEW_MS = 60_000

/** What a device measured in its last hours, up to `to` (epoch ms); null: that could not be loaded. */
export type LastHours = { history: DeviceHistory | null; to: number }

/**
 * The last hours of a device in so many points: asked for each minute, and for each other time one looks back to. Undefined until
 * they came; those of an earlier time stay until then, those still to come do not.
 */
export function useLastHours(imei: string | null, hours: number, maxPoints: number): LastHours | undefined {
  const { http, clock } = useRoot()
  const then = useThen()
  const [loaded, setLoaded] = useState<LastHours & { imei: string }>()
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
      const data = { startDate: to - hours * HOUR_MS, endDate: to }
      http
        .ask(
          DEVICE_CALLS.observations,
          { params: { imei }, query: { data, maxPoints } },
          { signal, isBackground: true },
        )
        .then(
          (history) => setLoaded({ imei, to, history }),
          () =>
            signal.aborted ||
            setLoaded((before) =>
              before?.imei === imei && before.to <= to ? before : { imei, to, history: null },
            ),
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
  }, [http, clock, imei, then, hours, maxPoints])
  return loaded?.imei === imei && (then === undefined || loaded.to <= clock.now()) ? loaded : undefined
}
