import { readFile } from 'node:fs/promises'
import { COMPANY_CALLS } from '#machines/contracts/calls/company-calls.ts'
import { decode } from '#machines/contracts/decode.ts'
import { ScenarioFile } from '#machines/contracts/scenario.ts'
import { isAccessible } from '../accessible.ts'
import { expect, PASSWORD, SUPER_ADMIN, test } from '../app.ts'
import { signedInCaller } from '../control.ts'
import { BESIDE, DirectorScreen } from '../screens/director.screen.ts'
import { isListening } from '../session.ts'

test.use({ world: { of: 'director', devices: 60 }, viewport: BESIDE, isMapDrawn: false })

test.beforeAll(async ({ app }) => app.sim.pause())

test('the clock obeys: it runs, is fast, stands, steps, and goes to the next incident', async ({
  signedInAt,
  app,
}) => {
  const { page } = await signedInAt('/help')
  const director = new DirectorScreen(page)
  await expect(director.footer).toContainText('paused')
  await director.open()
  await director.button('Run').click()
  // at once: what is pressed while something is being done comes next
  await director.panel.getByText('×300').click()
  await expect.poll(async () => app.sim.status()).toMatchObject({ paused: false, speed: 300 })
  await expect(director.footer).toContainText('×300')
  await director.button('Pause').click()
  await expect(director.button('Run')).toBeVisible()
  const { now } = await app.sim.status()
  await director.step('10 minutes on')
  await expect.poll(async () => (await app.sim.status()).now).toBe(now + 600_000)
  await director.jump()
  await page.keyboard.press('Escape')
  await expect(director.panel).toBeHidden()
})

test('an address that opens no moment says why, and one of this moment leads to the page alone', async ({
  signedInAt,
  app,
}) => {
  const { page, shell } = await signedInAt('/help?scenario=moon&t=soon')
  await expect(page.getByText('There is no scenario called “moon” on this server.')).toBeVisible()
  await isAccessible(page)
  const { now, start, seed } = await app.sim.status()
  const t = Math.floor((now - start) / 1000) + 120
  await page.goto(`/help?scenario=demo&seed=${seed}&devices=60&t=${t}`)
  await expect(shell.content.getByRole('heading', { name: 'Help', exact: true })).toBeVisible()
  await expect(page).toHaveURL(/\/help$/)
  await page.goto('/help?scenario=quiet-day')
  await expect(page.getByRole('heading', { name: 'Open A quiet day in Lahore?' })).toBeVisible()
  await page.getByRole('button', { name: 'Stay in this world' }).click()
  await expect(shell.content.getByRole('heading', { name: 'Help', exact: true })).toBeVisible()
})

test('devices break and mend, one that is selected and a share; what was done is listed, taken back and saved', async ({
  signedInAt,
  app,
}) => {
  const device = (await app.api.fleet()).find(
    ({ type, thingStatus }) => type === 'vehicle' && thingStatus === 'online',
  )
  if (device === undefined) throw new Error('No vehicle is online')
  const { page } = await signedInAt(`/temperature/${device.imei}`)
  const director = new DirectorScreen(page)
  await director.open()
  await expect(director.panel.getByRole('button', { name: /Device, as selected/ })).toContainText(device.name)
  await isAccessible(page)
  await director.choose('What goes wrong', 'Door open')
  await director.button('Break it').click()
  const broken = director.inForce('Broken now')
  await expect(broken.filter({ hasText: 'Door open' })).toContainText(`${device.name} · 2 h left`)

  await director.panel.getByText('A share of the fleet').click()
  await director.choose('What goes wrong', 'Out of reach')
  await director.button('Break them').click()
  await expect(broken.filter({ hasText: 'Out of reach' })).toContainText(/\d+ devices/)

  await director.part('Done')
  const share = director.done.filter({ hasText: 'Out of reach' })
  await share.getByRole('button', { name: /^Undo/ }).click()
  await expect(share).toContainText('taken back')
  await director.part('Faults')
  await expect(broken.filter({ hasText: 'Out of reach' })).toHaveCount(0)

  await director.part('Done')
  const saving = page.waitForEvent('download')
  await director.button('Save as scenario').click()
  const file = await (await saving).path()
  const saved = decode(JSON.parse(await readFile(file, 'utf8')), ScenarioFile, 'scenario')
  const played = saved.scriptedFaults.filter(({ imei }) => imei !== undefined)
  expect(played).toEqual([expect.objectContaining({ imei: device.imei, fault: 'door-open' })])
  await director.part('World')
  await expect(director.button(`Open ${saved.name}`)).toBeVisible()
})

test('the network is slow, then gone, and the panel says so and still obeys', async ({ signedInAt }) => {
  const { page, shell, trouble } = await signedInAt('/help')
  trouble.allow(/503|ERR_|WebSocket|Failed to load/)
  await shell.isLive()
  const director = new DirectorScreen(page)
  await director.open()
  await director.part('Network')
  const wrong = director.inForce('Wrong with the network now')
  await director.choose('What is wrong with the network', 'Network slow')
  await director.button('Make it so').click()
  await expect(wrong).toContainText('Network slow')
  await director.button('Lift: Network slow').click()
  await expect(wrong).toHaveCount(0)
  await director.choose('What is wrong with the network', 'Network cut')
  await director.choose('For how long', '5 minutes')
  await director.button('Make it so').click()
  await expect(shell.link).toContainText(/offline/)
  await director.button('Lift: Network cut').click()
  await shell.isLive()
})

test('a company is suspended and let in again from the panel, which stays while sessions end', async ({
  visitor,
  signedInAt,
}) => {
  visitor.trouble.allow(/40[13]/)
  const listening = isListening(visitor.page)
  await signedInAt('/help')
  await listening
  const director = new DirectorScreen(visitor.page)
  await visitor.shell.isLive()
  await director.open()
  await director.part('People')
  const begunAnew = visitor.page.waitForEvent('load')
  await director.button('Suspend Indus Cold Chain').click()
  await begunAnew
  await visitor.login.isShown()
  await director.button('Resume Indus Cold Chain').click()
  await expect(director.button('Suspend Indus Cold Chain')).toBeVisible()
  await visitor.login.pickDemoAccount('operator@indus.example')
  await visitor.shell.isLive()
  await expect(director.panel).toBeVisible()
})

test('a company that an administrator suspended is let in again from the panel', async ({
  signedInAt,
  app,
}) => {
  const admin = await signedInCaller(app.url, SUPER_ADMIN, PASSWORD)
  const params = { companyId: 'karakoram' }
  await admin.ask(COMPANY_CALLS.suspendCompany, { params, body: { reason: 'Unpaid' } })
  const { page } = await signedInAt('/help')
  const director = new DirectorScreen(page)
  await director.open()
  await director.part('People')
  await director.button('Resume Karakoram Foods').click()
  await expect(director.button('Suspend Karakoram Foods')).toBeVisible()
  expect((await admin.ask(COMPANY_CALLS.company, { params })).suspended).toBe(false)
})

test('a moment of another scenario is opened and come to, not passed, whatever the speed of the clock', async ({
  visitor: { page, login, trouble },
  app,
}) => {
  // worlds are exchanged
  trouble.allow(/40[13]|503|ERR_|WebSocket|Failed to load/)
  const open = page.getByRole('button', { name: 'Open it' })
  await page.goto('/help?scenario=quiet-day&t=1800')
  await open.click()
  await login.isShown()
  const { scenarioName, start, now } = await app.sim.status()
  expect([scenarioName, now - start]).toEqual(['quiet-day', 1_800_000])

  await app.sim.setSpeed(1000)
  await app.sim.resume()
  await page.goto('/help?scenario=heat-wave&t=600')
  await open.click()
  await login.isShown()
  expect(await app.sim.status()).toMatchObject({ scenarioName: 'heat-wave', speed: 1000 })
  await app.sim.pause()
})
