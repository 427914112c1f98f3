import { MapPinOff } from 'lucide-react'
import { lazy, Suspense, useMemo } from 'react'
import type { DeviceHistory } from '#machines/contracts/entities/devices.ts'
import PlaceMap from '../../map/place-map.tsx'
import { asNearAsLand, ZOOM } from '../../map/zooms.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useTheme } from '../../ui/use-theme.ts'
import type { WayPoint } from './way-overlay.tsx'

const WayOverlay = lazy(() => import('./way-overlay.tsx'))

/** Where the device is, and the way it came in the range shown. */
export function LocationMap({ history, name }: { history: DeviceHistory; name: string }) {
  const theme = useTheme()
  const way = useMemo(() => wayOf(history), [history])
  const { lowTemperatureThreshold: low, highTemperatureThreshold: high } = history.thresholds
  const band = useMemo(() => ({ low, high }), [low, high])
  const here = way.at(-1)
  if (here === undefined)
    return (
      <EmptyState title="There is no data" icon={<MapPinOff size={20} aria-hidden />}>
        No position came with these readings.
      </EmptyState>
    )
  const { lng, lat } = here
  return (
    <PlaceMap
      lng={lng}
      lat={lat}
      zoom={asNearAsLand(ZOOM.single)}
      label={`Location of ${name}`}
      markLabel={`${name} is here`}
    >
      <Suspense>
        <WayOverlay way={way} band={band} scheme={theme} />
      </Suspense>
    </PlaceMap>
  )
}

function wayOf({ points, latest }: DeviceHistory): WayPoint[] {
  const way: WayPoint[] = []
  for (const { lat, lng, temperature } of latest === null ? points : [...points, latest])
    if (lat !== null && lng !== null) way.push({ lng, lat, temperature })
  return way
}
