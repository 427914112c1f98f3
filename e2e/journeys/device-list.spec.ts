import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import readXlsxFile from 'read-excel-file/node'
import { csvLines } from '#machines/rules/csv.ts'
import { DESK, expect, test } from '../app.ts'
import { makeGroup } from '../company.ts'

test.use({ world: { of: 'device-list', devices: 120 }, viewport: DESK, isMapDrawn: false })

/** The order stays as it is, however long a press takes. */
test.beforeAll(({ app }) => app.sim.pause())

const TWENTY = 20

test('twenty devices are moved to another group in six presses at most, and say so in the list', async ({
  operator,
  app,
}) => {
  const { page, dashboard } = operator
  await makeGroup(app.api, 'Night depot')
  const rows = dashboard.rows
  let presses = 0
  const press = async (act: () => Promise<void>): Promise<void> => {
    presses++
    await act()
  }
  await press(() => dashboard.find.press('ArrowDown'))
  await expect(rows.first().getByRole('button').first()).toBeFocused()
  // held down, the arrow is one press: it goes on until it is let go
  await press(async () => {
    await page.keyboard.down('Shift')
    for (let row = 1; row < TWENTY; row++) await page.keyboard.press('ArrowDown')
    await page.keyboard.up('Shift')
  })
  const bar = page.getByRole('toolbar', { name: 'What to do with the selected devices' })
  await expect(bar).toContainText('20 selected')
  await press(() => page.keyboard.press('m'))
  const dialog = page.getByRole('dialog', { name: 'Move 20 devices to a group' })
  await press(() => dialog.getByRole('combobox', { name: 'Search groups' }).fill('Night depot'))
  await press(() => page.keyboard.press('Enter'))
  await expect(dialog.getByRole('button', { name: 'Move to Night depot' })).toBeFocused()
  await press(() => page.keyboard.press('Enter'))
  await expect(operator.shell.toasts.filter({ hasText: '20 devices moved to Night depot' })).toBeVisible()
  expect(presses).toBeLessThanOrEqual(6)

  await expect(bar).toBeHidden()
  await expect
    .poll(async () => (await app.api.fleet()).filter(({ groupName }) => groupName === 'Night depot').length)
    .toBe(TWENTY)
  await dashboard.pickGroups('Night depot')
  await expect(page.getByText('20 devices', { exact: true })).toBeVisible()
})

test('with the mouse alone, and Shift, twenty are moved in six presses too', async ({ operator, app }) => {
  const { page, dashboard } = operator
  await makeGroup(app.api, 'Day depot')
  const bar = page.getByRole('toolbar', { name: 'What to do with the selected devices' })
  let presses = 0
  const press = async (what: Locator, held: 'Shift'[] = []): Promise<void> => {
    presses++
    await what.click({ modifiers: held })
  }
  await press(page.getByRole('button', { name: 'Select', exact: true }))
  await press(dashboard.rows.first())
  await expect(bar).toContainText('1 selected')
  const twentieth = dashboard.list.locator(`[aria-posinset="${TWENTY}"]`)
  await wheelTo(page, dashboard.list, twentieth)
  await press(twentieth, ['Shift'])
  await expect(bar).toContainText('20 selected')
  await press(bar.getByRole('button', { name: 'Move to group' }))
  const dialog = page.getByRole('dialog', { name: 'Move 20 devices to a group' })
  const depot = dialog.getByRole('option', { name: 'Day depot' })
  await wheelTo(page, dialog.getByRole('listbox'), depot)
  await press(depot)
  await press(dialog.getByRole('button', { name: 'Move to Day depot' }))
  await expect(operator.shell.toasts.filter({ hasText: '20 devices moved to Day depot' })).toBeVisible()
  expect(presses).toBeLessThanOrEqual(6)
})

test.describe('touched', () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } })

  test('by fingers alone, which hold the first and the last, twenty are moved in six presses too', async ({
    operator,
    app,
  }) => {
    const { page, dashboard } = operator
    await makeGroup(app.api, 'Late depot')
    const bar = page.getByRole('toolbar', { name: 'What to do with the selected devices' })
    let presses = 0
    const tap = async (what: Locator): Promise<void> => {
      presses++
      await what.tap()
    }
    const hold = async (what: Locator, shown: string): Promise<void> => {
      presses++
      const lift = await touch(page, what)
      await expect(bar).toContainText(shown)
      await lift()
    }
    await hold(dashboard.rows.first(), '1 selected')
    await expect(bar).toContainText('Hold another to select all between.')
    const twentieth = dashboard.list.locator(`[aria-posinset="${TWENTY}"]`)
    await wheelTo(page, dashboard.list, twentieth)
    await hold(twentieth, '20 selected')
    await tap(bar.getByRole('button', { name: 'Move to group' }))
    const dialog = page.getByRole('dialog', { name: 'Move 20 devices to a group' })
    const depot = dialog.getByRole('option', { name: 'Late depot' })
    await wheelTo(page, dialog.getByRole('listbox'), depot)
    await tap(depot)
    await tap(dialog.getByRole('button', { name: 'Move to Late depot' }))
    await expect(operator.shell.toasts.filter({ hasText: '20 devices moved to Late depot' })).toBeVisible()
    expect(presses).toBeLessThanOrEqual(6)
  })
})

/** A finger comes down in the middle of something, and stays until it is lifted. */
async function touch(page: Page, what: Locator): Promise<() => Promise<void>> {
  // in sight, above everything else, and where it will stay
  await what.hover({ trial: true })
  const box = await what.boundingBox()
  if (box === null) throw new Error('nothing to be touched')
  const cdp = await page.context().newCDPSession(page)
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] })
  return async () => {
    await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await cdp.detach()
  }
}

/** Turns the wheel over a list of which only what is in sight exists, until a row of it does: far less than a screen at a time. */
async function wheelTo(page: Page, list: Locator, row: Locator): Promise<void> {
  const isInSight = () =>
    row.evaluateAll(([one]) => {
      const room = one?.closest('ul, [role="listbox"]')?.parentElement?.getBoundingClientRect()
      const at = one?.getBoundingClientRect()
      return room !== undefined && at !== undefined && at.top >= room.top && at.bottom <= room.bottom
    })
  const scrolled = () => list.evaluate(({ parentElement }) => parentElement?.scrollTop)
  await list.hover({ position: { x: 40, y: 20 } })
  while (!(await isInSight())) {
    const before = await scrolled()
    await page.mouse.wheel(0, 60)
    await expect.poll(scrolled, { intervals: [0, 50] }).not.toBe(before)
    // its rows are drawn
    await page.evaluate(
      () =>
        new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
    )
  }
}

test('both files hold what the list shows: its rows in their order and its columns, to the byte', async ({
  operator,
  app,
}) => {
  const { page, dashboard } = operator
  await dashboard.search('CHL')
  await page.getByRole('button', { name: /order and columns$/ }).click()
  const sorting = page.getByRole('group', { name: 'Sort by' })
  const columns = page.getByRole('group', { name: 'Columns' })
  await sorting.getByRole('button', { name: 'Temperature' }).click()
  for (const name of ['Group', 'Temperature', 'Humidity', 'Updated'])
    await columns.getByRole('button', { name, exact: true }).click()

  const meant = (await app.api.fleet())
    .filter(({ name }) => name.includes('CHL'))
    .map((device) => [device.name, device.groupName, device.temperature, device.humidity, device.timestamp])
  expect(meant.length).toBeGreaterThan(1)

  const csv = await fileOf(page, 'CSV')
  expect([...csv.bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  const text = csv.bytes.toString('utf8')
  expect(text.endsWith('\r\n')).toBe(true)
  const [head, ...lines] = csvLines(text)
  expect(head).toEqual(['Name', 'Group', 'Temperature (°C)', 'Humidity (%)', 'Updated (Asia/Karachi)'])
  const values = lines.map(([name, group, celsius, percent, at]) => [
    name,
    group,
    numberOf(celsius),
    numberOf(percent),
    at === '' ? null : new Date(`${at?.replace(' ', 'T')}+05:00`).toISOString().slice(0, 19),
  ])
  const known = values.map(([, , celsius]) => celsius as number).filter((celsius) => celsius !== null)
  expect(known).toEqual(known.toSorted((a, b) => b - a))
  const inOrder = (rows: unknown[][]) => rows.toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1))
  expect(inOrder(values)).toEqual(
    inOrder(meant.map((row) => [...row.slice(0, 4), (row[4] as string | null)?.slice(0, 19) ?? null])),
  )

  const sheet = await fileOf(page, 'Excel')
  const [{ data = [] } = {}] = await readXlsxFile(sheet.bytes)
  expect(data.map((row) => row.slice(0, 4))).toEqual([
    ['Name', 'Group', 'Temperature (°C)', 'Humidity (%)'],
    ...values.map((row) => row.slice(0, 4)),
  ])
})

const numberOf = (cell: string | undefined): number | null => (cell ? Number(cell) : null)

/** What a file of the list holds, as it arrives in the folder of downloads. */
async function fileOf(page: Page, kind: 'CSV' | 'Excel'): Promise<{ bytes: Buffer }> {
  const arriving = page.waitForEvent('download')
  await page.getByRole('button', { name: kind, exact: true }).click()
  const file = await arriving
  expect(file.suggestedFilename()).toMatch(
    kind === 'CSV' ? /^Devices-\d{8}-\d{6}\.csv$/ : /^Devices-\d{8}-\d{6}\.xlsx$/,
  )
  return { bytes: readFileSync(await file.path()) }
}
