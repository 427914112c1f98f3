import { RECORDING_FORMAT, RECORDING_VERSION, type Recording } from '#machines/contracts/recording.ts'
import { model } from '#machines/recording-player/recording-player.samples.ts'
import { expect, type Visitor } from '../app.ts'
import { standStill } from '../clock.ts'
import { RecordingsScreen } from '../screens/recordings.screen.ts'
import { startSignedOut } from '../visit.ts'
import type { Driver, DriverApp, Scene } from './driver.ts'

/** The player of recordings. What is read of a file is held back until the path says what it was; time stands. */
export const driver: Driver = { clock: 'stands', ways: [{ model, enter, isOneVisit: true }] }

const FILE = {
  name: 'session.json',
  mimeType: 'application/json',
  buffer: Buffer.from('read when it is time'),
}
const STEP = 1000
const RECORDING: Recording = {
  format: RECORDING_FORMAT,
  version: RECORDING_VERSION,
  app: { scenario: null, seed: null, clock: null, speed: null, timeZone: null },
  dropped: 0,
  limit: { steps: 2, bytes: 1000 },
  start: { machines: [], fleet: null, path: '/' },
  steps: [
    { kind: 'route', t: STEP, path: '/groups' },
    { kind: 'route', t: 2 * STEP, path: '/users' },
  ],
}

/** Two frames of the screen: enough for the first step, at any speed too little for the second. */
const A_MOMENT = 32

async function enter(visitor: Visitor, app: DriverApp): Promise<Scene> {
  const { page, shell } = visitor
  const recordings = new RecordingsScreen(page)
  if (page.url().startsWith(app.url)) {
    // a page that is left forgets what it played
    await page.clock.resume()
    await startSignedOut(visitor, app.url)
    await shell.follow('/lab/recordings')
    await recordings.isShown()
  } else {
    await page.addInitScript(() => {
      Blob.prototype.text = () => new Promise((resolve) => Object.assign(window, { answerRead: resolve }))
    })
    await page.clock.install()
    await recordings.open()
  }
  await standStill(page)
  const answer = (text: string) =>
    page.evaluate(
      (read) => (window as Window & { answerRead?: (text: string) => void }).answerRead?.(read),
      text,
    )
  const step = recordings.playing.getByRole('slider', { name: 'Step' })
  const press = (name: string | RegExp) => recordings.playing.getByRole('button', { name }).click()
  return {
    events: {
      'file.chosen': () => recordings.choose(FILE),
      'xstate.done.actor.open': () => answer(JSON.stringify(RECORDING)),
      'xstate.error.actor.open': () => answer('{}'),
      'step.forward': () => press(/forward/),
      'step.back': () => press(/back/),
      jump: () => step.fill('2'),
      play: () => press(/^Play/),
      pause: () => press(/^Pause/),
      speed: () => press('×20'),
      played: ({ event }) => page.clock.runFor(event.to === 1 ? A_MOMENT : 2 * STEP),
    },
    async shows({ state }) {
      if (state.matches('open')) {
        await expect(step).toHaveValue(`${state.context.at}`)
        const name = state.matches({ open: 'playing' }) ? /^Pause/ : /^Play/
        return expect(recordings.playing.getByRole('button', { name })).toBeVisible()
      }
      const choose = page.getByRole('button', { name: state.matches('opening') ? 'Reading…' : 'Choose File' })
      await expect(choose).toBeVisible()
      const alert = page.getByRole('alert').filter({ hasText: 'session.json cannot be played' })
      return expect(alert).toHaveCount(state.matches('refused') ? 1 : 0)
    },
  }
}
