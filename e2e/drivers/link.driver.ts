import type { AnyEventObject, AnyMachineSnapshot } from 'xstate'
import { LIVE_CLOSE } from '#machines/contracts/live-messages.ts'
import { model } from '#machines/link/link.samples.ts'
import { expect, OPERATOR, PASSWORD, type Visitor } from '../app.ts'
import { stopClock } from '../clock.ts'
import { bringSession } from '../session.ts'
import { CUT_OFF } from '../trouble.ts'
import { holdWire } from '../wire.ts'
import type { Driver, DriverApp, Scene } from './driver.ts'

/** Trying again is offered once a try has failed. */
const offered = ({ context }: AnyMachineSnapshot): AnyEventObject[] =>
  model.events.filter(({ type }) => type !== 'retry' || context.failures > 0)

/** The link to the server, as the header of every page tells of it. The visitor's clock stands but for the machine's waits. */
export const driver: Driver = {
  clock: 'stands',
  ways: [
    {
      model: { ...model, events: offered },
      enter,
      cannot: {
        'backingOff: networkBack → linking':
          'The network comes back after it was gone, and where it is gone the link waits for it in offline.',
      },
    },
  ],
}

/** ms the page waits to be let in */
const PATIENCE = 10_000
const WAITING = /^offline since \d\d:\d\d(?!, )/

async function enter({ page, shell, context, trouble }: Visitor, app: DriverApp): Promise<Scene> {
  trouble.allow(CUT_OFF)
  await bringSession(page, app.url, OPERATOR, PASSWORD)
  const wire = await holdWire(page)
  const clock = await stopClock(page, async () => {
    await page.goto('/aboutus')
    await wire.isTried()
    // a page whose parts are still on their way when the network goes is another story
    await expect(shell.content.getByRole('heading', { name: 'About Us', level: 1 })).toBeVisible()
    await page.waitForLoadState('networkidle')
  })
  let isOutdated = false
  return {
    events: {
      outdated: async () => {
        // once it knows, the page tries no more
        if (!isOutdated) await wire.hangUp(LIVE_CLOSE.outdated, 'outdated')
        isOutdated = true
      },
      opened: async () => {
        await wire.letIn()
        wire.flow()
      },
      closed: ({ event }) =>
        event.code === LIVE_CLOSE.refused ? wire.hangUp(event.code, event.reason) : wire.cut(),
      networkLost: () => context.setOffline(true),
      networkBack: () => context.setOffline(false),
      retry: () => shell.tryAgain.click(),
      'xstate.after.patience.link.linking.connecting': async () => {
        // no further than that: what waits then is soon over
        for (let passed = 0; passed < PATIENCE; passed += 100) {
          if (WAITING.test((await shell.link.textContent()) ?? '')) return
          await clock.pass(100)
        }
      },
      'xstate.after.backOff.link.backingOff': () => clock.pass(10_000),
    },
    async shows({ state }) {
      const { failures } = state.context
      await expect(shell.tryAgain).toBeVisible({
        visible:
          !state.matches('offline') &&
          !state.matches('outdated') &&
          !state.matches({ linking: 'online' }) &&
          failures > 0,
      })
      if (state.matches('offline'))
        return expect(shell.link).toHaveText(/^offline since \d\d:\d\d, no network/)
      if (state.matches('outdated')) return expect(shell.link).toHaveText(/, there is a new version$/)
      if (state.matches('backingOff')) return expect(shell.link).toHaveText(WAITING)
      if (state.matches({ linking: 'online' })) return shell.isLive()
      await wire.isTried()
      await expect(shell.link).toHaveText(failures > 0 ? /^offline since \d\d:\d\d, trying/ : /^catching up/)
    },
  }
}
