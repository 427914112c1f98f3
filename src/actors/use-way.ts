import { useEffect, useState } from 'react'
import { DEVICE_CALLS } from '#machines/contracts/calls/device-calls.ts'
import type { DeviceHistory } from '#machines/contracts/entities/devices.ts'
import { useRoot } from './use-root.ts'

const HOURS = 6
const HOUR_MS = 3_600_000
/** As many as a line on a map needs. */
const MAX_POINTS = 400

/** Where a device was in its last hours, as it was when it was asked for; undefined until it is told, and where it is not. */
export function useWay(imei: string | null): DeviceHistory | undefined {
  const { http, clock } = useRoot()
  const [loaded, setLoaded] = useState<{ imei: string; history: DeviceHistory }>()
  useEffect(() => {
    if (imei === null) return
    const aborter = new AbortController()
    const now = clock.now()
    http
      .ask(
        DEVICE_CALLS.observations,
        {
          params: { imei },
          query: { data: { startDate: now - HOURS * HOUR_MS, endDate: now }, maxPoints: MAX_POINTS },
        },
        { signal: aborter.signal, isBackground: true },
      )
      .then(
        (history) => setLoaded({ imei, history }),
        // The map does without it.
        () => undefined,
      )
    return () => aborter.abort()
  }, [http, clock, imei])
  return loaded?.imei === imei ? loaded?.history : undefined
}
