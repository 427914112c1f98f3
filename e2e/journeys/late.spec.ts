import { type App, DESK, expect, test } from '../app.ts'
import { NotificationsScreen } from '../screens/notifications.screen.ts'
import { ObservationsScreen } from '../screens/observations.screen.ts'
import { type Trial, trialOf, trials } from '../trial.ts'

test.use({ world: { of: 'late', devices: 60 }, viewport: DESK })

const MINUTE = 60_000
/** Of its group: 17 °C, for 15 minutes. */
const WARM = 25
const COLD = 5

/** A tracker that was heard, and after 61 minutes off the air is heard again. Answers when it was off. */
async function backOnTheAir(app: App): Promise<{ trial: Trial; from: number; to: number }> {
  await app.sim.pause()
  const [device] = (await trials(app)).filter(({ timestamp }) => timestamp === null)
  if (device === undefined) throw new Error('No tracker is left that was never heard')
  const trial = trialOf(app, device)
  const { now } = await app.sim.status()
  const from = Math.ceil(now / MINUTE) * MINUTE
  const to = from + 61 * MINUTE
  await trial.sends({ temperature: COLD, humidity: 60 }, from)
  await trial.sends({ temperature: COLD, humidity: 60, lat: 31.52, lng: 74.35 }, to)
  return { trial, from, to }
}

/** What it kept from one minute down to another: warm from the tenth to the fortieth. */
const kept = (from: number, newest: number, oldest: number) =>
  Array.from({ length: newest - oldest + 1 }, (_, i) => newest - i).map((minute) => ({
    at: from + minute * MINUTE,
    temperature: minute >= 10 && minute < 40 ? WARM : COLD,
    humidity: 60,
  }))

test('what a tracker kept while it was off the air, newest first, is told as late on every screen', async ({
  operator,
  app,
}) => {
  const { page, dashboard, history, shell, trouble } = operator
  // tokens run out on the way and are renewed
  trouble.allow(/401/)
  const { trial, from, to } = await backOnTheAir(app)

  await test.step('the list and the card say how far it has come', async () => {
    await trial.delivers(kept(from, 60, 23))
    await dashboard.select(trial.name)
    await expect(dashboard.line(trial.name)).toContainText('catching up: 38 of 61 minutes')
    await expect(dashboard.markerCard).toContainText('catching up: 38 of 61 minutes')
  })

  await test.step('an open history shows the rest by itself, and how it looked meanwhile', async () => {
    await history.open(trial.imei)
    await shell.isLive()
    await expect(history.late).toContainText(/received \d\d:\d\d, up to 38 min late/)
    await expect(history.news).toHaveText('catching up: 38 of 61 minutes')
    await trial.delivers(kept(from, 22, 1))
    await expect(history.news).toBeHidden()
    await expect(history.late).toContainText(/received \d\d:\d\d, up to 1 h late/)
    await history.late.getByText('As it looked meanwhile').click()
    await expect(history.late).toContainText('What came late is left out of the charts.')
    await history.late.getByText('As it looked meanwhile').click()
  })

  await test.step('of an earlier span it is said that more came later, and Show shows it', async () => {
    const iso = (minute: number) => new Date(from + minute * MINUTE).toISOString()
    await page.goto(`/temperature/${trial.imei}?date=${iso(5)}..${iso(55)}`)
    await shell.isLive()
    await expect(history.temperatureChart).toContainText('highest 25.0')
    await trial.delivers([{ at: from + 30 * MINUTE + 30_000, temperature: WARM + 2, humidity: 60 }])
    // the evaluation waits for two minutes without anything late
    await trial.until(to + 4 * MINUTE)
    await expect(history.news).toContainText('1 reading came later')
    await expect(history.temperatureChart).toContainText('highest 25.0')
    await history.news.getByRole('button', { name: 'Show' }).click()
    await expect(history.temperatureChart).toContainText('highest 27.0')
    await expect(history.news).toBeHidden()
  })

  await test.step('the violation is found late, and why says when it was measured and received', async () => {
    await history.open(trial.imei)
    await expect(history.summary).toContainText('out once, 30 min')
    await page.goto('/notifications')
    const notifications = new NotificationsScreen(page)
    await notifications.isLoaded()
    const entry = notifications.entries(trial.name).first()
    await expect(entry).toContainText(/Found late: out \d\d:\d\d/)
    await notifications.open(entry)
    await expect(await notifications.why(entry)).toContainText(/received/)
  })

  await test.step('the list says so no more', async () => {
    await page.goto('/')
    await dashboard.isShown()
    await dashboard.search(trial.name)
    await expect(dashboard.line(trial.name)).toBeVisible()
    await expect(dashboard.line(trial.name)).not.toContainText('catching up')
  })

  await test.step('a second reading of an instant is kept aside', async () => {
    await trial.delivers([{ at: from + 30 * MINUTE, temperature: -3, humidity: 60 }])
    const observations = new ObservationsScreen(page)
    await observations.open()
    await observations.pick(trial.imei)
    await observations.find()
    await expect(observations.aside).toContainText('−3.0 °C, 60.00 %Two readings of this instant')
  })
})
