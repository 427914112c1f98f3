import { useRef } from 'react'
import { afterEach, expect, test } from 'vitest'
import { beginLike, dashboardOf } from '../../actors/dashboard-actor.ts'
import { mountPage, type PageHarness } from '../../layout/testing/mount-page.tsx'
import { createFleet, type Fleet } from '../../read-model/fleet.ts'
import type { Stage } from './map/stage.ts'
import { useStage } from './use-stage.ts'

let harness: PageHarness
afterEach(() => harness.unmount())

/** the newest first */
const stages: Stage[] = []
const QUESTION = { words: '' }

function Board({ fleet }: { fleet: Fleet }) {
  const dashboard = dashboardOf(fleet)
  const card = useRef<HTMLElement>(null)
  const given = { fleet, dashboard, card, mask: undefined, question: QUESTION }
  stages.unshift(useStage({ ...given, selected: null, isFollowed: false }).stage)
  return null
}

async function stageOf(fleet: Fleet): Promise<Stage> {
  const [before] = stages
  harness = await mountPage(<Board fleet={fleet} />, { at: '/', fleet, server: {} })
  await expect.poll(() => stages[0]).not.toBe(before)
  return stages[0] as Stage
}

test('looking back, the map opens where that of now was left', async () => {
  const [now, then] = [createFleet((call) => call()), createFleet((call) => call())]
  const somewhere = { x: 0.4, y: 0.6, zoom: 9, width: 800, height: 600 }
  const left = await stageOf(now)
  left.taken()
  left.look(somewhere)
  beginLike(then, now)
  harness.unmount()
  expect((await stageOf(then)).leftAt).toEqual(somewhere)
})
