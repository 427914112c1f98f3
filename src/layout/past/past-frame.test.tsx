import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { Link, useLocation } from 'wouter'
import { createActor, fromPromise } from 'xstate'
import { type Look, type Shown, timeMachine } from '#machines/time-machine/time-machine.machine.ts'
import type { Live, TimeMachine } from '../../actors/root.ts'
import { createStore } from '../../actors/store.ts'
import { useRoot } from '../../actors/use-root.ts'
import { createFleet } from '../../read-model/fleet.ts'
import { mountPage, type PageHarness } from '../testing/mount-page.tsx'
import PastFrame from './past-frame.tsx'
import { usePast } from './use-past.ts'

let harness: PageHarness
afterEach(() => harness.unmount())

const THEN = Date.UTC(2026, 5, 15, 3, 46)

/** A page in the frame of the portal, which lets the past go when one is back, and one outside it. */
function Portal({ actor }: { actor: TimeMachine['actor'] }) {
  const root = useRoot()
  const [path] = useLocation()
  const store = createStore(undefined)
  if (path === '/simulator') return 'Outside the frame'
  const past = { actor, root, fleet: createFleet((call) => call()), listed: store, stood: store }
  return (
    <PastFrame past={past as unknown as TimeMachine}>
      <Link href="/simulator">Simulator</Link>
    </PastFrame>
  )
}

test('whoever goes to a page outside the frame while they look back gets there', async () => {
  const load = fromPromise<Shown, Look>(async ({ input }) => ({ shown: input.at }))
  const actor = createActor(timeMachine.provide({ actors: { load } })).start()
  actor.send({ type: 'look.back', at: THEN, now: THEN })
  harness = await mountPage(<Portal actor={actor} />, {
    at: '/notifications',
    server: {},
    fleet: createFleet((call) => call()),
  })
  await expect.poll(() => harness.went().at(-1)).toMatch(/^\/notifications\?.*asOf=/)
  await page.getByRole('link', { name: 'Simulator' }).click()
  await expect.element(page.getByText('Outside the frame')).toBeVisible()
  expect(harness.went().at(-1)).toBe('/simulator')
})

function Entry({ live }: { live: Live }) {
  usePast(live)
  return <Link href="/account/create-user">New user</Link>
}

test('whoever goes on before the past is there is left where they went', async () => {
  const wanted: (() => boolean)[] = []
  const live = {
    past: createStore<TimeMachine | undefined>(undefined),
    async lookBack(_at, _view, isWanted = () => true) {
      wanted.push(isWanted)
    },
  } as Partial<Live> as Live
  harness = await mountPage(<Entry live={live} />, {
    at: '/notifications?asOf=2026-06-15T04:00Z',
    server: {},
    fleet: createFleet((call) => call()),
  })
  await expect.poll(() => wanted.some((isWanted) => isWanted())).toBe(true)
  await page.getByRole('link', { name: 'New user' }).click()
  await expect.poll(() => wanted.some((isWanted) => isWanted())).toBe(false)
})
