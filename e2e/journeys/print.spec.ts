import { DESK, expect, test } from '../app.ts'

test.use({ world: { of: 'print', devices: 60 }, viewport: DESK, colorScheme: 'dark' })

test.beforeAll(async ({ app }) => app.sim.pause())

test('on paper a page is ink on white, with whose it is and when, and nothing around it', async ({
  signedIn: operator,
  app,
}) => {
  const { page } = operator
  const [device] = await app.api.fleet()
  await operator.history.open(device?.imei ?? '')
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(page.getByText(/Indus Cold Chain · .* Asia\/Karachi · made /)).toBeVisible()
  await expect(page.getByRole('heading', { name: device?.name ?? '' })).toBeVisible()
  await expect(page.getByRole('navigation')).toBeHidden()
  await expect(page.getByRole('banner')).toBeHidden()
  await expect(operator.history.search).toBeHidden()
  const ink = await page.getByRole('heading', { name: device?.name ?? '' }).evaluate((heading) => {
    const canvas = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D
    canvas.fillStyle = getComputedStyle(heading).color
    canvas.fillRect(0, 0, 1, 1)
    return Math.max(...canvas.getImageData(0, 0, 1, 1).data.subarray(0, 3))
  })
  expect(ink, 'dark letters, though the theme is dark').toBeLessThan(100)
})

test('a list is on paper to its last row', async ({ signedIn: operator }) => {
  const { page } = operator
  await page.goto('/notifications')
  const rows = page.getByRole('list', { name: 'Notifications' }).locator('> li')
  await expect(rows.first()).toBeVisible()
  const shown = Number(
    (await page.getByRole('status').filter({ hasText: / of / }).textContent())?.split(' of ')[0],
  )
  expect(await rows.count()).toBeLessThan(shown)
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  await expect(rows).toHaveCount(shown)
  await page.evaluate(() => dispatchEvent(new Event('afterprint')))
  await expect.poll(() => rows.count()).toBeLessThan(shown)
})
