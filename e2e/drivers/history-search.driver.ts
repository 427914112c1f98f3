import type { AnyEventObject, AnyMachineSnapshot } from 'xstate'
import type { DeviceHistory, Thing } from '#machines/contracts/entities/devices.ts'
import { model, NOW } from '#machines/history-search/history-search.samples.ts'
import { expect, OPERATOR, PASSWORD, type Visitor } from '../app.ts'
import { type Held, holdBack } from '../held.ts'
import { bringSession } from '../session.ts'
import { CUT_OFF } from '../trouble.ts'
import { writerOf } from '../written.ts'
import type { Driver, DriverApp, Scene } from './driver.ts'

/** While an answer is on its way, the button to ask for another one does nothing. */
const samples = (snapshot: AnyMachineSnapshot): AnyEventObject[] =>
  model.events.filter(({ type }) => (type !== 'search' && type !== 'look') || !snapshot.matches('loading'))

/** The history of one device; its readings come live, and the network goes away and comes back. */
export const driver: Driver = {
  clock: 'stands',
  isApart: true,
  ways: [{ model: { ...model, events: samples }, enter }],
}

const OUT_OF_ORDER = 'The store cannot read now'

async function enter(visitor: Visitor, app: DriverApp): Promise<Scene> {
  const { page, shell, history, context } = visitor
  visitor.trouble.allow(/503/)
  visitor.trouble.allow(CUT_OFF)
  const device = talking(await app.api.fleet())
  const written = await writerOf(app.api)
  await bringSession(page, app.url, OPERATOR, PASSWORD)
  const held: Held = await holdBack(page, /\/observations\?/)
  /** the last part of the page is there: without a network it could not be, and a page without it is loaded anew */
  let isWhole = false
  page.on('requestfinished', (request) => {
    if (request.url().includes('/assets/way-overlay')) isWhole = true
  })
  // what the page asks for each minute is no step of the machine: where all is slow it would come amid one
  await page.addInitScript(() => {
    const often = window.setInterval.bind(window) as (call: TimerHandler, ms?: number) => number
    const unlessEachMinute = (call: TimerHandler, ms?: number) => (ms === 60_000 ? 0 : often(call, ms))
    window.setInterval = unlessEachMinute as typeof window.setInterval
  })
  await page.goto('/aboutus')
  await shell.isLive()
  // one that comes before the link asks twice, for what may have come in between
  await shell.goTo(device.name)
  await held.isHeld()
  const newest = history.latest.getByRole('time').first()
  let before: string | null = null
  const typed = { 'Start date': '', 'End date': '' }
  /** where something else stands */
  const type = async (field: keyof typeof typed, at: number): Promise<void> => {
    if (typed[field] === written(at)) return
    typed[field] = written(at)
    await history.type(field, typed[field])
  }
  const events: Scene['events'] = {
    search: async ({ event, state }) => {
      const { from, to } = event.range
      const { now } = await app.sim.status()
      // the samples' clock is another one than the world's
      await type('Start date', from + now - NOW)
      await type('End date', to + now - NOW)
      await history.find()
      if (state.matches('loading')) await held.isHeld()
    },
    look: async () => {
      await history.preset('1 h')
      typed['Start date'] = ''
      typed['End date'] = ''
      await held.isHeld()
    },
    readings: async () => {
      before = (await newest.isVisible()) ? await newest.getAttribute('datetime') : null
      await app.sim.advance(120)
    },
    resumed: async ({ state }) => {
      held.giveUp()
      if (state.context.history !== null)
        await expect.poll(() => isWhole, 'the page has all its parts').toBe(true)
      await context.setOffline(true)
      await expect(shell.link).toContainText('no network')
      await context.setOffline(false)
      await held.isHeld()
    },
    retry: async () => {
      await page.getByRole('button', { name: 'Try again', exact: true }).click()
      await held.isHeld()
    },
    'xstate.done.actor.loadHistory': async ({ event }) => {
      if (event.output.points.length > 0) return held.release()
      return held.answer<DeviceHistory>((whole) => ({ ...whole, points: [] }))
    },
    'xstate.error.actor.loadHistory': () => held.refuse(503, OUT_OF_ORDER),
  }
  return {
    events,
    async shows({ event, state }) {
      const { message, history: known, isOfRange } = state.context
      const isOld = state.matches('failed') && isOfRange
      await expect(history.search.getByText('Duration Should be 1 Day Maximum')).toBeVisible({
        visible: message !== null,
      })
      if (state.matches('failed') && !isOfRange)
        return expect(page.getByText('This history could not be loaded')).toBeVisible()
      if (isOld) await expect(page.getByText('This history could not be brought up to date.')).toBeVisible()
      if (state.matches('empty') || (isOld && known.points.length === 0))
        return expect(page.getByText('Nothing was measured in this range.')).toBeVisible()
      if (state.matches('loading'))
        return known === null
          ? expect(page.getByRole('status', { name: 'Loading history' })).toBeVisible()
          : expect(page.locator('main [aria-busy="true"]')).toBeVisible()
      await history.isDrawn()
      await expect(page.locator('main [aria-busy="false"]')).toBeVisible()
      if (event.type === 'readings') await expect(newest).not.toHaveAttribute('datetime', before ?? '')
    },
  }
}

/** One whose readings come as they are made. */
function talking(fleet: readonly Thing[]): Thing {
  const device = fleet.find(
    ({ type, thingStatus, temperature, humidity }) =>
      type === 'vehicle' && thingStatus === 'online' && temperature !== null && humidity !== null,
  )
  if (device === undefined) throw new Error('No vehicle measures temperature and humidity')
  return device
}
