import { readFile } from 'node:fs/promises'
import type { Thing } from '#machines/contracts/entities/devices.ts'
import { type App, DESK, expect, test } from '../app.ts'

test.use({ world: { of: 'share', devices: 60 }, viewport: DESK, isMapDrawn: false })

test.beforeAll(async ({ app }) => app.sim.pause())

test('the proof is sent in two presses, seen by whoever has the link, and ended', async ({
  signedIn: operator,
  newVisitor,
  app,
}) => {
  const device = await reefer(app)
  await operator.history.open(device.imei)
  const link = await operator.history.share()

  const customer = await newVisitor()
  customer.trouble.allow(/404/)
  const sockets: string[] = []
  customer.page.on('websocket', (socket) => sockets.push(socket.url()))
  await customer.page.goto(link)
  await customer.history.isDrawn()
  await expect(customer.page.getByRole('heading', { name: device.name })).toBeVisible()
  await expect(customer.page.getByText('Indus Cold Chain')).toBeVisible()
  await expect(customer.history.summary).toContainText('°C')
  await expect(customer.page.getByRole('navigation')).toHaveCount(0)
  await expect(customer.page.locator('meta[name="robots"]')).toHaveAttribute('content', /noindex/)
  expect(sockets, 'nothing is live').toEqual([])

  await operator.page.getByRole('button', { name: /^End the link to/ }).click()
  await expect(operator.page.getByRole('region', { name: 'Links that are good' })).toContainText('None yet')
  await customer.page.reload()
  await expect(customer.page.getByText('This link leads nowhere')).toBeVisible()
})

test('the proof is a PDF in two presses', async ({ signedIn: operator, app }) => {
  const device = await reefer(app)
  await operator.history.open(device.imei)
  const arriving = operator.page.waitForEvent('download')
  await operator.page.getByRole('button', { name: 'Share' }).click()
  await operator.page.getByRole('button', { name: 'PDF' }).click()
  const file = await arriving
  expect(file.suggestedFilename()).toMatch(/^Proof-.*\.pdf$/)
  const bytes = await readFile(await file.path())
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
  await expect(operator.page.getByText('PDF downloaded')).toBeVisible()
})

async function reefer({ api }: App): Promise<Thing> {
  const found = (await api.fleet()).find(
    ({ temperature, humidity, thingStatus }) =>
      thingStatus === 'online' && temperature !== null && humidity !== null,
  )
  if (found === undefined) throw new Error('There is no reefer')
  return found
}
