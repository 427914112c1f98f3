import type { AnyEventObject, AnyMachineSnapshot } from 'xstate'
import type { SimStatus } from '#machines/contracts/calls/sim-calls.ts'
import { model } from '#machines/director/director.samples.ts'
import { expect, OPERATOR, PASSWORD, type Visitor } from '../app.ts'
import { stopClock } from '../clock.ts'
import { holdBack } from '../held.ts'
import { BESIDE, DirectorScreen } from '../screens/director.screen.ts'
import { bringSession } from '../session.ts'
import type { Driver, DriverApp, Scene } from './driver.ts'

/**
 * What the panel offers: nothing to do before it has shown the world, a step alone while it pauses, nothing of the clock on a
 * journey, and to stop one once it has said how far it is. Somebody else's journey never ends here: nobody is really on one.
 */
function offered(state: AnyMachineSnapshot): AnyEventObject[] {
  const { value, context } = state
  const { world, doing } = context
  return model.events.filter(({ type, ...event }) => {
    if (type === 'close') return value !== 'closed'
    if (type === 'act')
      return (
        world !== null && !state.matches('travelling') && (value !== 'acting' || event.doing?.kind === 'step')
      )
    if (type === 'stop') return isUnderWay(world)
    return !type.endsWith('.actor.travel') || doing !== null
  })
}

const isUnderWay = (world: { status: SimStatus } | null): boolean => (world?.status.journey ?? null) !== null

const serializeState = ({ value, context: { world, doing, waiting } }: AnyMachineSnapshot): string =>
  JSON.stringify([value, world !== null, isUnderWay(world), doing !== null, waiting.length > 0])

/**
 * The director's panel beside a page. It pauses the world and has it run again; journeys are answered for the world, which
 * stays where it is. The visitor's clock stands but for the machine's waits.
 */
export const driver: Driver = {
  clock: 'runs',
  isApart: true,
  viewport: BESIDE,
  ways: [
    {
      model: { ...model, events: offered, serializeState },
      enter,
      isOneVisit: true,
      cannot: {
        'travelling: act → stays': 'The clock has no buttons then.',
        'done: at once [isNext] → acting': 'What waits here is a step.',
      },
    },
  ],
}

const HALF_AN_HOUR = 1_800_000

/** Before the world is looked at again, and between two questions how far it is on its way, ms. */
const LOOKS_EVERY = 3000
const PROGRESS_EVERY = 400

async function enter({ page, shell, trouble }: Visitor, app: DriverApp): Promise<Scene> {
  trouble.allow(/\/sim\//)
  const director = new DirectorScreen(page)
  const { panel, clock: controls } = director
  if (!page.url().startsWith(app.url)) await bringSession(page, app.url, OPERATOR, PASSWORD)
  const clock = await stopClock(page, async () => {
    await page.goto('/help')
    await shell.isLive()
    await expect(director.footer.locator('time')).toBeVisible()
  })
  const status = await holdBack(page, /\/sim\/status$/)
  const setting = await holdBack(page, /\/sim\/clock$/, 'POST')
  const stopping = await holdBack(page, /\/sim\/clock\/journey$/, 'DELETE')
  const pace = director.button(/^(Pause|Run)$/)
  // half way, where the world is: a session would end by a clock that was set forward
  const onTheWay = (now: SimStatus): SimStatus => ({
    ...now,
    journey: { from: now.now - HALF_AN_HOUR, to: now.now + HALF_AN_HOUR, at: now.now },
  })
  return {
    events: {
      open: async () => {
        await page.keyboard.press('d')
        await expect(async () => {
          // it comes in its own time
          await clock.pass(100)
          await expect(panel).toBeVisible({ timeout: 50 })
        }).toPass({ intervals: [20] })
      },
      close: async () => {
        status.giveUp()
        await panel.press('Escape')
      },
      retry: () => director.button('Try again').click(),
      'token.given': async () => {
        await panel.getByLabel('Token', { exact: true }).fill('not asked for on this machine')
        await director.button('Go on').click()
      },
      act: async ({ event, state }) => {
        status.giveUp()
        if (event.doing.kind === 'pause') await pace.click()
        else {
          await director.button('Step').click()
          await page.getByRole('menuitem', { name: '1 hour on' }).click()
        }
        if (state.context.waiting.length === 0) await setting.isHeld()
      },
      stop: async () => {
        await director.button('Stop here').click()
        await stopping.isHeld()
      },
      'status.told': async () => {
        await clock.pass(PROGRESS_EVERY)
        await status.isHeld()
        await status.answer(onTheWay)
      },
      'xstate.done.actor.look': async ({ event }) => {
        if (isUnderWay(event.output)) await status.answer(onTheWay)
        else await status.release()
      },
      'xstate.error.actor.look': ({ event: { error } }) =>
        error.name === 'TokenNeeded' ? status.refuse(403, error.message) : status.giveNoAnswer(),
      'xstate.done.actor.act': () => setting.release(),
      'xstate.error.actor.act': ({ event }) => setting.refuse(409, event.error.message),
      'xstate.done.actor.travel': async () => {
        status.giveUp()
        await setting.feign(await app.sim.status())
      },
      'xstate.error.actor.travel': async ({ event }) => {
        status.giveUp()
        await setting.refuse(409, event.error.message)
      },
      'xstate.done.actor.stopJourney': async () => stopping.feign(await app.sim.status()),
      'xstate.error.actor.stopJourney': ({ event }) => stopping.refuse(503, event.error.message),
      'xstate.after.untilNextLook.director.watching.resting': () => clock.pass(LOOKS_EVERY),
      'xstate.after.untilNextLook.director.watching.failed': () => clock.pass(LOOKS_EVERY),
    },
    async shows({ state }) {
      const { world, refusal } = state.context
      await expect(panel).toBeVisible({ visible: !state.matches('closed') })
      if (state.matches('closed')) return
      await expect(director.button('Try again')).toBeVisible({
        visible: state.matches({ watching: 'failed' }),
      })
      if (state.matches('locked')) return expect(director.button('Go on')).toBeVisible()
      if (state.matches({ watching: 'asking' })) await status.isHeld()
      await expect(controls).toBeVisible({ visible: world !== null })
      if (world === null) return
      await expect(controls.getByRole('alert')).toHaveText(refusal === null ? [] : [refusal.message])
      if (!state.matches('travelling')) return expect(pace).toBeEnabled({ enabled: !state.matches('acting') })
      await expect(controls.getByRole('progressbar', { name: 'The world on its way' })).toBeVisible()
      if (!state.matches({ travelling: 'going' })) return expect(director.button('Stopping…')).toBeVisible()
      await expect(director.button('Stop here')).toBeEnabled({ enabled: isUnderWay(world) })
      await expect(controls.getByRole('status')).toContainText(isUnderWay(world) ? '50 %' : 'Setting out…')
    },
    leave: async () => {
      // what still waits is called off with it, or it would go to the server now
      if (await panel.isVisible()) await panel.press('Escape')
      await expect(panel).toBeHidden()
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await page.clock.resume()
      if ((await app.sim.status()).paused) await app.sim.resume()
    },
  }
}
