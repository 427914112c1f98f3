import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { dashboardOf } from '../../../actors/dashboard-actor.ts'
import { clock, deskWith, incident } from '../../../layout/incidents/testing.ts'
import { mountPage, type PageHarness } from '../../../layout/testing/mount-page.tsx'
import { createFleet, type Fleet } from '../../../read-model/fleet.ts'
import { imeiOf, plainDevice, snapshotOf } from '../../../read-model/testing/make-fleet.ts'
import { useFleetItself } from '../../../read-model/use-fleet.ts'
import { useActions } from '../use-actions.ts'
import { useRequested } from '../use-requested.ts'
import { useSearchIndex } from '../use-search-index.ts'
import { useShownFleet } from '../use-shown-fleet.ts'
import { FleetPanel } from './fleet-panel.tsx'

let fleet: Fleet
let harness: PageHarness
beforeEach(async () => {
  await page.viewport(800, 900)
  fleet = createFleet((call) => call())
  load(1, [2, 3, 4])
})
afterEach(() => {
  harness.unmount()
  vi.restoreAllMocks()
})

const load = (seq: number, numbers: number[]): void =>
  fleet.load(
    snapshotOf(
      seq,
      numbers.map((no) => plainDevice(no)),
    ),
  )

function Panel() {
  const its = useFleetItself()
  const dashboard = dashboardOf(its)
  const requested = useRequested(dashboard)
  const search = useSearchIndex(its)
  const shown = useShownFleet(its, search, requested.picked, requested.sort)
  const actions = useActions(dashboard, () => {})
  return (
    <div className="flex h-200 flex-col">
      <FleetPanel {...{ fleet: its, dashboard, requested, search, shown, actions }} />
    </div>
  )
}

async function shown(at: string) {
  const server = { 'GET /groups/top/incidents': { body: deskWith({ open: [incident(9)] }) } }
  harness = await mountPage(<Panel />, { at, server, fleet, clock })
}
const row = (name: string) => page.getByRole('button', { name: new RegExp(`^${name} `) })

test('Enter takes what is found by all that was typed, though the list still shows what was found before', async () => {
  await shown('/')
  await expect.element(row('Reefer 2')).toBeVisible()
  const find = page.getByRole('textbox', { name: 'Find in the list' }).element() as HTMLInputElement
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(find, 'reefer 4')
  find.dispatchEvent(new InputEvent('input', { bubbles: true }))
  find.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
  await expect.poll(() => dashboardOf(fleet).getSnapshot().context.selected).toBe(imeiOf(4))
})

test('rows that stay under the pointer are those of the same devices when one comes before them', async () => {
  await shown('/')
  await userEvent.hover(row('Reefer 3'))
  // the visitor was at them just now, however long it takes
  vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  await userEvent.hover(row('Reefer 4'))
  load(2, [1, 2, 3, 4])
  await expect.element(page.getByText('4 devices')).toBeVisible()
  await expect.element(row('Reefer 4')).toBeVisible()
})

test('what is open of a device is listed when the device comes into sight', async () => {
  await shown('/?show=open')
  await expect.element(page.getByText('Nothing is open')).toBeVisible()
  load(2, [2, 3, 4, 9])
  await expect.element(page.getByRole('list', { name: 'Incidents' })).toMatchTextContent(/Reefer 9/)
})
