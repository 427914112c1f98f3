import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { ReportSchedule } from '#machines/contracts/entities/reports.ts'
import { mountPage, type PageHarness } from '../../layout/testing/mount-page.tsx'
import type { Server } from '../../layout/testing/test-root.ts'
import { createFleet } from '../../read-model/fleet.ts'
import { plainDevice, plainGroup, snapshotOf } from '../../read-model/testing/make-fleet.ts'
import ScheduleReport from './schedule-report.tsx'

let harness: PageHarness
afterEach(() => harness.unmount())

const LIST = 'GET /groups/listScheduledReports/indus'
const SAVE = 'POST /groups/scheduleReport'
const weekly: ReportSchedule = {
  _id: 'weekly',
  version: '1',
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

const GROUPS = [plainGroup('top'), plainGroup('lahore', 'top'), plainGroup('sindh', 'top')]

/** A vehicle in the first two groups each, and a warehouse. */
async function shown(server: Server) {
  const fleet = createFleet((call) => call())
  const devices = [plainDevice(0), plainDevice(1, { group: 1 }), plainDevice(2, { group: 1, kind: 1 })]
  fleet.load(snapshotOf(1, devices, GROUPS))
  harness = await mountPage(<ScheduleReport />, { at: '/scheduleReport', server, fleet })
  return fleet
}
const button = (name: string | RegExp) => page.getByRole('button', { name })
const emails = page.getByRole('textbox', { name: 'Emails' })

test('without schedules it says so, and what to do', async () => {
  await shown({ [LIST]: { body: [] } })
  await expect.element(page.getByText('No scheduled report added yet')).toBeVisible()
})

test('a row says which of its addresses get nothing, and why', async () => {
  const notSent: ReportSchedule['notSent'] = [
    { email: 'depot@elsewhere.example', because: 'confirm' },
    { email: 'night@indus.example', because: 'unsubscribed' },
  ]
  await shown({ [LIST]: { body: [{ ...weekly, notSent }] } })
  const table = page.getByRole('table', { name: 'Scheduled Reports' })
  await expect.element(table.getByText(/^depot@elsewhere.example has to say first/)).toBeVisible()
  await expect.element(table.getByText('night@indus.example wants none of these mails')).toBeVisible()
})

test('of many the first come, and more when they are wanted', async () => {
  const all = Array.from({ length: 60 }, (_, i) => ({ ...weekly, _id: `s${i}` }))
  await shown({
    [LIST]: (_, __, query) => {
      const skip = Number(query.get('skip'))
      return { body: all.slice(skip, skip + Number(query.get('limit'))) }
    },
  })
  const table = page.getByRole('table', { name: 'Scheduled Reports' })
  await expect.element(table).toHaveAttribute('aria-rowcount', '51')
  await button('Load More').click()
  await expect.element(table).toHaveAttribute('aria-rowcount', '61')
  await expect.element(button('Load More')).not.toBeInTheDocument()
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
  expect(harness.calls(SAVE)).toEqual([])
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
  expect(harness.toasts).toEqual(['Report scheduled successfully'])
  expect(harness.calls(SAVE).map(({ body }) => body)).toEqual([
    {
      groups: [],
      allGroups: true,
      vehicles: [],
      allVehicles: true,
      interval: 'TenDays',
      emails: ['desk@indus.example', 'night@indus.example'],
      reportTypes: ['POWER_REPORT'],
    },
  ])
  await expect.element(page.getByRole('row', { name: 'night@indus.example' })).not.toBeInTheDocument()
})

/** All but the interval, of one group and its vehicle. */
async function ofLahore() {
  await button(/^Groups/).click()
  await page.getByRole('row', { name: 'lahore' }).click()
  await userEvent.keyboard('{Escape}')
  await button(/^Vehicles/).click()
  await page.getByRole('option', { name: /LEA-19-1001|Reefer 1/ }).click()
  await userEvent.keyboard('{Escape}')
  await button(/^Report Types/).click()
  await page.getByRole('option', { name: 'Power Report' }).click()
  await userEvent.keyboard('{Escape}')
  await emails.fill('desk@indus.example')
  await userEvent.keyboard('{Enter}')
}

test('a group that went while the form was filled in is not sent, and is missed', async () => {
  const fleet = await shown({ [LIST]: { body: [] } })
  await ofLahore()
  await button(/^Select interval/).click()
  await page.getByRole('option', { name: 'Ten Days' }).click()
  fleet.load(snapshotOf(2, [plainDevice(0)], [plainGroup('top')]))
  await button('Save').click()
  await expect.element(page.getByText('Please select at least one group.')).toBeVisible()
  await expect.element(page.getByText('Please select at least one vehicle.')).toBeVisible()
  expect(harness.calls(SAVE)).toEqual([])
})

test('vehicles of groups that are not picked any more go with them', async () => {
  await shown({ [LIST]: { body: [] } })
  await ofLahore()
  await button(/^Groups/).click()
  await page.getByRole('row', { name: 'lahore' }).click()
  await page.getByRole('row', { name: 'sindh' }).click()
  await userEvent.keyboard('{Escape}')
  await button('Save').click()
  await expect.element(page.getByText('Please select at least one vehicle.')).toBeVisible()
})

test.each([
  [422, 'Please select interval.', 'Please select interval.'],
  [412, 'changed', 'Somebody else has changed this meanwhile. Press Cancel, and edit it as it is now.'],
])('what is refused stays, with why: %i', async (code, message, shownWhy) => {
  await shown({
    [LIST]: { body: [weekly] },
    'PUT /groups/scheduleReport/weekly': { status: code, body: { code, message } },
  })
  await button(/^Edit Ten Days/).click()
  await expect.element(button(/^Groups/)).toBeDisabled()
  await expect.element(button(/^Vehicles/)).toBeDisabled()
  await button(/^Remove night@indus.example/).click()
  await button('Update').click()
  await expect.element(page.getByText(new RegExp(`^The schedule is not saved: ${shownWhy}`))).toBeVisible()
  await expect.element(button('Update')).toBeEnabled()
  await button('Cancel').click()
  await expect.element(button('Save')).toBeVisible()
})

test('one whose groups and vehicles are gone is changed without any', async () => {
  const emptied: ReportSchedule = { ...weekly, groups: [], vehicles: [] }
  await shown({ [LIST]: { body: [emptied] }, 'PUT /groups/scheduleReport/weekly': { body: emptied } })
  await expect.element(page.getByRole('row', { name: /None left.*None left.*Ten Days/ })).toBeVisible()
  await button(/^Edit Ten Days/).click()
  await button(/^Remove night@indus.example/).click()
  await button('Update').click()
  await expect.poll(() => harness.toasts).toEqual(['Report schedule updated'])
  expect(harness.calls('PUT /groups/scheduleReport/weekly')[0]?.body).toMatchObject({
    ...{ groups: [], vehicles: [], emails: ['desk@indus.example'] },
  })
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
  await expect.element(page.getByText('KM', { exact: true })).toBeVisible()
  await button('Update').click()
  for (const text of [
    'Please select source geofence.',
    'Please select destination geofence.',
    'Please select start time.',
    'Please select end time.',
  ])
    await expect.element(page.getByText(text)).toBeVisible()
})

test('every type that can be made is offered, Power Report first; the others say what they need', async () => {
  await shown({ [LIST]: { body: [] } })
  await button(/^Report Types/).click()
  const list = page.getByRole('listbox', { name: 'Report Types' })
  const options = list.getByRole('option')
  await expect.element(options.nth(1)).toMatchTextContent(/^Power Report$/)
  const fuel = page.getByRole('option', { name: /^Fuel Consumption Report/ })
  await expect.element(fuel).toHaveAttribute('aria-disabled', 'true')
  await expect.element(fuel).toMatchTextContent(/Needs a fuel level, which no device here measures\./)
  const [of, at] = [list, fuel].map((one) => one.element().getBoundingClientRect())
  await list.click({ position: { x: 20, y: (at?.y ?? 0) - (of?.y ?? 0) + 5 } })
  await userEvent.keyboard('Fuel{Enter}')
  await expect.element(fuel).toHaveAttribute('aria-selected', 'false')
  await page.getByRole('combobox').clear()
  await options.nth(0).click()
  await expect.element(options.nth(1)).toHaveAttribute('aria-selected', 'true')
  await expect.element(fuel).toHaveAttribute('aria-selected', 'false')
  await userEvent.keyboard('{Escape}')
  await expect.element(button(/^Report Types/)).toMatchTextContent(/12 of 12/)
})

test('over-speeding and travel ask for their own, and send it', async () => {
  await shown({ [LIST]: { body: [] }, [SAVE]: { status: 201, body: weekly } })
  await page.getByText('All groups').click()
  await page.getByText('All vehicles').click()
  await button(/^Select interval/).click()
  await page.getByRole('option', { name: 'Daily' }).click()
  await expect.element(page.getByRole('textbox', { name: 'Speed limit' })).not.toBeInTheDocument()
  await button(/^Report Types/).click()
  await userEvent.keyboard('Over-speeding{Enter}')
  await page.getByRole('combobox').clear()
  await userEvent.keyboard('Vehicle Travel{Enter}')
  await userEvent.keyboard('{Escape}')
  await emails.fill('desk@indus.example')
  await page.getByRole('textbox', { name: 'Speed limit' }).fill('95')
  await page.getByLabelText('Start time').fill('08:00')
  await page.getByLabelText('End time').fill('08:00')
  await button('Save').click()
  await expect.element(page.getByText('End time must be after start time.')).toBeVisible()
  await page.getByLabelText('End time').fill('1730')
  await userEvent.keyboard('{Tab}')
  await expect.element(page.getByLabelText('End time')).toHaveValue('17:30')
  await page.getByRole('textbox', { name: 'Min distance travelled' }).fill('40')
  await page.getByRole('textbox', { name: 'Speed limit' }).fill('900')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => harness.toasts).toEqual(['Report scheduled successfully'])
  expect(harness.calls(SAVE)[0]?.body).toMatchObject({
    reportTypes: ['OverSpeedingVehiclesReport', 'vehicleTravelReport'],
    ...{ speed: 200, startTime: '08:00', endTime: '17:30', vehicleTravelDistance: 40 },
  })
})

test('a schedule that is changed stands there as it was saved, all of everything too', async () => {
  const everything: ReportSchedule = {
    ...weekly,
    ...{ groups: [], vehicles: [], allGroups: true, allVehicles: true },
    reportTypes: ['OverSpeedingVehiclesReport', 'vehicleTravelReport'],
    ...{ speed: 95, startTime: '08:00', endTime: '17:30', vehicleTravelDistance: 40 },
  }
  await shown({ [LIST]: { body: [everything] }, 'PUT /groups/scheduleReport/weekly': { body: everything } })
  await expect.element(page.getByRole('row', { name: /All groups.*All vehicles/ })).toBeVisible()
  await button(/^Edit Ten Days/).click()
  await expect.element(page.getByRole('switch', { name: /^All groups/ })).toBeChecked()
  await expect.element(page.getByRole('switch', { name: /^All vehicles/ })).toBeChecked()
  await expect.element(page.getByRole('textbox', { name: 'Speed limit' })).toHaveValue('95')
  await expect.element(page.getByLabelText('Start time')).toHaveValue('08:00')
  await expect.element(page.getByLabelText('End time')).toHaveValue('17:30')
  await expect.element(page.getByRole('textbox', { name: 'Min distance travelled' })).toHaveValue('40')
  await button('Update').click()
  await expect.poll(() => harness.toasts).toEqual(['Report schedule updated'])
  const { _id, company, version, ...sent } = everything
  expect(harness.calls('PUT /groups/scheduleReport/weekly')[0]?.body).toEqual(sent)
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
  expect(harness.toasts).toEqual(['Report Schedule Deleted'])
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
