import { useMemo } from 'react'
import DeckLayers from '../../map/deck-layers.tsx'
import { type Way, wayLayers } from '../../map/way-layers.ts'

/** The way a device came, on the map around it. */
export default function WayOverlay({ points, band, scheme }: Way) {
  return <DeckLayers layers={useMemo(() => wayLayers({ points, band, scheme }), [points, band, scheme])} />
}
