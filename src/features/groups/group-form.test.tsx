import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Route } from 'wouter'
import { groupOf } from '../../layout/testing/group-of.ts'
import { mountPage, type PageHarness } from '../../layout/testing/mount-page.tsx'
import type { Server } from '../../layout/testing/test-root.ts'
import { createFleet } from '../../read-model/fleet.ts'
import { imeiOf, plainDevice, plainGroup, snapshotOf } from '../../read-model/testing/make-fleet.ts'
import NewGroup from './new-group.tsx'
import UpdateGroup from './update-group.tsx'

let harness: PageHarness
afterEach(() => harness.unmount())

/** 3,000 devices, of which the first two are in North. */
function fleetOf() {
  const fleet = createFleet((call) => call())
  const groups = [plainGroup('top'), plainGroup('north', 'top'), plainGroup('south', 'top')]
  const devices = Array.from({ length: 3000 }, (_, deviceNo) =>
    plainDevice(deviceNo, { name: `Reefer ${deviceNo}`, group: deviceNo < 2 ? 1 : 2 }),
  )
  fleet.load(snapshotOf(1, devices, groups))
  return fleet
}

const north = groupOf('north', {
  name: 'North',
  parentId: 'top',
  things: [imeiOf(0), imeiOf(1)],
  version: '7',
})
const READ = 'GET /groups/north'
const SAVE = 'PUT /groups/north/update'
const HISTORY = 'GET /groups/north/history'
const history = {
  total: 1,
  changes: [
    {
      at: '2026-06-15T04:00:00.000Z',
      by: { _id: 'u2', name: 'Sana Mir' },
      action: 'updated',
      changes: [{ field: 'lowTemperatureThreshold', before: 1, after: 2 }],
      more: 0,
    },
  ],
}

async function adding(server: Server = {}) {
  harness = await mountPage(<NewGroup />, {
    at: '/groups/add',
    fleet: fleetOf(),
    server: { 'GET /groups/company/indus': { body: [groupOf('top', { name: 'Indus' })] }, ...server },
  })
  await expect.element(name).toHaveFocus()
}

async function changing(server: Server = {}) {
  harness = await mountPage(<Route path="/groups/:id/update" component={UpdateGroup} />, {
    at: '/groups/north/update',
    fleet: fleetOf(),
    server: { [READ]: { body: north }, [HISTORY]: { body: history }, ...server },
  })
  await expect.element(name).toHaveValue('North')
}

const name = page.getByLabelText('Name', { exact: true })
const save = page.getByRole('button', { name: /^(Save|Create Group)$/ })
const low = page.getByRole('textbox', { name: 'Low temperature' })
const high = page.getByRole('textbox', { name: 'High temperature' })

test('a new group needs a name and a parent, and begins at 0', async () => {
  await adding()
  await expect.element(low).toHaveValue('0')
  await save.click()
  await expect.element(page.getByText('This field is required')).toBeVisible()
  await expect.element(page.getByText('Please select a parent group')).toBeVisible()
  await expect.element(name).toHaveFocus()
  expect(harness.calls('POST /groups')).toEqual([])
})

test('is created with what was chosen, and leads back', async () => {
  await adding({ 'POST /groups': { status: 201, body: groupOf('g9') } })
  await name.fill('  New north ')
  await page.getByRole('button', { name: /Parent Group/ }).click()
  await page.getByRole('option', { name: 'south' }).click()
  await page.getByRole('combobox', { name: 'Search devices' }).fill('reefer 2999')
  await page.getByRole('option', { name: /Reefer 2999/ }).click()
  await low.fill('-5')
  await high.fill('4.5')
  await page.getByRole('textbox', { name: 'Alarm delay' }).fill('2.5')
  await save.click()
  await expect.poll(harness.went).toEqual(['/groups/add', '/groups'])
  expect(harness.calls('POST /groups')[0]?.body).toEqual({
    name: 'New north',
    description: '',
    parentId: 'south',
    companyId: 'indus',
    things: [imeiOf(2999)],
    lowTemperatureThreshold: -5,
    highTemperatureThreshold: 4.5,
    lowHumidityThreshold: 0,
    highHumidityThreshold: 0,
    violationDelaySeconds: 150,
  })
  expect(harness.toasts).toEqual(['Group Created Successfully!'])
})

test('is created without devices, with the documents’ fields and no others', async () => {
  await adding({ 'POST /groups': { status: 201, body: groupOf('g9') } })
  await name.fill('New north')
  await page.getByRole('button', { name: /Parent Group/ }).click()
  await page.getByRole('option', { name: 'south' }).click()
  await save.click()
  await expect.poll(harness.went).toEqual(['/groups/add', '/groups'])
  expect(harness.calls('POST /groups')[0]?.body).toEqual({
    ...{ name: 'New north', description: '', parentId: 'south', companyId: 'indus', things: [] },
    ...{ lowTemperatureThreshold: 0, highTemperatureThreshold: 0 },
    ...{ lowHumidityThreshold: 0, highHumidityThreshold: 0 },
  })
})

test('low above high is said clearly, and so are the bounds', async () => {
  await changing()
  await low.fill('20')
  await save.click()
  await expect.element(high).toHaveAccessibleDescription('Must not be below the low threshold')
  await expect.element(high).toHaveFocus()
  await high.fill('99')
  await save.click()
  await expect.element(high).toHaveAccessibleDescription('Must be between −30 °C and 70 °C')
})

test('a change names its version, and devices only where they are others', async () => {
  await changing({ [SAVE]: { body: { ...north, name: 'Far north' } } })
  await name.fill('Far north')
  await save.click()
  await expect.poll(harness.went).toEqual(['/groups/north/update', '/groups'])
  const [call] = harness.calls(SAVE)
  expect(call?.headers.get('if-match')).toBe('"7"')
  for (const same of ['things', 'violationDelaySeconds', 'clearMarginHumidity'])
    expect(call?.body).not.toHaveProperty(same)
  expect(harness.toasts).toEqual(['Group Updated Successfully!'])
})

test('all devices found are taken at once, and let go again', async () => {
  await changing({ [SAVE]: { body: north } })
  const search = page.getByRole('combobox', { name: 'Search devices' })
  await expect.element(page.getByRole('option').first()).toMatchTextContent(/Reefer 0/)
  await search.fill('reefer 29')
  await page.getByRole('button', { name: 'Select found' }).click()
  await expect.element(page.getByText('113 chosen · 111 added')).toBeVisible()
  await search.fill('')
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect.element(page.getByText('0 chosen · 2 let go')).toBeVisible()
  await expect.element(page.getByText('Saving moves 2 devices to its parent group.')).toBeInTheDocument()
  await page.getByRole('button', { name: 'Select all' }).click()
  await expect.element(page.getByText('3,000 chosen · 2,998 added')).toBeVisible()
})

test('who changed what is listed for managers, and hidden from others', async () => {
  await changing()
  const list = page.getByRole('list', { name: 'Changes' })
  await expect.element(list).toMatchTextContent(/Sana Mir/)
  await expect.element(list).toMatchTextContent(/Low temperature ?1 °C.*2 °C/)
  harness.unmount()
  await changing({ [HISTORY]: { status: 403, body: { code: 403, message: 'For managers' } } })
  await expect.poll(() => harness.calls(HISTORY).length).toBeGreaterThan(0)
  await expect.element(page.getByRole('heading', { name: 'History' })).not.toBeInTheDocument()
})

test('two who change the same: both versions are shown, and one is kept of each field', async () => {
  const current = { ...north, name: 'Upper north', highTemperatureThreshold: 9, version: '8' }
  const conflict = {
    code: 412,
    message: 'Somebody else has changed this meanwhile',
    current,
    by: { _id: 'u2', name: 'Sana Mir' },
    at: null,
  }
  await changing({
    [SAVE]: (_, headers) =>
      headers.get('if-match') === '"8"' ? { body: current } : { status: 412, body: conflict },
  })
  await name.fill('Far north')
  await page.getByRole('option', { name: /Reefer 7 / }).click()
  await save.click()
  const dialog = page.getByRole('dialog', { name: 'Changed meanwhile' })
  await expect.element(dialog).toMatchTextContent(/Sana Mir saved other values/)
  await expect
    .element(dialog.getByRole('group', { name: 'Name' }))
    .toMatchTextContent(/Far north.*Upper north/)
  await expect.element(dialog.getByRole('group', { name: 'Devices' })).toMatchTextContent(/Added: Reefer 7/)
  await expect
    .element(dialog.getByRole('group', { name: 'High temperature' }).getByRole('radio', { name: /Theirs/ }))
    .toBeChecked()
  await dialog
    .getByRole('group', { name: 'Name' })
    .getByRole('radio', { name: /Theirs/ })
    .click()
  await dialog.getByRole('button', { name: 'Save what is chosen' }).click()
  await expect.poll(harness.went).toEqual(['/groups/north/update', '/groups'])
  expect(harness.calls(SAVE).at(-1)?.body).toMatchObject({
    name: 'Upper north',
    highTemperatureThreshold: 9,
    things: [imeiOf(0), imeiOf(1), imeiOf(7)],
  })
})

test('Cancel asks before it throws away what was typed', async () => {
  await changing()
  await name.fill('Far north')
  await page.getByRole('button', { name: 'Cancel' }).click()
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
  await dialog.getByRole('button', { name: 'Stay' }).click()
  await expect.element(name).toHaveValue('Far north')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await dialog.getByRole('button', { name: 'Leave' }).click()
  await expect.poll(harness.went).toEqual(['/groups/north/update', '/groups'])
  expect(harness.calls(SAVE)).toEqual([])
})

test('is saved once however often Enter is pressed', async () => {
  await changing({ [SAVE]: 'hang' })
  await name.fill('Far north')
  await userEvent.keyboard('{Enter}{Enter}')
  await expect.element(page.getByRole('button', { name: 'Saving…' })).toBeDisabled()
  expect(harness.calls(SAVE)).toHaveLength(1)
})

test('what somebody else changes comes in while nothing is typed, and never over what is', async () => {
  let now = north
  await changing({ [READ]: () => ({ body: now }) })
  now = { ...north, name: 'Upper north', version: '8' }
  harness.change({ subject: 'groups', ids: ['north'] })
  await expect.element(name).toHaveValue('Upper north')
  await name.fill('Mine')
  now = { ...north, name: 'Theirs', version: '9' }
  const before = harness.calls(READ).length
  harness.change({ subject: 'groups', ids: [] })
  await expect.element(name).toHaveValue('Mine')
  expect(harness.calls(READ)).toHaveLength(before)
})

test('the own group is changed elsewhere, and says where', async () => {
  harness = await mountPage(<Route path="/groups/:id/update" component={UpdateGroup} />, {
    at: '/groups/top/update',
    fleet: fleetOf(),
    server: {},
  })
  await expect.element(page.getByRole('link', { name: 'Open Account' })).toHaveAttribute('href', '/account')
})
