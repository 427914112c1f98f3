import readWorkbook from 'read-excel-file/node'
import { REPORT_CALLS } from '#machines/contracts/calls/report-calls.ts'
import type { ScheduleInterval } from '#machines/contracts/entities/reports.ts'
import { isAccessible, LOOKS } from '../accessible.ts'
import { type App, expect, test } from '../app.ts'
import { SchedulesScreen } from '../screens/schedules.screen.ts'

test.use({ world: { of: 'schedules', devices: 30 }, isMapDrawn: false })
test.beforeAll(async ({ app }) => app.sim.pause())

const DAY = 86_400

test('groups and vehicles of a schedule stay, the rest is changed; others see it at once', async ({
  signedIn,
  newVisitor,
  app,
}) => {
  const address = 'shift@indus.example'
  await schedule(app, 'Weekly', address)
  const mine = new SchedulesScreen(signedIn.page)
  await mine.open()
  const colleague = await newVisitor()
  await colleague.login.open()
  await colleague.login.pickDemoAccount('operator@indus.example')
  await colleague.dashboard.isShown()
  const theirs = new SchedulesScreen(colleague.page)
  await theirs.open()
  await colleague.shell.isLive()
  await mine.edit(`Weekly schedule for ${address}`).click()
  await expect(mine.selector('Groups')).toBeDisabled()
  await expect(mine.selector('Vehicles')).toBeDisabled()
  await mine.chooseInterval('Daily')
  await mine.send.click()
  await signedIn.shell.says('Report schedule updated')
  await theirs.delete(`Daily schedule for ${address}`).click()
  await expect(theirs.deletion).toContainText('Do you want to delete this report schedule ?')
  await colleague.page.getByRole('button', { name: 'Yes' }).click()
  await colleague.shell.says('Report Schedule Deleted')
  await expect(mine.row(address)).toHaveCount(0)
})

test('a schedule says what it lacks, is saved, and its report comes by mail the next day', async ({
  signedIn: { page, shell },
  app,
}) => {
  const schedules = new SchedulesScreen(page)
  await schedules.open()
  await expect(page.getByText('No scheduled report added yet')).toBeVisible()
  await schedules.send.click()
  for (const text of [
    'Please select at least one group.',
    'Please select at least one vehicle.',
    'Please select interval.',
    'Please select at least one report type.',
    'Please enter at least one email.',
  ])
    await expect(page.getByText(text)).toBeVisible()
  await schedules.everything()
  await expect(schedules.selector('Groups')).toBeDisabled()
  await expect(schedules.selector('Vehicles')).toBeDisabled()
  await schedules.chooseInterval('Daily')
  await schedules.choosePowerReport()
  await schedules.address('desk@indus', 'Tab')
  await expect(page.getByText('Invalid email address')).toBeVisible()
  await schedules.address('desk@indus.example', 'Tab')
  await schedules.address('night@indus.example')
  await schedules.send.click()
  await shell.says('Report scheduled successfully')
  await expect(schedules.addresses(), 'the form is blank again').toHaveCount(0)
  const row = schedules.row('Daily')
  await expect(row.getByRole('button', { name: 'desk@indus.example, night@indus.example' })).toContainText(
    'desk@indus.example,…',
  )

  await test.step('over-speeding of all vehicles asks for its limit', async () => {
    await schedules.everything()
    await schedules.chooseInterval('Daily')
    await schedules.chooseReport('Over-speeding Vehicles Report')
    const speed = page.getByRole('textbox', { name: 'Speed limit' })
    await expect(speed).toHaveValue('80')
    await speed.fill('500')
    await speed.press('Tab')
    await expect(speed, 'the most there may be').toHaveValue('200')
    await speed.fill('60')
    await schedules.address('speed@indus.example')
    await schedules.send.click()
    await shell.says('Report scheduled successfully')
    await expect(schedules.row('Over-speeding')).toContainText('All vehicles')
    await schedules.edit('Daily schedule for speed@indus.example').click()
    await expect(speed).toHaveValue('60')
    await expect(page.getByRole('switch', { name: /^All vehicles/ })).toBeChecked()
  })

  const vehicles = (await app.api.fleet()).filter(({ type }) => type === 'vehicle')
  // a day later everybody's sign-in has run out
  await page.goto('about:blank')
  await app.sim.advance(DAY)
  for (const to of ['desk@indus.example', 'night@indus.example'])
    await expect
      .poll(async () => (await app.sim.outbox(to)).map(({ subject }) => subject))
      .toEqual([expect.stringMatching(/^Power Report, /)])

  await test.step('each run of over-speeding makes a file of it', async () => {
    const made = async () => {
      const log = await app.api.ask(REPORT_CALLS.reportLog, { params: { companyId: 'indus' } })
      return log.find(({ reportType, isCompleted }) => isCompleted && reportType.startsWith('Over-speeding'))
    }
    await expect.poll(made).toBeDefined()
    const answer = await fetch(`${app.url}${(await made())?.url}`)
    const [cover, devices, spells] = await readWorkbook(Buffer.from(await answer.arrayBuffer()))
    expect(cover?.data).toContainEqual(expect.arrayContaining(['Speed limit (km/h)', 60]))
    expect(devices?.data.slice(1)).toHaveLength(vehicles.length)
    const top = spells?.data[0]?.indexOf('Top speed (km/h)') ?? -1
    const tops = spells?.data.slice(1).map((row) => Number(row[top])) ?? []
    expect(tops.length, 'trucks drive faster than that').toBeGreaterThan(0)
    expect(Math.min(...tops)).toBeGreaterThan(60)
  })
})

for (const { colorScheme, width } of LOOKS)
  test.describe(`${colorScheme}, ${width} px wide`, () => {
    test.use({ colorScheme, viewport: { width, height: 700 } })

    test('schedules, their form and the question before one is deleted are accessible', async ({
      signedIn: { page },
      app,
    }) => {
      await schedule(app, 'Weekly', 'a-rather-long-address@indus.example')
      const schedules = new SchedulesScreen(page)
      await schedules.open()
      await schedules.delete('Weekly').click()
      await expect(schedules.deletion).toBeVisible()
      await isAccessible(page)
      await page.keyboard.press('Escape')
      await schedules.edit('Weekly').click()
      await schedules.chooseReport('Over-speeding Vehicles Report')
      await schedules.chooseReport('Vehicle Travel Report')
      await schedules.selector('Report Types').click()
      await expect(
        page.getByRole('option', { name: /^Fuel Consumption Report Needs a fuel level/ }),
      ).toBeVisible()
      await isAccessible(page)
      await page.keyboard.press('Escape')
      await schedules.withoutAddresses()
      await schedules.send.click()
      await expect(page.getByText('Please enter at least one email.')).toBeVisible()
      await isAccessible(page)
    })
  })

/** A report of one vehicle comes to somebody from now on. */
async function schedule({ api }: App, interval: ScheduleInterval, email: string): Promise<void> {
  const vehicle = (await api.fleet()).find(({ type }) => type === 'vehicle')
  await api.ask(REPORT_CALLS.scheduleReport, {
    body: {
      groups: [api.groupId],
      vehicles: [vehicle?.imei ?? ''],
      interval,
      emails: [email],
      reportTypes: ['POWER_REPORT'],
    },
  })
}
