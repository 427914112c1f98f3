import { setTimeout as pause } from 'node:timers/promises'
import { seqOf } from '#machines/notification-feed/entries.ts'
import { connectLive, type LiveClient } from '../../server/api/realtime/testing/live-client.ts'
import { NotificationWindow } from '../../server/api/realtime/testing/notification-window.ts'
import { callerOf } from '../../server/testing/caller.ts'
import { percentile, say } from '../bench/figures.ts'
import { memoryNow } from '../bench/process-memory.ts'
import type { RunningApp } from '../build/running-app.ts'
import type { Fault } from './fault.ts'
import { type Listener, listenTo } from './listener.ts'
import { startNotifier } from './notifier.ts'
import { startProduction } from './production.ts'
import { lacks, listOf, OPERATOR_ID, wholeOf, wholeOnceOf } from './whole-list.ts'
import { signIn } from './writers.ts'

const CLIENTS = 200
const STOPPED = 20
const SECONDS = 300
/** Nobody is dropped in less. */
const LEAST_SECONDS = 12
const PER_SECOND = 50
const MOST_GROWTH = 100 * 2 ** 20
const MOST_DROP_MS = 10_000
const MOST_LATENCY_MS = 1000
/** What is measured once a second is as old as that. */
const LOOK_MS = 250
const PATIENCE_MS = 60_000

export const stoppedReaders: Fault = {
  name: 'stopped-readers',
  what: `${STOPPED} of ${CLIENTS} clients stop reading for ${SECONDS / 60} minutes at ${PER_SECOND} notifications a second`,
  mustHold: 'memory grows ≤ 100 MB, they are dropped within 10 s and resume complete, the others’ p99 ≤ 1 s',
  quick: 0.04,
  async run({ times, isTimed }) {
    const [clients, stopped] = [times(CLIENTS), times(STOPPED)]
    const seconds = Math.max(LEAST_SECONDS, times(SECONDS))
    const app = await startProduction()
    const windows: NotificationWindow[] = []
    const others: Listener[] = []
    const live: LiveClient[] = []
    try {
      const token = await signIn(app.url)
      const list = listOf(app.url, token)
      const latencies: number[] = []
      for (let i = 0; i < clients; i++) {
        live.push(connectLive(app.port, token))
        if (i >= stopped) others.push(listenTo(app.url, token, (_, after) => latencies.push(after)))
        else
          windows.push(
            new NotificationWindow({
              address: app.url,
              token,
              userId: OPERATOR_ID,
              list: () => wholeOf(list),
            }),
          )
      }
      await Promise.all(windows.map((window) => window.load()))
      for (const window of windows) window.connect()
      const notifier = startNotifier(app.url, PER_SECOND)
      await linksAre(app, clients, PATIENCE_MS)
      await pause(3000)

      latencies.length = 0
      const before = memoryNow(app.pid)
      const wake = windows.map((window) => window.stopReading())
      for (const client of live.slice(0, stopped)) client.socket.pause()
      const began = performance.now()
      const dropped = linksAre(app, clients - stopped, PATIENCE_MS)
      let growth = 0
      while (performance.now() - began < seconds * 1000) {
        growth = Math.max(growth, memoryNow(app.pid) - before)
        await pause(LOOK_MS)
      }
      const lost: string[] = []
      const took = (await dropped) - began
      const slow = percentile(latencies, 0.99)
      for (const go of wake) go()
      for (const client of live.slice(0, stopped)) client.socket.resume()
      for (const window of windows) window.cut()
      await notifier.stop()
      const { notifications: whole } = await wholeOnceOf(list, notifier.sent(), PATIENCE_MS)
      const last = Math.max(...whole.map(seqOf))
      const heard = Promise.all(windows.map((window) => window.until(() => window.after >= last)))
      await Promise.race([heard, pause(PATIENCE_MS)])
      for (const [i, window] of windows.entries())
        lost.push(...lacks(window, whole).map((lack) => `client ${i}: ${lack}`))
      if (growth > MOST_GROWTH) lost.push(`memory grew by ${say(growth / 2 ** 20)} MB`)
      if (isTimed && took > MOST_DROP_MS) lost.push(`they were dropped after ${say(took / 1000, 1)} s`)
      if (latencies.length === 0) lost.push('the others heard nothing')
      if (whole.length < notifier.sent() * 0.9)
        lost.push(`only ${whole.length} notifications came of ${notifier.sent()} readings`)
      if (isTimed && slow > MOST_LATENCY_MS)
        lost.push(`of the others one in a hundred heard after ${say(slow)} ms`)
      return {
        tried: `${stopped} of ${clients} clients for ${seconds} s, ${say(whole.length)} notifications; memory grew by ${say(growth / 2 ** 20)} MB, dropped after ${say(took / 1000, 1)} s, p99 of the others ${say(slow)} ms`,
        lost,
      }
    } finally {
      for (const window of windows) window.leave()
      for (const other of others) other.leave()
      for (const { socket } of live) socket.terminate()
      await app.kill()
    }
  },
}

/** Resolves with when (`performance.now()`) as many links of each kind are open, as the server itself counts them. */
async function linksAre({ url }: RunningApp, wanted: number, patience: number): Promise<number> {
  for (const began = performance.now(); ; await pause(LOOK_MS)) {
    const { text } = await callerOf(url).send('GET', '/metrics')
    const counts = [...text.matchAll(/^socket_links\{kind="\w+"\} (\d+)$/gm)].map(([, count]) =>
      Number(count),
    )
    if (counts.length === 2 && counts.every((count) => count === wanted)) return performance.now()
    if (performance.now() - began > patience)
      throw new Error(`after ${patience / 1000} s there are ${counts.join(' and ')} links, not ${wanted}`)
  }
}
