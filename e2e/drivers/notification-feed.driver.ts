import type { Route } from '@playwright/test'
import { NOTIFICATION_CALLS } from '#machines/contracts/calls/notification-calls.ts'
import { model } from '#machines/notification-feed/notification-feed.samples.ts'
import { expect, type Visitor } from '../app.ts'
import { NotificationsScreen } from '../screens/notifications.screen.ts'
import { startElsewhere } from '../visit.ts'
import type { Driver, DriverApp, Scene } from './driver.ts'

const BELL = 'Only the bell counts what nobody has seen, in a list of its own that is not on this page.'
const BROKEN =
  'The link says it only after it broke, for which the page is silent; the machine’s own tests have it.'

const MIDNIGHT = 'The world would have to reach midnight once a path; the machine’s own tests have it.'

/** The page of notifications. What only the bell's list or a broken link brings about is left to the machine's own tests. */
export const driver: Driver = {
  clock: 'stands',
  ways: [
    {
      model,
      enter,
      isOneVisit: true,
      cannot: {
        'anywhere: seen [canCount] → stays': BELL,
        'anywhere: seen [isBehind] → loading': BELL,
        'anywhere: toldFrom [isBehind] → loading': BROKEN,
        'anywhere: toldFrom [otherwise] → stays': BROKEN,
        'anywhere: begunAnew → loading': BROKEN,
        'anywhere: dayOver → loading': MIDNIGHT,
        'waiting: view → loading': 'Who comes to the page looks at it: nothing waits there to be looked at.',
        'loading: loadPage answers [isTooOld] → loading': BROKEN,
      },
    },
  ],
}

/** Somebody comes to the page; what it asks for is held until the path says what comes of it. */
async function enter(visitor: Visitor, app: DriverApp): Promise<Scene> {
  const { page, shell } = visitor
  visitor.trouble.allow(/503/)
  await startElsewhere(visitor, app.url)
  const screen = new NotificationsScreen(page)
  let held: Route | undefined
  await page.route(/\/api\/groups\/[\w-]+\/notifications$/, (route) => {
    // The bell's list is another one.
    if (route.request().postDataJSON().limit === 50) held = route
    else return route.continue()
  })
  const isHeld = () => expect.poll(() => held !== undefined, { message: 'the server is asked' }).toBe(true)
  const take = async (): Promise<Route> => {
    await isHeld()
    const route = held as Route
    held = undefined
    return route
  }
  const answer = async (isCut: boolean) => {
    const route = await take()
    const given = await (await route.fetch()).json()
    const notificationsCount = given.notifications.length + (isCut ? 30 : 0)
    await route.fulfill({ json: { ...given, notificationsCount, hasMore: isCut } })
  }
  const refuse = async () => (await take()).fulfill({ status: 503, json: { code: 503, message: 'Starting' } })
  const newest = async () => {
    const { now } = await app.sim.status()
    const body = { startDate: now - 86_400_000, endDate: now, skip: 0, limit: 1 }
    const params = { groupId: app.api.groupId }
    return (await app.api.ask(NOTIFICATION_CALLS.notifications, { params, body })).notifications[0]?._id ?? ''
  }
  await shell.follow('/notifications')

  const events: Scene['events'] = {
    filter: () => screen.pick('Types', 'High temperature'),
    dates: async () => {
      await page
        .getByRole('spinbutton', { name: /^day, From/ })
        .first()
        .focus()
      await page.keyboard.press('ArrowUp')
    },
    loadMore: () => screen.loadMore.click(),
    // After five seconds the portal asks again by itself: then there is nothing left to press.
    retry: async () => {
      await page.getByRole('button', { name: 'Try again' }).evaluateAll((buttons: HTMLElement[]) => {
        for (const button of buttons) button.click()
      })
      await isHeld()
    },
    told: async () => {
      const device = (await app.api.fleet()).find(
        ({ thingStatus, temperature, imei }) =>
          thingStatus === 'online' && temperature !== null && !broken.has(imei),
      )
      broken.add(device?.imei ?? '')
      await app.sim.inject(device?.imei ?? '', 'device-unplugged', 3600)
      await app.sim.advance(60)
    },
    changed: async () => {
      const params = { id: await newest() }
      await app.api.ask(NOTIFICATION_CALLS.comment, { params, body: { comment: 'On it' } })
    },
    answered: async () => {
      const params = { id: await newest() }
      await app.api.ask(NOTIFICATION_CALLS.comment, { params, body: { comment: 'Done' } })
    },
    'xstate.done.actor.loadPage': ({ event }) => answer(event.output.hasMore),
    'xstate.error.actor.loadPage': refuse,
    'xstate.done.actor.loadMore': () => answer(false),
    'xstate.error.actor.loadMore': refuse,
    'xstate.after.firstLoad.notification-feed.waiting': isHeld,
    'xstate.after.dateSettle.notification-feed.settling': isHeld,
  }
  return {
    events,
    async shows({ state }) {
      const { value, context } = state as { value: string; context: { listed: { asOf: number } } }
      const wasLoaded = context.listed.asOf >= 0
      if (value === 'failed')
        return expect(page.getByText('The notifications could not be loaded')).toBeVisible()
      if (value === 'ready') return expect(page.locator('main [aria-busy="false"]')).toBeVisible()
      if (value === 'loadingMore') return expect(page.getByRole('button', { name: 'Loading…' })).toBeVisible()
      return expect(
        wasLoaded ? page.locator('main [aria-busy="true"]') : page.getByRole('status', { name: 'Loading' }),
      ).toBeVisible()
    },
  }
}

/** What one path broke is not for the next. */
const broken = new Set<string>()
