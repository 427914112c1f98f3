import { useRef } from 'react'
import { afterEach, expect, test } from 'vitest'
import { beginLike, dashboardOf } from '../../actors/dashboard-actor.ts'
import { mountPage, type PageHarness } from '../../layout/testing/mount-page.tsx'
import { createFleet, type Fleet } from '../../read-model/fleet.ts'
import type { MapController } from './map/map-controller.ts'
import { useMapController } from './use-map-controller.ts'

let harness: PageHarness
afterEach(() => harness.unmount())

/** the newest first */
const controllers: MapController[] = []
const QUESTION = { words: '' }

function Board({ fleet }: { fleet: Fleet }) {
  const dashboard = dashboardOf(fleet)
  const card = useRef<HTMLElement>(null)
  const given = { fleet, dashboard, card, mask: undefined, question: QUESTION }
  controllers.unshift(useMapController({ ...given, selected: null, isFollowed: false }).controller)
  return null
}

async function controllerOf(fleet: Fleet): Promise<MapController> {
  const [before] = controllers
  harness = await mountPage(<Board fleet={fleet} />, { at: '/', fleet, server: {} })
  await expect.poll(() => controllers[0]).not.toBe(before)
  return controllers[0] as MapController
}

test('looking back, the map opens where that of now was left', async () => {
  const [now, then] = [createFleet((call) => call()), createFleet((call) => call())]
  const somewhere = { x: 0.4, y: 0.6, zoom: 9, width: 800, height: 600 }
  const left = await controllerOf(now)
  left.taken()
  left.look(somewhere)
  beginLike(then, now)
  harness.unmount()
  expect((await controllerOf(then)).leftAt).toEqual(somewhere)
})
