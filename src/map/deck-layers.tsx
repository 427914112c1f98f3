import type { Layer } from '@deck.gl/core'
import { MapLibreOverlay } from '@deck.gl/maplibre'
import { useEffect } from 'react'
import { useControl } from 'react-map-gl/maplibre'

/** Layers of deck.gl in the context of the map around them. One a map. */
export default function DeckLayers({ layers }: { layers: Layer[] }) {
  const overlay = useControl(() => new MapLibreOverlay({ interleaved: true, layers: [] }))
  useEffect(() => overlay.setProps({ layers }), [overlay, layers])
  return null
}
