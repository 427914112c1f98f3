import type { AnyEventObject, AnyMachineSnapshot } from 'xstate'
import { model, NOW } from '#machines/violation-search/violation-search.samples.ts'
import { DESK, expect, type Visitor } from '../app.ts'
import { watchClosely } from '../company.ts'
import { holdBack } from '../held.ts'
import { VisualizationScreen } from '../screens/visualization.screen.ts'
import { startElsewhere } from '../visit.ts'
import { writerOf } from '../written.ts'
import type { Driver, DriverApp, Scene } from './driver.ts'

/** While an answer is on its way, the button to ask for another one does nothing. */
const samples = (snapshot: AnyMachineSnapshot): AnyEventObject[] =>
  model.events.filter(({ type }) => type !== 'search' || !snapshot.matches('loading'))

/** The page of violations, its chart. */
export const driver: Driver = {
  clock: 'stands',
  viewport: DESK,
  ways: [{ model: { ...model, events: samples }, enter, isOneVisit: true }],
}

const OUT_OF_ORDER = 'The store cannot read now'
/** A band has to be left for so long, and a little more, s. */
const UNTIL_VIOLATION = 1200

async function enter(visitor: Visitor, app: DriverApp): Promise<Scene> {
  const { page, shell, trouble } = visitor
  trouble.allow(/503/)
  await startElsewhere(visitor, app.url)
  const written = await writerOf(app.api)
  const held = await holdBack(page, /\/violationstats$/)
  const screen = new VisualizationScreen(page)
  const watched: { letGo(): Promise<unknown> }[] = []
  await shell.follow('/visualization/violations')
  await held.isHeld()
  return {
    events: {
      search: async ({ event, state }) => {
        const { devices, range } = event.filter
        await screen.tickAll(devices === 'all')
        // the samples' clock is another one than the world's
        const { now } = await app.sim.status()
        const toThen = now - NOW
        await screen.type('Start Date', written(range.from + toThen))
        await screen.type('End Date', written(range.to + toThen))
        await screen.apply()
        if (state.matches('loading')) await held.isHeld()
      },
      refresh: async () => {
        await page.getByRole('button', { name: /^(Refresh|Try again)$/ }).click()
        await held.isHeld()
      },
      violation: async () => {
        watched.push(await watchClosely(app.api))
        await app.sim.advance(UNTIL_VIOLATION)
      },
      'xstate.done.actor.load': () => held.release(),
      'xstate.error.actor.load': () => held.refuse(503, OUT_OF_ORDER),
    },
    async shows({ state }) {
      const { faults, news } = state.context
      await expect(page.locator('main [aria-busy]').first()).toHaveAttribute(
        'aria-busy',
        `${state.matches('loading')}`,
      )
      await expect(page.getByText('The violations could not be loaded')).toBeVisible({
        visible: state.matches('failed'),
      })
      await expect(screen.filter.getByText('Please select Devices')).toBeVisible({
        visible: faults.length > 0,
      })
      if (!state.matches('shown')) return
      await screen.isDrawn()
      await expect(page.getByText(/ · [\d,]+ new since$/)).toBeVisible({ visible: news > 0 })
    },
    leave: () => Promise.all(watched.map(({ letGo }) => letGo())),
  }
}
