import { useEffect, useEffectEvent } from 'react'
import { useMap } from 'react-map-gl/maplibre'

export type WhenRestoredProps = {
  /** there is no context: nothing may be drawn with what was made in it */
  onLost?: () => void
  /** there is one again: the map is to be made anew */
  onRestored: () => void
}

/**
 * Tells of the map around it when the browser takes its WebGL context away (a driver that began anew, a computer that slept) and
 * when it gives one back. MapLibre goes on by itself then; what deck.gl drew with is gone with the old one.
 */
export function WhenRestored({ onLost, onRestored }: WhenRestoredProps) {
  const map = useMap().current
  const lost = useEffectEvent(() => onLost?.())
  const restored = useEffectEvent(onRestored)
  useEffect(() => {
    if (map === undefined) return
    const canvas = map.getCanvas()
    const stop = new AbortController()
    canvas.addEventListener('webglcontextlost', () => lost(), stop)
    canvas.addEventListener('webglcontextrestored', () => restored(), stop)
    return () => stop.abort()
  }, [map])
  return null
}
