import { MapPinOff } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import { Marker, useMap } from 'react-map-gl/maplibre'
import type { DeviceHistory } from '#machines/contracts/entities/devices.ts'
import { useStore } from '../../actors/store.ts'
import { clockTime } from '../../format/time.ts'
import { lazyPart } from '../../layout/lazy-part.ts'
import PlaceMap from '../../map/place-map.tsx'
import { PrintedMap } from '../../map/printed-map.tsx'
import { type WayPoint, wayOf } from '../../map/way.ts'
import { asNearAsLand, ZOOM } from '../../map/zooms.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useTheme } from '../../ui/use-theme.ts'
import { type CursorStore, nearestIndex } from './cursor.tsx'

const WayOverlay = lazyPart(() => import('./way-overlay.tsx'))

type LocationMapProps = { history: DeviceHistory; name: string; cursor: CursorStore }

/** Where the device is, and the way it came in the range shown. */
export function LocationMap({ history, name, cursor }: LocationMapProps) {
  const theme = useTheme()
  const { way, here } = useMemo(() => placesOf(history), [history])
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
      <WayOverlay history={history} scheme={theme} />
      <CursorMark way={way} here={here} cursor={cursor} />
      <PrintedMap lng={lng} lat={lat} />
    </PlaceMap>
  )
}

/** The way it came in the range shown, and where it is: of a range of the past its newest place of all is no part of the way. */
export function placesOf({ points, latest }: DeviceHistory): { way: WayPoint[]; here: WayPoint | undefined } {
  const way = wayOf(points)
  return { way, here: (latest && wayOf([latest])[0]) ?? way.at(-1) }
}

/** A place so long before or after the instant is not where it was, ms. */
const NEAR_MS = 30 * 60_000

/**
 * Where it was at the instant the charts are looked at. The map comes along to another instant, and with the device for as long
 * as that is in sight: who moved the map elsewhere is left there.
 */
function CursorMark({
  way,
  here,
  cursor,
}: {
  way: readonly WayPoint[]
  here: WayPoint
  cursor: CursorStore
}) {
  const at = useStore(cursor)
  const { current: map } = useMap()
  const near = at === undefined ? undefined : way[nearestIndex(way, at)]
  const point = near && at !== undefined && Math.abs(near.at - at) < NEAR_MS ? near : undefined
  const shown = at === undefined ? here : point
  const followed = useRef<{ at: number | undefined; place: [number, number] }>(undefined)
  const { lng, lat } = shown ?? {}
  useEffect(() => {
    if (map === undefined || lng === undefined || lat === undefined) return
    const bounds = map.getBounds()
    const before = followed.current
    const goesAlong = before === undefined || before.at !== at || bounds.contains(before.place)
    const place: [number, number] = [lng, lat]
    followed.current = { at, place }
    if (goesAlong && !bounds.contains(place)) map.jumpTo({ center: place })
  }, [map, at, lng, lat])
  if (point === undefined) return null
  return (
    <Marker longitude={point.lng} latitude={point.lat}>
      <span
        role="img"
        aria-label={`It was here at ${clockTime(point.at)}`}
        className="block size-3 rounded-full border-2 border-surface bg-ink"
      />
    </Marker>
  )
}
