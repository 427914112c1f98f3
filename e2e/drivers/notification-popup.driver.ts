import { NOTIFICATION_CALLS } from '#machines/contracts/calls/notification-calls.ts'
import { USER_CALLS } from '#machines/contracts/calls/user-calls.ts'
import { model } from '#machines/notification-popup/notification-popup.samples.ts'
import { shouted } from '#machines/notification-popup/shouted.ts'
import type { Path } from '#machines/testing/path-model.ts'
import { expect, OPERATOR, PASSWORD, type Visitor } from '../app.ts'
import { stopClock } from '../clock.ts'
import { groupNamed, removeGroup, unplugOne } from '../company.ts'
import { holdBack } from '../held.ts'
import { NotificationsScreen } from '../screens/notifications.screen.ts'
import { bringSession } from '../session.ts'
import { CUT_OFF } from '../trouble.ts'
import { type Cable, layNotificationCable } from '../wire.ts'
import { type Driver, type DriverApp, leadsTo, type Scene } from './driver.ts'

/** What pops up on any page. The visitor's clock stands, so that each of the popup's pauses can be looked at. */
export const driver: Driver = {
  clock: 'stands',
  isApart: true,
  ways: [{ model, enter }],
}

async function enter(visitor: Visitor, app: DriverApp, path: Path): Promise<Scene> {
  const { page, shell, trouble } = visitor
  trouble.allow(CUT_OFF)
  await bringSession(page, app.url, OPERATOR, PASSWORD)
  const screen = new NotificationsScreen(page)
  const cable = await layNotificationCable(page)
  let release = async () => {}
  const clock = await stopClock(page, async () => {
    await page.goto('/aboutus')
    await shell.isLive()
    await screen.bell.click()
    await expect(screen.todays).toBeVisible()
    await screen.hasUnread(0)
    await page.keyboard.press('Escape')
    await expect(screen.todays).toBeHidden()
    if (leadsTo(path, 'missed')) release = await missSome(visitor, app, cable)
  })
  const loud = await loudOnes(visitor, app)
  const loudBefore = await loud()
  let missed = 0
  /** what it can tell of so far: those that came live and are not silent, and all that the bell counts at once when the list comes */
  const tellable = async () => (await loud()) - loudBefore + missed
  /** of these: when the popup began, and when it last said something */
  let begun = 0
  let shown = 0
  const isEmitted = async (): Promise<void> => {
    const before = await screen.unread()
    await unplugOne(app)
    await expect.poll(() => screen.unread(), 'the bell rings').toBeGreaterThan(before)
  }
  const saysCount = async (count: number): Promise<void> => {
    const wait = { timeout: 250 }
    if (count > 1)
      await expect(screen.popup).toContainText(`${count.toLocaleString('en')} notifications`, wait)
    else await expect(screen.popup.getByRole('button', { name: /^View( All)?$/ })).toBeVisible(wait)
  }
  return {
    events: {
      notify: isEmitted,
      missed: async () => {
        const before = await screen.unread()
        await release()
        await expect.poll(() => screen.unread(), 'the bell counts what was missed').toBeGreaterThan(before)
        missed += (await screen.unread()) - before
      },
      gone: async () => {
        await screen.popup.getByRole('button', { name: 'Close toast' }).click()
        begun = shown
      },
      'xstate.after.popupDelay.notification-popup.raising': () => clock.pass(10),
      'xstate.after.joinDelay.notification-popup.joining': () => clock.pass(250),
    },
    async shows({ event, state }) {
      if (state.matches('quiet')) {
        // it fades
        await clock.pass(200)
        return expect(screen.popup).toHaveCount(0)
      }
      // Nothing is said for a hundredth of a second, so that a burst is one popup; one that was closed fades meanwhile.
      if (state.matches('raising')) return expect(screen.popup).toHaveCount(event.type === 'gone' ? 1 : 0)
      if (!state.matches('shown')) return saysCount(shown - begun)
      shown = await tellable()
      await expect(async () => {
        // it comes in its own time
        await clock.pass(20)
        await saysCount(shown - begun)
      }).toPass()
    },
  }
}

const HOUR = 3_600_000
/** some may be told late */
const LATE = HOUR / 6

/** How many of the newest notifications make themselves noticed, as the server lists them. */
async function loudOnes({ page }: Visitor, { api, sim }: DriverApp): Promise<() => Promise<number>> {
  const id = (await page.evaluate(() => localStorage.getItem('user_id'))) ?? ''
  const settings = await api.ask(USER_CALLS.notificationSettings, { params: { id } })
  const { now } = await sim.status()
  return async () => {
    const body = { startDate: now - LATE, endDate: now + HOUR, skip: 0, limit: 500 }
    const params = { groupId: api.groupId }
    const { notifications } = await api.ask(NOTIFICATION_CALLS.notifications, { params, body })
    return notifications.filter((one) => shouted(one, settings).popup).length
  }
}

/**
 * The socket of notifications is cut, meanwhile something happens and the groups are others, so that it is not told one
 * by one when the socket is back: the list of today tells. That waits until it is released.
 */
async function missSome({ page }: Visitor, app: DriverApp, cable: Cable): Promise<() => Promise<void>> {
  const gone = await groupNamed(app.api, 'Gone tomorrow')
  await cable.cut()
  await unplugOne(app)
  await removeGroup(app.api, gone)
  const list = await holdBack(page, /\/groups\/[\w-]+\/notifications$/, 'POST')
  cable.mend()
  await list.isHeld()
  return list.release
}
