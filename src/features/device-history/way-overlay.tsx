import { useMemo } from 'react'
import type { DeviceHistory } from '#machines/contracts/entities/devices.ts'
import type { Scheme } from '../../format/temperature-colour.ts'
import DeckLayers from '../../map/deck-layers.tsx'
import { drawWayOf } from '../../map/way-layers.ts'

/** The way a device came, on the map around it. */
export default function WayOverlay({ history, scheme }: { history: DeviceHistory; scheme: Scheme }) {
  return <DeckLayers layers={useMemo(() => drawWayOf(history)(scheme), [history, scheme])} />
}
