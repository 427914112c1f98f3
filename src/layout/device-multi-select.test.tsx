import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { createFleet } from '../read-model/fleet.ts'
import { imeiOf, plainDevice, plainGroup, snapshotOf } from '../read-model/testing/make-fleet.ts'
import { nothing, type Selection } from '../ui/options.ts'
import { DeviceMultiSelect, type DeviceMultiSelectProps } from './device-multi-select.tsx'
import { mountPage, type PageHarness } from './testing/mount-page.tsx'

/** Each third is a warehouse. */
const devices = Array.from({ length: 100_000 }, (_, deviceNo) =>
  plainDevice(deviceNo, { kind: deviceNo % 3 === 2 ? 1 : 0 }),
)

let harness: PageHarness
afterEach(() => harness.unmount())

let picked: Selection
function Held(props: Partial<DeviceMultiSelectProps>) {
  const [selection, setSelection] = useState(nothing)
  picked = selection
  return <DeviceMultiSelect isField {...props} selection={selection} onChange={setSelection} />
}

async function shown(props: Partial<DeviceMultiSelectProps> = {}) {
  const fleet = createFleet((call) => call())
  fleet.load(snapshotOf(1, devices, [plainGroup('top')]))
  harness = await mountPage(<Held {...props} />, { at: '/', server: {}, fleet })
}

test('ALL of 100,000, or some by plate number', async () => {
  await shown()
  await page.getByRole('button', { name: 'Devices No devices' }).click()
  await page.getByRole('option', { name: 'ALL' }).click()
  expect(picked).toBe('all')
  await userEvent.keyboard('LEB-98765')
  await page.getByRole('option', { name: /Reefer 98765 / }).click()
  expect(picked).toEqual(new Set([imeiOf(98_765)]))
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('button', { name: 'Devices 1 of 100,000' })).toBeVisible()
})

test('vehicles alone, and what is wrong with the choice', async () => {
  await shown({ kind: 'vehicle', label: 'Vehicles', noun: 'vehicles', message: 'Please Select Vehicle.' })
  await expect.element(page.getByRole('alert')).toHaveTextContent('Please Select Vehicle.')
  await page.getByRole('button', { name: 'Vehicles No vehicles' }).click()
  await expect.element(page.getByRole('option', { name: /Reefer 3 / })).toHaveAttribute('aria-posinset', '4')
  await expect.element(page.getByRole('option', { name: /Reefer 2 / })).not.toBeInTheDocument()
})
