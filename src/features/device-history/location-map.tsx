import { MapPinOff } from 'lucide-react'
import { useMemo } from 'react'
import type { DeviceHistory } from '#machines/contracts/entities/devices.ts'
import { lazyPart } from '../../layout/lazy-part.ts'
import PlaceMap from '../../map/place-map.tsx'
import { wayOf } from '../../map/way.ts'
import { asNearAsLand, ZOOM } from '../../map/zooms.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useTheme } from '../../ui/use-theme.ts'

const WayOverlay = lazyPart(() => import('./way-overlay.tsx'))

/** Where the device is, and the way it came in the range shown. */
export function LocationMap({ history, name }: { history: DeviceHistory; name: string }) {
  const theme = useTheme()
  const way = useMemo(() => wayOf(pointsOf(history)), [history])
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
      <WayOverlay points={way} band={band} scheme={theme} />
    </PlaceMap>
  )
}

const pointsOf = ({ points, latest }: DeviceHistory): DeviceHistory['points'] =>
  latest === null ? points : [...points, latest]
