import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { lazyPart } from '../../../layout/lazy-part.ts'
import { hasWebGl2, NoMap } from '../../../map/no-map.tsx'
import { useTheme } from '../../../ui/use-theme.ts'
import type { Camera } from './camera.ts'
import type { Fitting } from './flights.ts'
import type { MapController, MapRoom } from './map-controller.ts'
import { forgetWidths } from './name-labels.ts'

// Asked for with the page, not by it: the fleet comes meanwhile.
const BaseMap = lazyPart(() => import('./base-map.tsx'))
BaseMap.fetchPart().catch(() => {}) // whoever shows it says so
/** px around a mark that a finger still means. */
const FINGER = 10

/** The map: the land, and the fleet on it. What it shows is said by the list too, so it is hidden from readers. */
export function FleetMap({ controller }: { controller: MapController }) {
  const room = useRef<MapRoom>(null)
  const theme = useTheme()
  /** where the map opens; the `nth` one, as each is lost with its context */
  const [opened, setOpened] = useState<{ at: Camera | Fitting; nth: number }>()
  const open = useCallback(() => {
    const { clientWidth = 0, clientHeight = 0 } = room.current ?? {}
    const at = controller.opening(clientWidth, clientHeight)
    setOpened((before) => ({ at, nth: (before?.nth ?? 0) + 1 }))
  }, [controller])
  useLayoutEffect(open, [open])
  useEffect(() => {
    controller.tone(theme)
    document.fonts.ready.then(() => {
      forgetWidths()
      controller.tone(theme)
    })
  }, [controller, theme])

  const slack = (): number => (matchMedia('(pointer: coarse)').matches ? FINGER : 2)
  if (!hasWebGl2())
    return (
      <section aria-label="Map of devices" className="absolute inset-0 grid place-items-center bg-sunken">
        <NoMap>The list shows every device.</NoMap>
      </section>
    )
  return (
    <section ref={room} aria-label="Map of devices" className="absolute inset-0 bg-sunken">
      {opened && (
        <BaseMap
          key={opened.nth}
          opensAt={opened.at}
          onRestored={open}
          onReady={(given) => controller.attach({ ...given, room: room.current as MapRoom })}
          onLook={controller.look}
          onMoving={controller.setMoving}
          onTaken={controller.taken}
          onPress={(x, y) => controller.press(x, y, slack())}
          onDoublePress={controller.doublePress}
          onHover={controller.hover}
        />
      )}
    </section>
  )
}
