import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Route } from 'wouter'
import type { DeviceRecord } from '#machines/contracts/entities/device-records.ts'
import { profileOf } from '../../layout/loads/testing/make-loads.ts'
import { mountPage, type PageHarness } from '../../layout/testing/mount-page.tsx'
import type { Server } from '../../layout/testing/test-root.ts'
import { createFleet } from '../../read-model/fleet.ts'
import DevicePage from './device-page.tsx'

let harness: PageHarness
afterEach(() => harness.unmount())

const IMEI = '350000000000001'
const BEFORE = '350000000000009'
const REEFER: DeviceRecord = {
  ...{ imei: IMEI, name: 'Reefer 1', plateNumber: 'LEA-1', vehicleMakeAndModel: 'Hino', type: 'vehicle' },
  ...{ groupId: 'top', groupName: 'Indus', calibrationDue: '2030-05-04', clockOffset: 0, retiredAt: null },
  ...{ heardAt: null, sensors: [], refusedSince: '2026-11-26T06:00:00.000Z', refused: [] },
  ...{ mayRegister: true, version: '1' },
}
const PUT = `PUT /things/${IMEI}/record`

async function shown(server: Server = {}, at = IMEI) {
  harness = await mountPage(
    <Route path="/devices/:imei">
      <DevicePage />
    </Route>,
    {
      at: `/devices/${at}`,
      fleet: createFleet((call) => call()),
      server: {
        [`GET /things/${at}/record`]: { body: REEFER },
        [`GET /things/${at}/history`]: { body: { changes: [], total: 0 } },
        'GET /profiles': { body: { profiles: [], mayChange: true } },
        'GET /profile-assignments': { body: { above: null, groups: [], devices: [] } },
        [PUT]: (body) => ({ body: { ...REEFER, ...(body as object), version: '2' } }),
        ...server,
      },
    },
  )
}
const button = (name: string) => page.getByRole('button', { name, exact: true })
const due = page.getByLabelText('Calibration due')
const name = page.getByRole('textbox', { name: 'Name', exact: true })
const question = page.getByRole('dialog', { name: 'Leave without saving?' })

test('the profile of a group above the visitor’s own is said where none nearer was given one', async () => {
  const profile = profileOf('medicines-2-8')
  await shown({
    'GET /profiles': { body: { profiles: [profile], mayChange: false } },
    'GET /profile-assignments': { body: { above: 'medicines-2-8', groups: [], devices: [] } },
  })
  await expect.element(page.getByText(`As a group above: ${profile.name}`)).toBeVisible()
})

test('a day that is half taken away is none, and is not saved as no day at all', async () => {
  await shown()
  await expect.element(due).toHaveValue('2030-05-04')
  ;(due.element() as HTMLElement).focus()
  await userEvent.keyboard('{Backspace}')
  await button('Save').click()
  await expect.element(due).toHaveAccessibleDescription('This is no day')
  expect(harness.calls(PUT)).toEqual([])
})

test('a day that is half typed into an empty field is none either', async () => {
  await shown({ [`GET /things/${IMEI}/record`]: { body: { ...REEFER, calibrationDue: null } } })
  await expect.element(due).toHaveValue('')
  ;(due.element() as HTMLElement).focus()
  await userEvent.keyboard('12{Enter}')
  await expect.element(due).toHaveAccessibleDescription('This is no day')
  expect(harness.calls(PUT)).toEqual([])
})

test('another day is saved, and so is none', async () => {
  await shown()
  await due.fill('2031-06-05')
  await button('Save').click()
  await expect.poll(() => harness.calls(PUT)).toHaveLength(1)
  expect(harness.calls(PUT)[0]?.body).toMatchObject({ calibrationDue: '2031-06-05' })
  harness.unmount()
  await shown()
  await due.fill('')
  await button('Save').click()
  await expect.poll(() => harness.calls(PUT)).toHaveLength(1)
  expect(harness.calls(PUT)[0]?.body).toMatchObject({ calibrationDue: null })
})

test('the tracker it has is not put in its own place', async () => {
  await shown()
  await button('Replace Tracker').click()
  const imei = page.getByRole('textbox', { name: 'IMEI of the new tracker' })
  await imei.fill(IMEI)
  await button('Replace').click()
  await expect.element(imei).toHaveAccessibleDescription('This is the tracker it has')
  expect(harness.calls(`POST /things/${IMEI}/tracker`)).toEqual([])
})

test('at the address of an earlier tracker that one is put back, and the page shows it', async () => {
  let now = REEFER
  await shown(
    {
      [`GET /things/${BEFORE}/record`]: () => ({ body: now }),
      [`POST /things/${IMEI}/tracker`]: () => {
        now = { ...REEFER, imei: BEFORE, version: '2' }
        return { body: now }
      },
    },
    BEFORE,
  )
  await expect.element(page.getByText(`IMEI ${IMEI}`)).toBeVisible()
  await button('Replace Tracker').click()
  await page.getByRole('textbox', { name: 'IMEI of the new tracker' }).fill(BEFORE)
  await button('Replace').click()
  await expect.element(page.getByText(`IMEI ${BEFORE}`)).toBeVisible()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

test('a device that is retired with something typed of it leads on without a question', async () => {
  const retired = { ...REEFER, retiredAt: '2026-11-26T07:00:00.000Z' }
  await shown({ [`POST /things/${IMEI}/retire`]: { body: retired } })
  const here = location.href
  // as the portal goes: a way that can be held up
  Object.assign(harness.root, { goTo: (path: string) => history.pushState(null, '', path) })
  await name.fill('Reefer one')
  await button('Retire').click()
  const dialog = page.getByRole('dialog', { name: 'Retire Device?' })
  await dialog.getByRole('button', { name: 'Retire' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect([location.pathname, harness.toasts]).toEqual(['/devices', ['The device was retired']])
  await expect.element(question).not.toBeInTheDocument()
  history.replaceState(null, '', here)
})
