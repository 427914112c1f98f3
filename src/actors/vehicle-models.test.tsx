import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { mountPage, type PageHarness } from '../layout/testing/mount-page.tsx'
import { createFleet } from '../read-model/fleet.ts'
import { imeiOf, plainDevice, snapshotOf } from '../read-model/testing/make-fleet.ts'
import { useFleetItself } from '../read-model/use-fleet.ts'
import { useVehicleModels } from './vehicle-models.ts'

let harness: PageHarness
afterEach(() => harness.unmount())

function Models() {
  const modelOf = useVehicleModels(useFleetItself())
  return <output>{[1, 2, 3].map((no) => modelOf(imeiOf(no)) ?? 'none').join()}</output>
}

test('a fleet of more than 20,000 knows its makes and models too', async () => {
  const fleet = createFleet((call) => call())
  const numbers = Array.from({ length: 20_001 }, (_, no) => no)
  fleet.load(
    snapshotOf(
      1,
      numbers.map((no) => plainDevice(no)),
    ),
  )
  const noOf = (no: number) => fleet.columns.device[fleet.names.rowOf(imeiOf(no))]
  const body = [
    { model: 'Hino 300', devices: `${noOf(1)},${noOf(20_000)}` },
    { model: 'JAC X200', devices: `${noOf(3)}` },
  ]
  harness = await mountPage(<Models />, {
    at: '/',
    fleet,
    server: { 'GET /groups/top/vehicle-models': { body } },
  })
  await expect.element(page.getByRole('status')).toHaveTextContent('Hino 300,none,JAC X200')
})
