import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { ReportSchedule } from '#machines/contracts/entities/reports.ts'
import { onPageStage, type PageStage } from '../../layout/testing/page-stage.tsx'
import type { Server } from '../../layout/testing/root-on-stage.ts'
import { createFleet } from '../../read-model/fleet.ts'
import { imeiOf, plainDevice, plainGroup, snapshotOf } from '../../read-model/testing/make-fleet.ts'
import ScheduleReport from './schedule-report.tsx'

let stage: PageStage
afterEach(() => stage.unmount())

const LIST = 'GET /groups/listScheduledReports/indus'
const SAVE = 'POST /groups/scheduleReport'
const weekly: ReportSchedule = {
  _id: 'weekly',
  company: 'indus',
  groups: [{ _id: 'g1', name: 'Lahore Fresh Produce Fleet' }],
  vehicles: [{ _id: '352093024171000', plateNumber: 'LEA-19-1000', name: 'Reefer 1' }],
  interval: 'TenDays',
  emails: ['desk@indus.example', 'night@indus.example'],
  reportTypes: ['POWER_REPORT'],
}
const travel: ReportSchedule = {
  ...weekly,
  _id: 'travel',
  interval: 'Daily',
  reportTypes: ['vehicleTravelReport', 'OverSpeedingVehiclesReport', 'GeoFenceTrackReport'],
}

/** Two groups, a vehicle in each, and a warehouse. */
async function shown(server: Server) {
  const fleet = createFleet((call) => call())
  const devices = [plainDevice(0), plainDevice(1, { group: 1 }), plainDevice(2, { group: 1, kind: 1 })]
  fleet.load(snapshotOf(1, devices, [plainGroup('top'), plainGroup('lahore', 'top')]))
  stage = await onPageStage(<ScheduleReport />, { at: '/scheduleReport', server, fleet })
}
const button = (name: string | RegExp) => page.getByRole('button', { name })
const emails = page.getByRole('textbox', { name: 'Emails' })

test('without schedules it says so, and what to do', async () => {
  await shown({ [LIST]: { body: [] } })
  await expect.element(page.getByText('No scheduled report added yet')).toBeVisible()
})

test('each missing field is told, and the cursor is at the first', async () => {
  await shown({ [LIST]: { body: [] } })
  await button('Save').click()
  for (const text of [
    'Please select at least one group.',
    'Please select at least one vehicle.',
    'Please select interval.',
    'Please select at least one report type.',
    'Please enter at least one email.',
  ])
    await expect.element(page.getByText(text)).toBeVisible()
  await expect.element(button(/^Groups/)).toHaveFocus()
  expect(stage.calls(SAVE)).toEqual([])
})

test('a schedule is saved whole, once, and the list comes anew', async () => {
  let list: ReportSchedule[] = []
  await shown({
    [LIST]: () => ({ body: list }),
    [SAVE]: () => {
      list = [weekly]
      return { status: 201, body: weekly }
    },
  })
  await page.getByText('All groups').click()
  await page.getByText('All vehicles').click()
  await expect.element(button(/^Groups/)).toBeDisabled()
  await expect.element(button(/^Vehicles/)).toBeDisabled()
  await button(/^Select interval/).click()
  await page.getByRole('option', { name: 'Ten Days' }).click()
  await button(/^Report Types/).click()
  await page.getByRole('option', { name: 'Power Report' }).click()
  await userEvent.keyboard('{Escape}')
  await emails.fill('desk@indus')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('Invalid email address')).toBeVisible()
  await emails.fill('desk@indus.example')
  await userEvent.keyboard('{Enter}')
  await emails.fill('night@indus.example')
  await userEvent.keyboard('{Tab}')
  await expect.element(page.getByRole('row', { name: 'night@indus.example' })).toBeVisible()
  await button('Save').click()
  await expect.element(page.getByRole('row', { name: /Ten Days/ })).toBeVisible()
  expect(stage.told).toEqual(['Report scheduled successfully'])
  expect(stage.calls(SAVE).map(({ body }) => body)).toEqual([
    {
      groups: ['top', 'lahore'],
      vehicles: [imeiOf(0), imeiOf(1)],
      interval: 'TenDays',
      emails: ['desk@indus.example', 'night@indus.example'],
      reportTypes: ['POWER_REPORT'],
    },
  ])
  await expect.element(page.getByRole('row', { name: 'night@indus.example' })).not.toBeInTheDocument()
})

test('what is refused stays, with why', async () => {
  await shown({
    [LIST]: { body: [weekly] },
    'PUT /groups/scheduleReport/weekly': {
      status: 422,
      body: { code: 422, message: 'Please select interval.' },
    },
  })
  await button(/^Edit Ten Days/).click()
  await expect.element(button(/^Groups/)).toBeDisabled()
  await expect.element(button(/^Vehicles/)).toBeDisabled()
  await button(/^Remove night@indus.example/).click()
  await button('Update').click()
  await expect.element(page.getByText(/^The schedule is not saved: Please select interval\./)).toBeVisible()
  await expect.element(button('Update')).toBeEnabled()
  await button('Cancel').click()
  await expect.element(button('Save')).toBeVisible()
})

test('long cells are cut and told whole', async () => {
  await shown({ [LIST]: { body: [weekly] } })
  await expect.element(button('Lahore Fresh Produce Fleet')).toMatchTextContent(/^Lahore Fresh Produce…/)
  await button('Lahore Fresh Produce Fleet').hover()
  await expect.element(page.getByRole('tooltip')).toHaveTextContent('Lahore Fresh Produce Fleet')
})

test('types that ask for more bring their fields, with the documents’ bounds', async () => {
  await shown({ [LIST]: { body: [travel] } })
  await button(/^Edit Daily/).click()
  const speed = page.getByRole('textbox', { name: 'Speed limit' })
  await expect.element(speed).toHaveValue('80')
  await speed.fill('900')
  await userEvent.keyboard('{Tab}')
  await expect.element(speed).toHaveValue('200')
  await expect.element(page.getByRole('textbox', { name: 'Min distance travelled' })).toHaveValue('25')
  await button('Update').click()
  for (const text of [
    'Please select source geofence.',
    'Please select destination geofence.',
    'Please select start time.',
    'Please select end time.',
  ])
    await expect.element(page.getByText(text)).toBeVisible()
})

test('deleting asks first; No keeps it, Yes deletes it', async () => {
  let list = [weekly]
  await shown({
    [LIST]: () => ({ body: list }),
    'DELETE /groups/deleteScheduleReport/weekly': () => {
      list = []
      return { body: { message: 'Deleted' } }
    },
  })
  await button(/^Delete Ten Days/).click()
  await expect.element(page.getByRole('dialog', { name: 'Delete Report Schedule?' })).toBeVisible()
  await expect.element(page.getByText('Do you want to delete this report schedule ?')).toBeVisible()
  await button('No').click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await button(/^Delete Ten Days/).click()
  await button('Yes').click()
  await expect.element(page.getByText('No scheduled report added yet')).toBeVisible()
  expect(stage.told).toEqual(['Report Schedule Deleted'])
})

test('a list that does not come says so and can be asked for again', async () => {
  let fails = true
  await shown({
    [LIST]: () =>
      fails ? { status: 500, body: { code: 500, message: 'Out of order' } } : { body: [weekly] },
  })
  await expect.element(page.getByText('The scheduled reports could not be loaded')).toBeVisible()
  fails = false
  await button('Try again').click()
  await expect.element(page.getByRole('row', { name: /Ten Days/ })).toBeVisible()
})
