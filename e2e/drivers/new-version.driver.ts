import { expect, type Page, type Route } from '@playwright/test'
import { LIVE_CLOSE } from '#machines/contracts/live-messages.ts'
import { BUILD_HEADER } from '#machines/contracts/protocol.ts'
import { model } from '#machines/new-version/new-version.samples.ts'
import type { PathStep } from '#machines/testing/path-model.ts'
import { OPERATOR, PASSWORD, type Visitor } from '../app.ts'
import { DevicesScreen } from '../screens/devices.screen.ts'
import { NewVersionScreen } from '../screens/new-version.screen.ts'
import { bringSession } from '../session.ts'
import { CUT_OFF } from '../trouble.ts'
import { holdWire, type Wire } from '../wire.ts'
import type { Driver, DriverApp, Scene } from './driver.ts'

const WALL = 'Where it was put off a wall alone loads the page anew.'

/** A window that is older than the server, with a part that is missing: the page of help. */
export const driver: Driver = {
  clock: 'stands',
  ways: [
    {
      model,
      enter,
      isOneVisit: true,
      cannot: {
        'stuck: part.missing → stays': 'Nothing can be pressed under the window.',
        'putOff: reload [isKept] → reloading': WALL,
        'putOff: reload [otherwise] → unkept': WALL,
      },
    },
  ],
}

const HELP = /\/assets\/help-/
const TIME = /\/api\/time$/

/** A page's link is taken in hand once, however often the page begins anew. */
const wires = new WeakMap<Page, Promise<Wire>>()

function wireOf(page: Page): Promise<Wire> {
  const known = wires.get(page) ?? holdWire(page)
  wires.set(page, known)
  return known
}

async function enter({ page, shell, trouble }: Visitor, app: DriverApp): Promise<Scene> {
  trouble.allow(CUT_OFF)
  trouble.allow(/ERR_FAILED|preload CSS|PartMissing|404/)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await bringSession(page, app.url, OPERATOR, PASSWORD)
  // what the page before put off, or kept of what was typed
  await page.evaluate(() => sessionStorage.clear())
  const wire = await wireOf(page)
  wire.forget()
  const newer = new NewVersionScreen(page)
  await page.goto('/aboutus')
  await wire.letIn()
  wire.flow()
  await shell.isLive()
  await page.evaluate(() => document.documentElement.setAttribute('data-older', ''))
  await page.route(HELP, (route) => route.fulfill({ status: 404, body: '' }))
  let requested: Route | undefined
  let settle = async () => {}
  const answer = async (build?: string): Promise<void> => {
    const route = requested as Route
    requested = undefined
    await page.unroute(TIME)
    const response = await route.fetch()
    const headers = { ...response.headers(), ...(build && { [BUILD_HEADER]: build }) }
    await route.fulfill({ response, headers })
  }

  return {
    events: {
      'build.changed': async () => {
        if (requested !== undefined) return answer('index-of-tomorrow')
        settle = await newer.deploy()
        await shell.goTo('Users')
      },
      'protocol.refused': () => wire.hangUp(LIVE_CLOSE.outdated, 'outdated'),
      'part.missing': async ({ state, event }) => {
        await typeWhatIsKept(page, shell, event.isKept)
        if (state.matches('asking'))
          await page.route(TIME, (route) => {
            requested = route
          })
        await shell.goTo('Help')
      },
      later: () => newer.later.click(),
      reload: async ({ state, event }) => {
        if (!(await newer.window.isVisible())) await typeWhatIsKept(page, shell, event.isKept)
        await page.unroute(HELP)
        await settle()
        const button =
          state.matches('reloading') && (await newer.window.isVisible()) ? newer.reloadPage : newer.reload
        await button.click()
      },
      'xstate.done.actor.askServer': () => answer(),
      'xstate.error.actor.askServer': async () => {
        await page.unroute(TIME)
        await requested?.abort()
      },
    },
    async shows({ state }: PathStep) {
      if (state.matches('asking'))
        return expect.poll(() => requested !== undefined, 'the server is asked').toBe(true)
      if (state.matches('stuck')) {
        const { isKept } = state.context.missing
        return expect(newer.window).toContainText(`what you typed ${isKept ? 'is' : 'could not be'} kept`)
      }
      if (state.matches('offered')) return expect(newer.later).toBeVisible()
      if (state.matches('needed')) {
        await expect(newer.bar).toContainText('Nothing new is shown here until you reload.')
        return expect(newer.later).toBeHidden()
      }
      if (state.matches('unkept')) return expect(newer.bar).toContainText('cannot be kept')
      if (state.matches('current') || state.matches('putOff')) return newer.isAway()
      if (state.matches('reloading'))
        return expect(page.locator('html')).not.toHaveAttribute('data-older', /.*/)
    },
  }
}

/** What is typed on the page finds room in the browser, or does not. */
async function typeWhatIsKept(page: Page, shell: Visitor['shell'], isKept: boolean): Promise<void> {
  await shell.goTo('Devices')
  await new DevicesScreen(page).find('Typed before the upgrade')
  await page.evaluate((isFull) => {
    const { prototype } = Storage
    const { setItem } = prototype
    document.documentElement.toggleAttribute('data-full', isFull)
    prototype.setItem = function (key, value) {
      if (document.documentElement.hasAttribute('data-full'))
        throw new DOMException('no room', 'QuotaExceededError')
      setItem.call(this, key, value)
    }
  }, !isKept)
}
