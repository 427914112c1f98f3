import { DESK, expect, test } from '../app.ts'
import { hasMoreNotificationsThan } from '../company.ts'

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
  // the map is drawn by then, or in a moment
  await expect.poll(() => page.evaluate(tonesOfPrintedMap), 'the land, and what is on it').toBeGreaterThan(3)
})

/** Prints, and counts what the map's picture has of dark and light. */
function tonesOfPrintedMap(): number {
  dispatchEvent(new Event('beforeprint'))
  const picture = document.querySelector<HTMLCanvasElement>('[aria-label="Location"] figure canvas')
  const pixels = picture?.getContext('2d')?.getImageData(0, 0, picture.width, picture.height).data ?? []
  dispatchEvent(new Event('afterprint'))
  const tones = new Set<number>()
  for (let i = 0; i < pixels.length; i += 4) if (pixels[i + 3] === 255) tones.add((pixels[i] as number) >> 4)
  return tones.size
}

test('a list is on paper to its last row', async ({ signedIn: operator, app }) => {
  const { page } = operator
  await hasMoreNotificationsThan(25, app)
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
