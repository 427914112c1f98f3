import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { API_PREFIX } from '#machines/contracts/calls/call.ts'
import { callerOf } from '../../server/testing/caller.ts'
import { percentile, say } from '../bench/figures.ts'
import { memoryNow } from '../bench/process-memory.ts'
import { startApp } from '../build/running-app.ts'
import type { Fault } from './fault.ts'
import type { HostileAnswers, HostileOrder } from './hostile-attackers.ts'
import { listenTo } from './listener.ts'
import { startNotifier } from './notifier.ts'
import { signIn } from './writers.ts'

const SECONDS = 60
const LEAST_SECONDS = 5
const PER_SECOND = 10
const ORDER = { unknownKeys: 500_000, things: 200_000, readings: 10_000 }
const CONNECTIONS = 40
const PIPELINED = 20
const LOOK_MS = 50
/** some 1.1 MB */
const LIST = `${API_PREFIX}/groups/indus/observations-latest`
const MOST_HEALTH_MS = 200
const MOST_ALARM_MS = 1000
const MOST_GROWTH = 100 * 2 ** 20
/** How long only lists are requested that nobody reads, and until attackers are at it. */
const WARM_UP_MS = 3000

export const hostileLoad: Fault = {
  name: 'hostile-load',
  what: `for ${SECONDS} s at once: sign-ins with ${say(ORDER.unknownKeys)} unknown fields, guesses, lists of ${say(ORDER.things)} devices, batches of ${say(ORDER.readings)} readings with ISO times, ${CONNECTIONS} connections that request ${PIPELINED} lists ahead and read none`,
  mustHold:
    '/healthz p99 ≤ 200 ms, live notifications p99 ≤ 1 s, memory grows ≤ 100 MB by lists that nobody reads, nothing but what is right is answered',
  quick: 0.1,
  async run({ times, isTimed }) {
    const seconds = Math.max(LEAST_SECONDS, times(SECONDS))
    const app = await startApp({ env: { ACCESS_TTL: '86400' } })
    const unread: Socket[] = []
    try {
      const token = await signIn(app.url)
      const heard: number[] = []
      const ahead = (await callerOf(app.url).sim.status()).now - Date.now()
      const listener = listenTo(app.url, token, (_, after) => heard.push(after + ahead))
      const notifier = startNotifier(app.url, PER_SECOND, ahead)
      const list = callerOf(app.url)
      for (let i = 0; i < CONNECTIONS; i++) await list.send('GET', LIST, { token })
      const before = (await healthFor(app, WARM_UP_MS)).memory
      for (let i = 0; i < CONNECTIONS; i++) unread.push(readNothing(app.port, token))
      const alone = await healthFor(app, WARM_UP_MS)
      const attackers = attackersOn({ url: app.url, token, ...ORDER })
      await pause(WARM_UP_MS)
      heard.length = 0
      const seen = await healthFor(app, seconds * 1000)
      const answers = await attackers.stop()
      await notifier.stop()
      listener.leave()

      const growth = alone.memory - before
      const [health, alarm] = [percentile(seen.health, 0.99), percentile(heard, 0.99)]
      const lost = [...wrongAnswers(answers), ...alone.wrong, ...seen.wrong]
      if (heard.length === 0) lost.push('nothing was heard of what happened')
      if (isTimed && growth > MOST_GROWTH) lost.push(`memory grew by ${say(growth / 2 ** 20)} MB`)
      if (isTimed && health > MOST_HEALTH_MS) lost.push(`/healthz p99 ${say(health)} ms`)
      if (isTimed && alarm > MOST_ALARM_MS) lost.push(`notifications p99 ${say(alarm)} ms`)
      return {
        tried: `${seconds} s, ${answersIn(answers)}; /healthz p99 ${say(health)} ms, notifications p99 ${say(alarm)} ms, memory grew by ${say(growth / 2 ** 20)} MB by unread lists`,
        lost,
      }
    } finally {
      for (const socket of unread) socket.destroy()
      await app.kill()
    }
  },
}

/** What each kind of attack may be answered. */
const RIGHT: Record<string, readonly number[]> = {
  stranger: [413, 429],
  guesser: [401, 429],
  list: [201, 400, 404, 409],
  batch: [200, 503],
}

function attackersOn(order: HostileOrder): { stop(): Promise<HostileAnswers> } {
  const thread = new Worker(new URL('./hostile-attackers.ts', import.meta.url), { workerData: order })
  const done = once(thread, 'message').then(([answers]) => answers as HostileAnswers)
  done.catch(() => {})
  return {
    stop() {
      thread.postMessage('stop')
      return done
    },
  }
}

function readNothing(port: number, token: string): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  socket.pause()
  const request = `GET ${LIST} HTTP/1.1\r\nhost: here\r\nauthorization: Bearer ${token}\r\n\r\n`
  socket.write(request.repeat(PIPELINED))
  return socket
}

/** Asks `/healthz` again and again. `health`: how long each answer took, ms; `memory`: the most the server had, bytes. */
export async function healthFor({ url, pid }: { url: string; pid: number }, ms: number) {
  const { send } = callerOf(url)
  const seen = { health: [] as number[], wrong: [] as string[], memory: 0 }
  for (const until = performance.now() + ms; performance.now() < until; await pause(LOOK_MS)) {
    const startedAt = performance.now()
    const { status } = await send('GET', '/healthz')
    seen.health.push(performance.now() - startedAt)
    if (status !== 200) seen.wrong.push(`/healthz answered ${status}`)
    seen.memory = Math.max(seen.memory, memoryNow(pid))
  }
  return seen
}

const wrongAnswers = (answers: HostileAnswers): string[] =>
  [...answers]
    .filter(([name]) => {
      const [who, status] = name.split(' ') as [string, string]
      return !RIGHT[who]?.includes(Number(status))
    })
    .map(([name, times]) => `${name}, ${times} times`)

const answersIn = (answers: HostileAnswers): string =>
  [...answers].map(([name, times]) => `${say(times)} × ${name}`).join(', ')
