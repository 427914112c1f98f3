import { REPORT_CALLS } from '#machines/contracts/calls/report-calls.ts'
import { model, WEEKLY, WHOLE } from '#machines/schedule-form/schedule-form.samples.ts'
import { expect, type Visitor } from '../app.ts'
import { holdBack } from '../held.ts'
import { SchedulesScreen } from '../screens/schedules.screen.ts'
import { startElsewhere } from '../visit.ts'
import type { Driver, DriverApp, Scene } from './driver.ts'

/** The form of a schedule; whether it is saved or deleted waits until the path says so. */
export const driver: Driver = { clock: 'stands', ways: [{ model, enter, isOneVisit: true }] }

const OUT_OF_ORDER = 'The store cannot write now'

async function enter(visitor: Visitor, app: DriverApp): Promise<Scene> {
  const { page, shell, trouble } = visitor
  trouble.allow(/503/)
  await startElsewhere(visitor, app.url)
  const schedules = new SchedulesScreen(page)
  for (const interval of ['Weekly', 'Daily'] as const) await thereIs(app, interval)
  await shell.follow('/scheduleReport')
  await schedules.isThere()
  const held = await holdBack(page, /\/api\/groups\/(scheduleReport|deleteScheduleReport)/)
  const named = (id: string) => (id === WEEKLY._id ? 'Weekly' : 'Daily')
  return {
    events: {
      fill: async ({ event, state }) => {
        if (event.patch !== WHOLE) return schedules.withoutAddresses()
        if (state.matches('creating')) {
          await schedules.everything()
          await schedules.chooseInterval('Ten Days')
          await schedules.choosePowerReport()
        }
        await schedules.address('desk@indus.example')
      },
      'email.enter': () => schedules.emails.press('Enter'),
      submit: async ({ state }) => {
        await schedules.send.click()
        if (state.matches('saving')) await held.isHeld()
      },
      edit: async () => {
        await thereIs(app, 'Weekly')
        await schedules.edit('Weekly').click()
      },
      cancel: () => page.getByRole('button', { name: 'Cancel' }).click(),
      'delete.ask': async ({ event }) => {
        await thereIs(app, named(event.id))
        await schedules.delete(named(event.id)).click()
      },
      'delete.yes': async () => {
        await page.getByRole('button', { name: 'Yes' }).click()
        await held.isHeld()
      },
      'delete.no': () => page.getByRole('button', { name: 'No', exact: true }).click(),
      'xstate.done.actor.saveSchedule': async () => {
        await held.release()
        await shell.says(/Report scheduled successfully|Report schedule updated/)
      },
      'xstate.error.actor.saveSchedule': async () => {
        await held.refuse(503, OUT_OF_ORDER)
        await expect(page.getByText(`The schedule is not saved: ${OUT_OF_ORDER}`)).toBeVisible()
      },
      'xstate.done.actor.deleteSchedule': async () => {
        await held.release()
        await shell.says('Report Schedule Deleted')
      },
      'xstate.error.actor.deleteSchedule': async () => {
        await held.refuse(503, OUT_OF_ORDER)
        await expect(schedules.deletion.getByText(OUT_OF_ORDER)).toBeVisible()
      },
    },
    async shows({ state }) {
      const { faults } = state.context
      if (state.matches('confirmingDelete')) return expect(schedules.deletion).toBeVisible()
      if (state.matches('deleting'))
        return expect(schedules.deletion.getByRole('button', { name: 'Deleting…' })).toBeVisible()
      await expect(schedules.deletion).toBeHidden()
      const word = state.matches('saving') ? 'Saving…' : state.matches('editing') ? 'Update' : 'Save'
      await expect(schedules.send).toHaveText(word)
      await expect(page.getByText('Please enter at least one email.')).toHaveCount(faults.length > 0 ? 1 : 0)
    },
  }
}

/** A schedule of this interval, whatever the paths before did. */
async function thereIs(app: DriverApp, interval: 'Weekly' | 'Daily'): Promise<void> {
  const { api } = app
  const known = await api.ask(REPORT_CALLS.schedules, { params: { companyId: 'indus' } })
  if (known.some((schedule) => schedule.interval === interval)) return
  const [device] = (await api.fleet()).filter(({ type }) => type === 'vehicle')
  await api.ask(REPORT_CALLS.scheduleReport, {
    body: {
      groups: [api.groupId],
      vehicles: [device?.imei ?? ''],
      interval,
      emails: ['night@indus.example'],
      reportTypes: ['POWER_REPORT'],
    },
  })
}
