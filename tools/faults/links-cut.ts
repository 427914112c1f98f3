import { setTimeout as pause } from 'node:timers/promises'
import { seqOf } from '#machines/notification-feed/entries.ts'
import { NotificationWindow } from '../../server/api/realtime/testing/notification-window.ts'
import { say } from '../bench/figures.ts'
import { diceOf, type Fault } from './fault.ts'
import { startNotifier } from './notifier.ts'
import { startProduction } from './production.ts'
import { lacks, listOf, OPERATOR_ID, wholeOf, wholeOnceOf } from './whole-list.ts'
import { signIn } from './writers.ts'

const PORTALS = 200
const CUTS = 20
const PER_SECOND = 50
/** Every link is looked at so often, and one in four cut. */
const TURN_MS = 500
const PATIENCE_MS = 120_000
/** One in so many decodes all it is told by the contract. */
const LOOKED_AT = 20
/** Notifications come at the rate they should, or it is not the fault that was to be tried. */
const LEAST_SHARE = 0.95

export const linksCut: Fault = {
  name: 'links-cut',
  what: `the sockets of ${PORTALS} portals cut ${CUTS} times each at ${PER_SECOND} notifications a second`,
  mustHold: "each ends with the server's list, 0 missed, 0 twice",
  quick: 0.1,
  async run({ times, seed, isTimed }) {
    const dice = diceOf(seed)
    const [portals, cuts] = [times(PORTALS), times(CUTS)]
    const app = await startProduction()
    const windows: NotificationWindow[] = []
    try {
      const token = await signIn(app.url)
      const list = listOf(app.url, token)
      for (let i = 0; i < portals; i++)
        windows.push(
          new NotificationWindow({
            address: app.url,
            token,
            userId: OPERATOR_ID,
            list: () => wholeOf(list),
            isTrusting: i % LOOKED_AT !== 0,
          }),
        )
      await Promise.all(windows.map((window) => window.load()))
      for (const window of windows) window.connect()

      const notifier = startNotifier(app.url, PER_SECOND)
      const began = performance.now()
      while (windows.some((window) => window.cuts < cuts)) {
        await pause(TURN_MS)
        for (const window of windows) if (window.cuts < cuts && dice() < 0.25) window.cut()
      }
      await notifier.stop()
      const seconds = (performance.now() - began) / 1000

      const { notifications: whole } = await wholeOnceOf(list, notifier.sent(), PATIENCE_MS)
      const last = Math.max(...whole.map(seqOf))
      const heard = Promise.all(windows.map((window) => window.until(() => window.after >= last)))
      const late = await Promise.race([heard, pause(PATIENCE_MS, 'late' as const)])
      const lost = windows.flatMap((window, i) => lacks(window, whole).map((lack) => `portal ${i}: ${lack}`))
      if (late === 'late')
        lost.push(`after ${PATIENCE_MS / 1000} s not all had received what was published last`)
      if (isTimed && whole.length < PER_SECOND * seconds * LEAST_SHARE)
        lost.push(`only ${say(whole.length / seconds)} notifications a second could be published`)
      if (whole.length < notifier.sent() * 0.9)
        lost.push(`only ${whole.length} notifications came of ${notifier.sent()} readings`)
      return {
        tried: `${portals} portals' sockets, ${cuts} cuts each, ${say(whole.length)} notifications at ${say(whole.length / seconds)} a second`,
        lost,
      }
    } finally {
      for (const window of windows) window.leave()
      await app.kill()
    }
  },
}
