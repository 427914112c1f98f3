import { model } from '#machines/report-request/report-request.samples.ts'
import { DESK, expect, type Visitor } from '../app.ts'
import { holdBack } from '../held.ts'
import { ReportsScreen } from '../screens/reports.screen.ts'
import { startElsewhere } from '../visit.ts'
import type { Driver, DriverApp, Scene } from './driver.ts'

/** The machine that asks for a report, on the power report's screen. */
export const driver: Driver = { clock: 'stands', viewport: DESK, ways: [{ model, enter, isOneVisit: true }] }

const OUT_OF_ORDER = 'The reports are out of order'

async function enter(visitor: Visitor, app: DriverApp): Promise<Scene> {
  const { page, shell, trouble } = visitor
  trouble.allow(/503/)
  await startElsewhere(visitor, app.url)
  const reports = new ReportsScreen(page)
  const held = await holdBack(page, /\/reports\/powerReport$/)
  await shell.follow('/powerReport')
  const devices = reports.form.getByRole('button', { name: /^Devices/ })
  return {
    events: {
      choose: async ({ event }) => {
        const isAll = (await devices.textContent())?.includes('All') === true
        const isWanted = event.patch.devices === 'all'
        // picking what is picked already lets it go: it is picked anew then
        await reports.pick('Devices', 'ALL')
        if (isAll === isWanted) await reports.pick('Devices', 'ALL')
      },
      submit: async ({ state }) => {
        await reports.send.click()
        if (state.matches('sending')) await held.isHeld()
      },
      'xstate.done.actor.sendRequest': () => held.release(),
      'xstate.error.actor.sendRequest': () => held.refuse(503, OUT_OF_ORDER),
      close: () => reports.dialog.getByRole('button', { name: 'Cancel' }).click(),
      view: () => reports.dialog.getByRole('button', { name: 'View Reports' }).click(),
    },
    async shows({ state }) {
      if (state.matches('leaving')) {
        await expect(page).toHaveURL(/\/download\/reports$/)
        return expect(reports.line(0)).toContainText('Power Report')
      }
      const { choice, faults } = state.context
      if (state.matches('sent')) return expect(reports.dialog).toBeVisible()
      await expect(reports.dialog).toBeHidden()
      await expect(devices).toContainText(choice.devices === 'all' ? 'All vehicles' : 'No vehicles')
      const button = state.matches('sending') ? 'Requesting…' : 'Search'
      await expect(reports.form.getByRole('button', { name: button })).toBeVisible()
      for (const { message } of faults) await reports.says(message)
      const alert = reports.form.getByText(OUT_OF_ORDER)
      return state.matches('failed') ? expect(alert).toBeVisible() : expect(alert).toBeHidden()
    },
  }
}
