import type { Route } from '@playwright/test'
import type { AnyEventObject, AnyMachineSnapshot } from 'xstate'
import { NOTIFICATION_CALLS } from '#machines/contracts/calls/notification-calls.ts'
import type { Notification } from '#machines/contracts/entities/notifications.ts'
import { model } from '#machines/notification-feed/notification-feed.samples.ts'
import { expect, type Visitor } from '../app.ts'
import { unplugOne } from '../company.ts'
import { CLOSELY } from '../held.ts'
import { NotificationsScreen } from '../screens/notifications.screen.ts'
import { isEvaluated } from '../trial.ts'
import { startElsewhere } from '../visit.ts'
import type { Driver, DriverApp, Scene } from './driver.ts'

const BELL = 'Only the bell counts what nobody has seen, in a list of its own that is not on this page.'
const BROKEN =
  'The link says it only after it broke, for which the page is silent; the machine’s own tests have it.'

const MIDNIGHT = 'The world would have to reach midnight once a path; the machine’s own tests have it.'
const DAY = 86_400_000
/** The longest pause of the machine, ms: it goes by at once. */
const PAUSE = 3000

/** What comes live, and what is done to an entry, is looked at where it is listed. */
const events = ({ value, context: { filters } }: AnyMachineSnapshot): AnyEventObject[] => {
  const { range } = model.input.filters
  const isListed = value === 'ready' && filters.types === null && filters.range.from === range.from
  return model.events.filter(({ type }) => isListed || !['told', 'changed', 'answered'].includes(type))
}

const serializeState = (state: Parameters<typeof model.serializeState>[0] & AnyMachineSnapshot): string =>
  JSON.stringify([model.serializeState(state), state.context.filters])

/** The page of notifications. What only the bell's list or a broken link brings about is left to the machine's own tests. */
export const driver: Driver = {
  clock: 'stands',
  ways: [
    {
      model: { ...model, events, serializeState },
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
  // once: installed again it goes back to now
  if (page.url() === 'about:blank') await page.clock.install()
  await startElsewhere(visitor, app.url)
  const screen = new NotificationsScreen(page)
  let held: Route | undefined
  await page.route(/\/api\/groups\/[\w-]+\/notifications$/, (route) => {
    // The bell's list is another one.
    if (route.request().postDataJSON().limit === 50) held = route
    else return route.continue()
  })
  const isHeld = () =>
    expect.poll(() => held !== undefined, { message: 'the server is asked', ...CLOSELY }).toBe(true)
  const take = async (): Promise<Route> => {
    await isHeld()
    const route = held as Route
    held = undefined
    return route
  }
  /** as the answers and what came live have it */
  let shown = 0
  let newestOne: Notification | undefined
  let types: string[] | undefined
  let isOtherRange = false
  const answer = async (isCut: boolean) => {
    const route = await take()
    const { skip = 0 } = route.request().postDataJSON()
    const given = await (await route.fetch()).json()
    shown = skip + given.notifications.length
    if (skip === 0) newestOne = given.notifications[0]
    await route.fulfill({ json: { ...given, notificationsCount: shown + (isCut ? 30 : 0), hasMore: isCut } })
  }
  const refuse = async () => (await take()).fulfill({ status: 503, json: { code: 503, message: 'Starting' } })
  const { now } = await app.sim.status()
  const known = () => {
    const body = { startDate: now - DAY, endDate: now + DAY, skip: 0, limit: 1 }
    return app.api.ask(NOTIFICATION_CALLS.notifications, { params: { groupId: app.api.groupId }, body })
  }
  await shell.follow('/notifications')
  await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible()
  await page.clock.fastForward(PAUSE)
  await isHeld()
  const begin = (held as Route | undefined)?.request().postDataJSON().startDate

  const events: Scene['events'] = {
    filter: () => {
      held = undefined
      types = ['HIGH_TEMPERATURE_DETECTED']
      return screen.choose('Types', 'High temperature')
    },
    dates: async () => {
      held = undefined
      isOtherRange = true
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
      const before = await known()
      await unplugOne(app)
      await isEvaluated(app)
      const after = await known()
      expect(after.notifications[0]?._id, 'it is told').not.toBe(before.notifications[0]?._id)
      shown++
      newestOne = after.notifications[0]
    },
    changed: async () => {
      const body = { comment: 'On it' }
      const comments = await app.api.ask(NOTIFICATION_CALLS.comment, {
        params: { id: newestOne?._id ?? '' },
        body,
      })
      if (newestOne) newestOne = { ...newestOne, comments }
    },
    // the server is not told, so that nobody but its answer tells the page
    answered: async () => {
      const entry = screen.list.getByRole('listitem').filter({ hasNotText: 'Passenger check' }).first()
      const comment = {
        _id: 'c1',
        userName: 'Ayesha',
        comment: 'Done',
        createdAt: new Date(now).toISOString(),
      }
      await page.route(/\/comments$/, (route) => route.fulfill({ status: 201, json: [comment] }))
      await screen.open(entry)
      await screen.comment(entry, 'Is it?')
      await expect(entry.getByRole('list', { name: 'Comments' })).toHaveText(/Ayesha.*Done/)
      await expect(entry.getByRole('button').first()).toContainText(/1\s*comment/)
      newestOne = undefined
    },
    'xstate.done.actor.loadPage': ({ event }) => answer(event.output.hasMore),
    'xstate.error.actor.loadPage': refuse,
    'xstate.done.actor.loadMore': () => answer(false),
    'xstate.error.actor.loadMore': refuse,
    'xstate.after.firstLoad.notification-feed.waiting': isHeld,
    'xstate.after.dateSettle.notification-feed.settling': async () => {
      await page.clock.fastForward(PAUSE)
      await isHeld()
    },
  }
  return {
    events,
    async shows({ state }) {
      const { value, context } = state as {
        value: string
        context: { listed: { asOf: number; hasMore: boolean }; error: string | null }
      }
      const wasLoaded = context.listed.asOf >= 0
      if (value === 'failed')
        return expect(page.getByText('The notifications could not be loaded')).toBeVisible()
      if (value === 'ready' || value === 'loadingMore') {
        await expect(page.locator('main [aria-busy="false"]')).toBeVisible()
        await expect(page.getByText('The next ones did not come')).toHaveCount(context.error === null ? 0 : 1)
        await expect(screen.loadMore).toHaveCount(value === 'ready' && context.listed.hasMore ? 1 : 0)
        // those of before the start are found little by little
        await expect
          .poll(async () => Number.parseInt((await screen.shown.textContent()) ?? '', 10))
          .toBeGreaterThanOrEqual(shown)
        if (value === 'loadingMore')
          return expect(page.getByRole('button', { name: 'Loading…' })).toBeVisible()
        if (newestOne === undefined) return
        const { thingName, comments } = newestOne
        const first = screen.list.getByRole('listitem').first()
        await expect(first).toContainText(thingName)
        if (comments.length > 0)
          await expect(first).toContainText(new RegExp(`${comments.length}\\s*comment`))
        return
      }
      if (value === 'loading') {
        await isHeld()
        const requested = (held as Route | undefined)?.request().postDataJSON()
        expect(requested.types ?? undefined).toEqual(types)
        expect(requested.startDate !== begin).toBe(isOtherRange)
      }
      return expect(
        wasLoaded ? page.locator('main [aria-busy="true"]') : page.getByRole('status', { name: 'Loading' }),
      ).toBeVisible()
    },
  }
}
