import { useEffect, useState } from 'react'
import { DEVICE_CALLS } from '#machines/contracts/calls/device-calls.ts'
import type { DeviceHistory } from '#machines/contracts/entities/devices.ts'
import { useRoot } from './use-root.ts'

const DAY_MS = 86_400_000
/** A line in a list needs no more. */
const MAX_POINTS = 300
/** It is asked for again while one looks at it, ms. */
const RENEW_MS = 60_000

/** What a device measured in its last 24 h, up to `to` (epoch ms). */
export type LastDay = { history: DeviceHistory; to: number }

/** The last 24 h of a device, each minute anew; undefined until they are told, null where they are not. */
export function useLastDay(imei: string): LastDay | null | undefined {
  const { http, clock } = useRoot()
  const [day, setDay] = useState<LastDay | null>()
  useEffect(() => {
    const aborter = new AbortController()
    const ask = async (): Promise<void> => {
      const to = clock.now()
      const data = { startDate: to - DAY_MS, endDate: to }
      const request = { params: { imei }, query: { data, maxPoints: MAX_POINTS } }
      const options = { signal: aborter.signal, isBackground: true }
      try {
        setDay({ history: await http.ask(DEVICE_CALLS.observations, request, options), to })
      } catch {
        // what was told before stands
        if (!aborter.signal.aborted) setDay((before) => before ?? null)
      }
    }
    void ask()
    const renewing = setInterval(() => void ask(), RENEW_MS)
    return () => {
      aborter.abort()
      clearInterval(renewing)
    }
  }, [http, clock, imei])
  return day
}
