import { isAccessible } from '../accessible.ts'
import { expect, OPERATOR, PASSWORD, test } from '../app.ts'
import { RecordingsScreen } from '../screens/recordings.screen.ts'

test.use({ world: { of: 'recordings', devices: 24 }, isMapDrawn: false })

test('a session is recorded without its secrets, and gone through step by step', async ({ visitor, app }) => {
  const { page, login, shell } = visitor
  const recordings = new RecordingsScreen(page)
  await recordings.open()
  await isAccessible(page)
  await recordings.start()
  await login.isShown()
  await login.signIn(OPERATOR, PASSWORD)
  await shell.isLive()
  await app.sim.advance(60)
  await expect(recordings.badge).toContainText(/\d+ steps/)
  const stored = await page.evaluate(() => ({ ...localStorage }))
  const file = await recordings.save()
  expect(file.name).toMatch(/^frostline-recording-\d{8}-\d{6}\.json$/)
  const secrets = [PASSWORD, stored.token, stored.refreshToken, stored.identityId]
  for (const secret of secrets) expect(file.text).not.toContain(secret)

  await recordings.open()
  await recordings.choose({ name: 'holiday.json', mimeType: 'application/json', buffer: Buffer.from('{}') })
  await expect(page.getByRole('alert')).toContainText('holiday.json cannot be played. recording: at format')
  await recordings.choose(file.path)
  await recordings.goesTheSameWay()

  await test.step('each step shows the machines and the fleet as they were', async () => {
    await expect(recordings.stateOf('session')).toContainText('idle')
    await expect(recordings.fleet).toContainText('No fleet has come yet')
    await page.keyboard.press('ArrowRight')
    await expect(recordings.step).toContainText('/login')
    await page.keyboard.press('ArrowRight')
    await expect(recordings.step).toContainText('sign-in.submit → loading')
    await expect(recordings.stateOf('session')).toContainText('loading')
    await page.keyboard.press('ArrowLeft')
    await expect(recordings.stateOf('session')).toContainText('idle')
    await page.keyboard.press('End')
    await expect(recordings.stateOf('session')).toContainText('authenticated.fresh')
    await expect(recordings.stateOf('link')).toContainText('linking.online')
    await expect(recordings.fleet).toContainText('On /')
    await isAccessible(page)
  })

  await test.step('it plays from the start to the end', async () => {
    await page.getByRole('button', { name: '×100' }).click()
    await page.keyboard.press('Home')
    await page.locator('h2').first().click()
    await page.keyboard.press('Space')
    await expect(recordings.stateOf('session')).toContainText('authenticated.fresh')
    await expect(page.getByRole('button', { name: 'Play' })).toBeVisible()
  })
})
