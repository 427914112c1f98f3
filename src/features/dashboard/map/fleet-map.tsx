import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTheme } from '../../../ui/use-theme.ts'
import { forgetWidths } from './paint.ts'
import type { Stage } from './stage.ts'

const BaseMap = lazy(() => import('./base-map.tsx'))
/** Making a map takes the page half a second without a GPU: the land comes after the first markers, or after this, ms. */
const LAND_AT_LATEST = 1000
/** px around a mark that a finger still means. */
const FINGER = 10

/** The map: the land, and the fleet on a canvas over it. What it shows is said by the list too, so it is hidden from readers. */
export function FleetMap({ stage }: { stage: Stage }) {
  const room = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const theme = useTheme()
  const [isLandDue, setLandDue] = useState(false)

  useLayoutEffect(() => {
    const place = room.current as HTMLDivElement
    stage.resize(place.clientWidth, place.clientHeight)
    const detach = stage.attach(canvas.current as HTMLCanvasElement, () => setLandDue(true))
    const timer = setTimeout(() => setLandDue(true), LAND_AT_LATEST)
    const observer = new ResizeObserver(() => stage.resize(place.clientWidth, place.clientHeight))
    observer.observe(place)
    document.fonts.ready.then(forgetWidths)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
      detach()
    }
  }, [stage])
  useEffect(() => stage.tone(theme), [stage, theme])

  const slack = (): number => (matchMedia('(pointer: coarse)').matches ? FINGER : 2)
  return (
    <section ref={room} aria-label="Map of devices" className="absolute inset-0 bg-sunken">
      <Suspense fallback={null}>
        {isLandDue && (
          <BaseMap
            opensAt={stage.camera}
            onReady={stage.ready}
            onLook={stage.look}
            onTaken={stage.taken}
            onPress={(x, y) => stage.press(x, y, slack())}
            onDoublePress={stage.doublePress}
            onHover={stage.hover}
          />
        )}
      </Suspense>
      <canvas ref={canvas} aria-hidden className="pointer-events-none absolute inset-0 size-full" />
    </section>
  )
}
