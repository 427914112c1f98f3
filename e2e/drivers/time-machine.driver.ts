import { tz } from '@date-fns/tz'
import type { Route } from '@playwright/test'
import { format } from 'date-fns'
import type { AsOfView } from '#machines/contracts/calls/as-of.ts'
import { decodeFleetSnapshot } from '#machines/contracts/fleet-snapshot.ts'
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
  /** what the portal wants to show, and the minute that the server last answered with; epoch ms */
  let at = 0
  let shown: number | undefined
  let view: AsOfView = 'then'
  let isDifferencesOnly = false
  let speed: '×60' | '×600' = '×60'
  let failure = ''
  const requestedFor = () => held.map((route) => requested(route)).toSorted()
  const wanted = () => (isDifferencesOnly ? ['now', 'then'] : [view]).map((of) => `${addressed(at)} ${of}`)
  const answer = async (routes: Route[]): Promise<void> => {
    for (const route of routes) {
      const response = await route.fetch()
      const body = await response.body()
      // one that the page gave up meanwhile needs no answer
      await route.fulfill({ response, body }).catch(() => {})
      if (requested(route) === `${addressed(at)} ${view}`)
        shown = decodeFleetSnapshot(Uint8Array.from(body).buffer).head.now
    }
  }
  const refuse = async (status: number, message: string): Promise<void> => {
    failure = message
    for (const route of held.splice(0))
      await route.fulfill({ status, json: { code: status, message } }).catch(() => {})
  }
  const asks = async (act: Promise<void>): Promise<void> => {
    held.length = 0
    await act
    await isHeld()
  }
  const { now } = await app.sim.status()
  const minutes = leadsTo(path, 'played.out')
    ? path.steps.filter(({ event }) => event.type === 'played').length
    : MINUTES_BACK
  const begin = (Math.floor(now / MINUTE) - minutes) * MINUTE
  const slideTo = (to: number) => {
    at = to
    return past.slider.fill(String(to / MINUTE))
  }
  await shell.follow('/users')
  await shell.isLive()
  return {
    events: {
      // by a link at first, then by the slider
      'look.back': async () => {
        if (await past.bar.isVisible()) return asks(slideTo(begin - MINUTE))
        at = begin
        await asks(shell.follow(`/users?asOf=${new Date(at).toISOString()}`))
      },
      step: () => {
        at -= MINUTE
        return asks(page.keyboard.press('ArrowLeft'))
      },
      'view.choose': () => {
        view = isDifferencesOnly || view === 'now' ? 'then' : 'now'
        isDifferencesOnly = false
        return asks(past.choose(named(view)))
      },
      'differences.toggle': () => {
        isDifferencesOnly = !isDifferencesOnly
        return asks(past.choose('Differences only'))
      },
      play: () => past.press('Play'),
      pause: () => past.press('Pause'),
      'speed.choose': () => {
        speed = speed === '×60' ? '×600' : '×60'
        return past.choose(speed)
      },
      retry: () => asks(past.press('Try again')),
      leave: () => past.press('Back to now'),
      // the slider goes on before the first one has come
      passed: async () => {
        await expect.poll(requestedFor).toEqual(wanted())
        const before = held.splice(0)
        const to = begin - 2 * MINUTE
        await past.slider.fill(String(to / MINUTE))
        await isHeld()
        await answer(before)
        at = to
      },
      // the next one is asked for already
      played: async () => {
        await isHeld()
        const next = instantOf(held[0] as Route)
        expect(next, 'it goes on').toBeGreaterThan(at)
        at = next
        const its = () => held.filter((route) => instantOf(route) === at)
        await expect.poll(() => its().map(requested).toSorted()).toEqual(wanted())
        await answer(held.splice(0, its().length))
      },
      'played.out': () => {},
      'playback.failed': async () => {
        await isHeld()
        await refuse(503, 'The store cannot read now')
      },
      'xstate.done.actor.load': () => answer(held.splice(0)),
      'xstate.error.actor.load': () => refuse(404, 'Nothing was kept yet'),
    },
    async shows({ state }) {
      if (!state.matches('past')) {
        await expect(past.bar).toBeHidden()
        return shell.isLive()
      }
      await expect(past.words).toContainText(`You look at ${spoken(shown ?? at)}. Nothing here is live.`)
      const viewed = past.bar.getByRole('radiogroup', { name: 'View' }).locator('label:has(:checked)')
      await expect(viewed).toHaveText(isDifferencesOnly ? [] : [named(view)])
      await expect(past.bar.getByRole('switch')).toBeChecked({ checked: isDifferencesOnly })
      await expect(past.bar.getByRole('radio', { name: speed, exact: true })).toBeChecked()
      if (state.matches({ past: 'seeking' })) await expect.poll(requestedFor).toEqual(wanted())
      const button = past.bar.getByRole('button', {
        name: state.matches({ past: 'playing' }) ? 'Pause' : 'Play',
      })
      const isStopped = state.matches({ past: 'seeking' }) || state.matches({ past: 'failed' })
      await expect(button).toBeEnabled({ enabled: !isStopped })
      const messages = state.matches({ past: 'failed' }) ? [`${spoken(at)}: ${failure}.Try again`] : []
      await expect(past.bar.getByRole('alert')).toHaveText(messages)
    },
  }
}

const named = (view: AsOfView) => (view === 'then' ? 'As known then' : 'As known now')

const addressed = (at: number): string => new Date(at).toISOString()

/** `15 Jun 2026 04:00 (PKT)` */
const spoken = (at: number): string => `${format(at, 'd MMM yyyy HH:mm', { in: tz('Asia/Karachi') })} (PKT)`

const instantOf = (route: Route): number => Date.parse(requested(route).split(' ')[0] ?? '')

/** Which minute in which view the server is asked for. */
function requested(route: Route): string {
  const { searchParams } = new URL(route.request().url())
  return `${searchParams.get('at')} ${searchParams.get('view')}`
}
