import { type RefObject, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { type DashboardActor, likeOf } from '../../actors/dashboard-actor.ts'
import { useStore } from '../../actors/store.ts'
import { useLastHours } from '../../actors/use-last-hours.ts'
import { useRoot, useSignedIn } from '../../actors/use-root.ts'
import { useDeviceIncidents } from '../../layout/incidents/use-incident-of.ts'
import { useOnlyNow } from '../../layout/past/past-context.ts'
import type { Fleet } from '../../read-model/fleet.ts'
import { historyPath } from './device.ts'
import { type Filtered, followFilters } from './follow-filters.ts'
import type { Camera } from './map/camera.ts'
import { createMapController, type MapController, type OnePlace } from './map/map-controller.ts'
import { placeCard } from './place-card.ts'

export type MapControllerInput = Filtered & {
  fleet: Fleet
  dashboard: DashboardActor
  selected: string | null
  card: RefObject<HTMLElement | null>
}

/** Where the map looked when its page was left, as long as the session lasts. */
const leftAt = new WeakMap<Fleet, Camera | undefined>()

/** The map of the dashboard, told what to show and where to fly. `onePlace`: devices no zoom parts, when they were pressed. */
export function useMapController({
  fleet,
  dashboard,
  mask,
  question,
  selected,
  isFollowed,
  card,
}: MapControllerInput): {
  controller: MapController
  onePlace: OnePlace | null
  closePlace: () => void
} {
  const { clock, goTo, link } = useRoot()
  const [onePlace, setOnePlace] = useState<OnePlace | null>(null)
  const controller = useMemo(
    () =>
      createMapController({
        fleet,
        opensAt: leftAt.get(fleet) ?? leftAt.get(likeOf(fleet) ?? fleet),
        realMs: (span) => clock.until(clock.now() + span),
        send: (event) => dashboard.send(event),
        openHistory: (imei) => goTo(historyPath(imei)),
        onOnePlace: setOnePlace,
        onSelectedAt: (at) => card.current && placeCard(card.current, at),
        prefersLessMotion: () => lessMotion.matches,
        isLinkLost: () => link.get().state === 'offline',
        hasCard: () => card.current !== null && card.current.offsetWidth > 0,
      }),
    [fleet, dashboard, clock, goTo, link, card],
  )
  useEffect(() => () => void leftAt.set(fleet, controller.leftAt), [fleet, controller])
  useEffect(() => {
    let { state } = link.get()
    return link.subscribe(() => {
      if (state === link.get().state) return
      state = link.get().state
      controller.refresh()
    })
  }, [link, controller])
  const follow = useMemo(() => followFilters(controller, fleet.nextFrame), [controller, fleet])
  useEffect(() => follow({ mask, question, isFollowed }), [follow, mask, question, isFollowed])
  // as many points as a line on a map needs
  const history = useLastHours(selected, 6, 400)?.history
  useEffect(() => {
    if (!history) return controller.setWay(undefined)
    // without it the device is still seen where it is
    return drawOnce(import('../../map/way-layers.ts'), ({ drawWayOf }) =>
      controller.setWay(drawWayOf(history)),
    )
  }, [controller, history])
  useEffect(() => controller.select(selected, isFollowed), [controller, selected, isFollowed])
  const incidents = useDeviceIncidents()
  useEffect(() => {
    // without it the list still says who has what
    return drawOnce(import('./map/badges.ts'), ({ badgesOf }) => controller.setBadges(badgesOf(incidents)))
  }, [controller, incidents])
  useRings(controller)

  const onFly = useEffectEvent((imei: string) => {
    setOnePlace(null)
    controller.fly(imei)
  })
  useEffect(() => {
    const subscriptions = [
      dashboard.on('camera.fly', ({ imei }) => onFly(imei)),
      dashboard.on('camera.reset', () => controller.reset()),
    ]
    return () => {
      for (const subscription of subscriptions) subscription.unsubscribe()
    }
  }, [dashboard, controller])

  return { controller, onePlace, closePlace: () => setOnePlace(null) }
}

/** Whose load somebody must look at, as is known now; it comes after the first markers. */
function useRings(controller: MapController): void {
  const root = useRoot()
  const { user } = useSignedIn()
  const live = useStore(root.live)
  const isPast = useOnlyNow() !== undefined
  useEffect(() => {
    if (isPast || live === undefined) return
    let isOver = false
    let stop = (): void => {}
    void import('./map/rings.ts')
      .then(({ followRings }) => {
        if (!isOver) stop = followRings(live, root.http, user.groupId, controller.setRings)
      })
      .catch(() => {})
    return () => {
      isOver = true
      stop()
    }
  }, [controller, live, isPast, root.http, user.groupId])
}

const lessMotion = matchMedia('(prefers-reduced-motion: reduce)')

/** Draws with a part that comes after the first markers, unless something else is to be drawn by then. @returns how to say so */
function drawOnce<Part>(part: Promise<Part>, draw: (part: Part) => void): () => void {
  let isPast = false
  part.then((come) => isPast || draw(come)).catch(() => {})
  return () => {
    isPast = true
  }
}
