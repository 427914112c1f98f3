import type { AnyEventObject, AnyMachineSnapshot } from 'xstate'
import { LIVE_CLOSE } from '#machines/contracts/live-messages.ts'
import { model } from '#machines/feed/feed.samples.ts'
import { DESK, expect, OPERATOR, PASSWORD, type Visitor } from '../app.ts'
import { stopClock } from '../clock.ts'
import { findGroup, makeGroup, removeGroup } from '../company.ts'
import { holdBack } from '../held.ts'
import { bringSession } from '../session.ts'
import { CUT_OFF } from '../trouble.ts'
import { holdWire } from '../wire.ts'
import type { Driver, DriverApp, Scene } from './driver.ts'

/** Over a link alone the server says that there is something to be fetched anew, and only one that is there breaks. */
const samples = ({ context }: AnyMachineSnapshot): AnyEventObject[] =>
  model.events.filter(({ type }) => {
    if (type === 'linkUp') return !context.isLinked
    return type !== 'snapshotNeeded' || context.isLinked
  })

/** The fleet on the dashboard: fetched, and kept whole by what comes over the link. The visitor's clock stands. */
export const driver: Driver = {
  clock: 'stands',
  isApart: true,
  viewport: DESK,
  ways: [{ model: { ...model, events: samples }, enter }],
}

const OUT_OF_ORDER = 'The store cannot read now'
/** Comes and goes, and with it which groups somebody sees. */
const NAME = 'Here today'

async function enter({ page, dashboard, shell, trouble }: Visitor, app: DriverApp): Promise<Scene> {
  trouble.allow(CUT_OFF)
  trouble.allow(/503/)
  await bringSession(page, app.url, OPERATOR, PASSWORD)
  const fleet = await holdBack(page, /\/observations-latest/)
  const wire = await holdWire(page)
  const clock = await stopClock(page, async () => {
    await page.goto('/')
    await fleet.isHeld()
    await wire.isTried()
  })
  /** readings of the world, on their way to the page, are lost */
  const loseSome = async () => {
    await app.sim.advance(60)
    await wire.lose()
  }
  let isCut = false
  let isOutdated = false
  let isLoaded = false
  const isRequestedAgain = async (until: Promise<void>) => {
    await until
    await fleet.isHeld()
  }
  return {
    events: {
      linkUp: async () => {
        // one that was cut is tried again soon
        if (isCut) await clock.pass(300)
        isCut = false
        await wire.letIn()
      },
      linkDown: () => {
        isCut = true
        return wire.cut()
      },
      outdated: async () => {
        // once it knows, the page tries no more
        if (!isOutdated) await wire.hangUp(LIVE_CLOSE.outdated, 'outdated')
        isOutdated = true
      },
      joined: async () => {
        await wire.pass('age')
        await expect(shell.link).toContainText(/^live/)
      },
      gapFound: async () => {
        await loseSome()
        await wire.pass('age')
      },
      snapshotNeeded: async () => {
        const known = await findGroup(app.api, NAME)
        await (known === undefined ? makeGroup(app.api, NAME) : removeGroup(app.api, known))
        await wire.pass('scope')
        await fleet.isHeld()
      },
      retry: () =>
        isRequestedAgain(
          page
            .getByRole('button', { name: /^Try again/ })
            .first()
            .click(),
        ),
      'xstate.done.actor.loadFleet': () => {
        isLoaded = true
        return fleet.release()
      },
      'xstate.error.actor.loadFleet': () => fleet.refuse(503, OUT_OF_ORDER),
      'xstate.done.actor.reloadFleet': () => fleet.release(),
      'xstate.error.actor.reloadFleet': () => fleet.refuse(503, OUT_OF_ORDER),
      'xstate.after.retryDelay.feed.awaitingSnapshot.failed': () => isRequestedAgain(clock.pass(3000)),
      'xstate.after.retryDelay.feed.resyncing.failed': () => isRequestedAgain(clock.pass(3000)),
      'xstate.after.resumePatience.feed.gap': async () => {
        // The server goes on, but what was missed never comes.
        await loseSome()
        await clock.pass(5000)
        await wire.pass('age')
        await isRequestedAgain(clock.pass(5000))
      },
    },
    async shows({ state }) {
      const hasFailed =
        state.matches({ awaitingSnapshot: 'failed' }) || state.matches({ resyncing: 'failed' })
      const words = state.matches('live')
        ? /^live/
        : isOutdated
          ? /, there is a new version$/
          : isCut
            ? /^offline since/
            : hasFailed
              ? /^catching up, no answer yet/
              : /^catching up(?!,)/
      await expect(async () => {
        // what is new is painted in a frame of the screen, and some of it not before another
        await clock.pass(20)
        const soon = { timeout: 250 }
        await expect(dashboard.rows.first()).toBeVisible({ visible: isLoaded, ...soon })
        await expect(page.getByText('The devices could not be loaded')).toBeVisible({
          visible: hasFailed && !isLoaded && !isCut,
          ...soon,
        })
        await expect(page.getByText('The devices come once this page is loaded anew')).toBeVisible({
          visible: isOutdated && !isLoaded,
          ...soon,
        })
        await expect(shell.link).toContainText(words, soon)
      }).toPass()
    },
  }
}
