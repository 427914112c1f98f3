import { readFileSync } from 'node:fs'
import { type App, expect, IN_MOTION, test, type Visitor } from '../app.ts'
import { BESIDE, DirectorScreen } from '../screens/director.screen.ts'
import { isListening } from '../session.ts'

test.use({ world: { of: 'demo-script', devices: 60 }, viewport: BESIDE, contextOptions: IN_MOTION })

const VAN = 'SW-MLK-07'

type Show = { visitor: Visitor; director: DirectorScreen; app: App }

/** The steps of "A five-minute demo" in the README, by its words. */
const steps: Record<string, (show: Show) => Promise<void>> = {
  'Open the morning at a dairy.': async ({ visitor: { page, login }, app }) => {
    await page.goto('/?scenario=dairy-dawn&seed=418&t=0')
    await page.getByRole('button', { name: 'Open it' }).click()
    await login.isShown()
    expect(await app.sim.status()).toMatchObject({ seed: 418, devices: 96 })
  },

  'Sign in as the operator.': async ({ visitor: { login, dashboard, shell } }) => {
    await login.pickDemoAccount('operator@chenab.example')
    await dashboard.isShown()
    await shell.isLive()
  },

  'Call the director.': async ({ director }) => {
    await director.open()
    await expect(director.footer).toContainText('A dairy at dawn')
    await expect(director.footer).toContainText('Seed 418')
  },

  'Let the trouble come.': async ({ director, app }) => {
    const { now } = await app.sim.status()
    await director.step('1 hour on')
    expect((await app.sim.status()).now).toBeGreaterThanOrEqual(now + 3_600_000)
  },

  'Find the warm milk.': async ({ visitor: { dashboard } }) => {
    await dashboard.select(VAN)
    await expect(dashboard.line(VAN)).toContainText('Too hot')
    await expect(dashboard.markerCard).toContainText(VAN)
  },

  'Show the proof.': async ({ visitor: { page, dashboard } }) => {
    await dashboard.markerCard.getByRole('link', { name: 'History' }).click()
    await expect(page.getByRole('heading', { name: VAN })).toBeVisible()
    await expect(page.getByText(/(min|h( \d\d)?) out of range/).first()).toBeVisible()
  },

  'Pull the cable.': async ({ visitor: { page, shell }, director }) => {
    await director.part('Network')
    await director.choose('For how long', '10 seconds')
    await director.button('Make it so').click()
    await expect(shell.link).toContainText(/offline/)
    const listening = isListening(page)
    await shell.isLive()
    await listening
  },

  'Take a tenth of the fleet off the air.': async ({ visitor: { shell, dashboard }, director }) => {
    await shell.goTo('Dashboard')
    await dashboard.showAll()
    await director.part('Faults')
    await director.panel.getByText('A share of the fleet').click()
    await director.choose('What goes wrong', 'Out of reach')
    await director.button('Break them').click()
    await director.step('10 minutes on')
    await expect.poll(() => dashboard.count('Offline')).toBeGreaterThanOrEqual(9)
  },

  'Take it back.': async ({ director }) => {
    await director.part('Done')
    const tenth = director.done.filter({ hasText: 'Out of reach' })
    await tenth.getByRole('button', { name: /^Undo/ }).click()
    await expect(tenth).toContainText('taken back')
  },

  'Lock a tenant out.': async ({ visitor: { page, login, shell }, director }) => {
    await director.part('People')
    const begunAnew = page.waitForEvent('load')
    await director.button('Suspend Chenab Dairies').click()
    await begunAnew
    await login.isShown()
    await director.button('Resume Chenab Dairies').click()
    await expect(director.button('Suspend Chenab Dairies')).toBeVisible()
    await login.pickDemoAccount('operator@chenab.example')
    await shell.isLive()
  },

  'Keep what was played.': async ({ visitor: { page }, director }) => {
    await director.part('Done')
    const saving = page.waitForEvent('download')
    await director.button('Save as scenario').click()
    expect((await saving).suggestedFilename()).toBe('dairy-dawn-played.json')
    await expect(director.footer.getByRole('button', { name: 'Copy link to this moment' })).toBeVisible()
  },

  'Go back to the first fleet.': async ({ visitor: { page, login, dashboard }, director, app }) => {
    await director.part('World')
    await director.button('Open Pakistan, a working summer').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Open', exact: true }).click()
    await login.isShown()
    expect(await app.sim.status()).toMatchObject({ scenarioName: 'demo' })
    await login.pickDemoAccount('operator@indus.example')
    await dashboard.isShown()
  },
}

test('the README tells these steps, in this order', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const section = readme.split('\n## ').find((part) => part.startsWith('A five-minute demo')) ?? ''
  expect([...section.matchAll(/^\d+\. \*\*(.+?)\*\*/gm)].map(([, words]) => words)).toEqual(
    Object.keys(steps),
  )
})

test('a five-minute demo', async ({ visitor, app }) => {
  // the network is cut on purpose, worlds are exchanged, and the operator is put out
  visitor.trouble.allow(/40[13]|503|ERR_|WebSocket|Failed to load/)
  const show = { visitor, director: new DirectorScreen(visitor.page), app }
  for (const [words, play] of Object.entries(steps)) await test.step(words, () => play(show))
})
