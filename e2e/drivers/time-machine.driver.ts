import type { Route } from '@playwright/test'
import type { Path } from '#machines/testing/path-model.ts'
import { model } from '#machines/time-machine/time-machine.samples.ts'
import { DESK, expect, type Visitor } from '../app.ts'
import { PastScreen } from '../screens/past.screen.ts'
import { startElsewhere } from '../visit.ts'
import { type Driver, type DriverApp, leadsTo, type Scene } from './driver.ts'

/**
 * The portal at a time that is past; what is asked of it waits until the path says what came of it. The bar is the same on
 * every page: that of users has no map, which costs more than all else.
 */
export const driver: Driver = { clock: 'stands', viewport: DESK, ways: [{ model, enter, isOneVisit: true }] }

const MINUTE = 60_000
/** Before now, where there is no need to play up to it. */
const MINUTES_BACK = 10

async function enter(visitor: Visitor, app: DriverApp, path: Path): Promise<Scene> {
  const { page, shell, trouble } = visitor
  trouble.allow(/404|503/)
  const past = new PastScreen(page)
  // where the path before stood
  if (await past.bar.isVisible()) await past.press('Back to now')
  await startElsewhere(visitor, app.url)
  const held: Route[] = []
  await page.route(/\/api\/asof\?/, (route) => void held.push(route))
  const isHeld = () => expect.poll(() => held.length, 'the server is asked').toBeGreaterThan(0)
  /** one that the page gave up meanwhile needs no answer */
  const answer = async (how: (route: Route) => Promise<void>): Promise<void> => {
    for (const route of held.splice(0)) await how(route).catch(() => {})
  }
  const refuse = (status: number, message: string) =>
    answer((route) => route.fulfill({ status, json: { code: status, message } }))
  const asks = async (act: Promise<void>): Promise<void> => {
    held.length = 0
    await act
    await isHeld()
  }
  const { now } = await app.sim.status()
  const minutes = leadsTo(path, 'played.out')
    ? path.steps.filter(({ event }) => event.type === 'played').length
    : MINUTES_BACK
  const at = Math.floor(now / MINUTE) - minutes
  await shell.follow('/users')
  await shell.isLive()
  return {
    events: {
      // by a link at first, then by the slider
      'look.back': async () => {
        const isBack = await past.bar.isVisible()
        const there = `/users?asOf=${new Date(at * MINUTE).toISOString()}`
        await asks(isBack ? past.slider.fill(String(at - 1)) : shell.follow(there))
      },
      step: () => asks(page.keyboard.press('ArrowLeft')),
      'view.choose': () => asks(past.chooseOther('View')),
      'differences.toggle': () => asks(past.choose('Differences only')),
      play: () => past.press('Play'),
      pause: () => past.press('Pause'),
      'speed.choose': () => past.chooseOther('Speed'),
      retry: () => asks(past.press('Try again')),
      leave: () => past.press('Back to now'),
      // the slider goes on before the first one has come
      passed: async () => {
        const before = held.splice(0)
        await past.slider.fill(String(at - 2))
        await isHeld()
        const words = await past.words.textContent()
        for (const route of before) await route.continue()
        await expect(past.words, 'it is shown').not.toHaveText(words ?? '')
      },
      // the next one is asked for already
      played: async () => {
        await isHeld()
        await held.shift()?.continue()
      },
      'played.out': () => {},
      'playback.failed': async () => {
        await isHeld()
        await refuse(503, 'The store cannot read now')
      },
      'xstate.done.actor.load': () => answer((route) => route.continue()),
      'xstate.error.actor.load': () => refuse(404, 'Nothing was kept yet'),
    },
    async shows({ state }) {
      await expect(past.bar).toBeVisible({ visible: state.matches('past') })
      if (state.matches({ past: 'seeking' })) await isHeld()
      if (state.matches({ past: 'standing' }))
        await expect(past.bar.getByRole('button', { name: 'Play' })).toBeEnabled()
      if (state.matches({ past: 'playing' }))
        await expect(past.bar.getByRole('button', { name: 'Pause' })).toBeEnabled()
      await expect(past.bar.getByRole('alert')).toHaveCount(state.matches({ past: 'failed' }) ? 1 : 0)
    },
  }
}
