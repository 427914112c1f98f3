import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { createFleet, type Fleet } from '../read-model/fleet.ts'
import { imeiOf, plainDevice, plainGroup, snapshotOf } from '../read-model/testing/make-fleet.ts'
import { nothing, type Selection } from '../ui/options.ts'
import { DeviceChecklist, type DeviceChecklistProps } from './device-checklist.tsx'
import { mountPage, type PageHarness } from './testing/mount-page.tsx'

const TOTAL = 100_000
const GROUPS = [plainGroup('top'), plainGroup('north', 'top')]
/** The last ten are in North. */
const devices = Array.from({ length: TOTAL }, (_, deviceNo) =>
  plainDevice(deviceNo, { group: deviceNo < TOTAL - 10 ? 0 : 1 }),
)

let fleet: Fleet
let harness: PageHarness
beforeEach(() => {
  fleet = createFleet((call) => call())
  fleet.load(snapshotOf(1, devices, GROUPS))
})
afterEach(() => harness.unmount())

const onChange = vi.fn<(selection: Selection) => void>()

function Held({ start, ...props }: { start: Selection } & Partial<DeviceChecklistProps>) {
  const [selection, setSelection] = useState(start)
  return (
    <DeviceChecklist
      {...props}
      selection={selection}
      onChange={(next) => {
        onChange(next)
        setSelection(next)
      }}
    />
  )
}

async function shown(start: Selection = nothing, props: Partial<DeviceChecklistProps> = {}) {
  onChange.mockClear()
  harness = await mountPage(<Held start={start} {...props} />, { at: '/', server: {}, fleet })
  await expect.element(page.getByRole('option').first()).toBeVisible()
}

const option = (name: string) => page.getByRole('option', { name: new RegExp(`^${name} `) })
const last = () => onChange.mock.lastCall?.[0]
const search = () => page.getByRole('combobox', { name: 'Search devices' })

test('of 100,000 devices only those in view exist, and all are taken at once', async () => {
  await shown()
  expect(document.querySelectorAll('[role=option]').length).toBeLessThan(60)
  await page.getByRole('button', { name: 'Select all' }).click()
  expect(last()).toBe('all')
  await expect.element(page.getByRole('button', { name: 'Chosen 100,000' })).toBeVisible()
  await expect.element(option('Reefer 3')).toHaveAttribute('aria-selected', 'true')
})

test('one that is let go of all leaves the others', async () => {
  await shown('all', { groups: new Set(['north']) })
  await option('Reefer 99995').click()
  expect(last()).toHaveProperty('size', 9)
  await expect.element(option('Reefer 99995')).toHaveAttribute('aria-selected', 'false')
  await expect.element(option('Reefer 99996')).toHaveAttribute('aria-selected', 'true')
})

test('what is found is taken, looked at alone and let go again', async () => {
  await shown(new Set([imeiOf(1)]))
  await search().fill('LEB-9999')
  await page.getByRole('button', { name: 'Select found' }).click()
  expect(last()).toHaveProperty('size', 12)
  await search().fill('')
  await page.getByRole('button', { name: 'Chosen 12' }).click()
  await expect.element(option('Reefer 1')).toHaveAttribute('aria-setsize', '12')
  await search().fill('99992')
  await expect.element(option('Reefer 99992')).toHaveAttribute('aria-setsize', '1')
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  expect(last()).toHaveProperty('size', 11)
})

test('it is ticked with the keys, from the search field', async () => {
  await shown()
  await search().fill('reefer 4321')
  await expect.element(option('Reefer 4321')).toBeVisible()
  await userEvent.keyboard('{Enter}')
  expect(last()).toEqual(new Set([imeiOf(4321)]))
})

test('what is wrong stands below, and one alone can be asked for', async () => {
  await shown(nothing, { message: 'Please select Devices', hasSelectAll: false })
  await expect.element(page.getByRole('alert')).toHaveTextContent('Please select Devices')
  await expect.element(page.getByRole('button', { name: 'Select all' })).not.toBeInTheDocument()
  await search().fill('nothing like it')
  await expect.element(page.getByText('No devices match')).toBeVisible()
  await expect.element(page.getByRole('combobox')).not.toHaveAttribute('aria-controls')
})

test('Enter in a search that finds nothing does not send the form around it', async () => {
  const sent = vi.fn((event: { preventDefault: () => void }) => event.preventDefault())
  harness = await mountPage(
    <form onSubmit={sent}>
      <Held start={nothing} />
      <button type="submit">Save</button>
    </form>,
    { at: '/', server: {}, fleet },
  )
  await search().fill('nothing like it')
  await expect.element(page.getByText('No devices match')).toBeVisible()
  await userEvent.keyboard('{Enter}')
  expect(sent).not.toHaveBeenCalled()
})
