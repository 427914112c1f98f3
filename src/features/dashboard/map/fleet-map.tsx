import { lazy, Suspense, useEffect, useLayoutEffect, useRef } from 'react'
import { useTheme } from '../../../ui/use-theme.ts'
import { forgetWidths } from './paint.ts'
import type { Stage } from './stage.ts'

// The land is fetched beside the fleet; markers are drawn with whichever comes first.
const land = import('./base-map.tsx')
const BaseMap = lazy(() => land)

/** px around a mark that a finger still means. */
const FINGER = 10

/** The map: the land, and the fleet on a canvas over it. What it shows is said by the list too, so it is hidden from readers. */
export function FleetMap({ stage }: { stage: Stage }) {
  const room = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const theme = useTheme()

  useLayoutEffect(() => {
    const place = room.current as HTMLDivElement
    stage.resize(place.clientWidth, place.clientHeight)
    const detach = stage.attach(canvas.current as HTMLCanvasElement)
    const observer = new ResizeObserver(() => stage.resize(place.clientWidth, place.clientHeight))
    observer.observe(place)
    document.fonts.ready.then(forgetWidths)
    return () => {
      observer.disconnect()
      detach()
    }
  }, [stage])
  useEffect(() => stage.tone(theme), [stage, theme])

  const slack = (): number => (matchMedia('(pointer: coarse)').matches ? FINGER : 2)
  return (
    <section ref={room} aria-label="Map of devices" className="absolute inset-0 bg-sunken">
      <Suspense fallback={null}>
        <BaseMap
          opensAt={stage.camera}
          onReady={stage.ready}
          onLook={stage.look}
          onTaken={stage.taken}
          onPress={(x, y) => stage.press(x, y, slack())}
          onDoublePress={stage.doublePress}
          onHover={(x, y) => {
            const isOver = stage.hover(x, y) !== undefined
            room.current?.style.setProperty('--map-cursor', isOver ? 'pointer' : 'grab')
          }}
        />
      </Suspense>
      <canvas ref={canvas} aria-hidden className="pointer-events-none absolute inset-0 size-full" />
    </section>
  )
}
