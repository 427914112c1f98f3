/** A thread of its own, so that what attackers do costs those who measure nothing but the machine. */
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { API_PREFIX } from '#machines/contracts/calls/call.ts'
import { DEVICE_KEY, LIMITS, TRACKERS } from './writers.ts'

/** Who does each thing at once, again and again. */
const AT_ONCE = { strangers: 8, guessers: 4, lists: 1, batches: 1 }
const REFUSED_MS = 50
const DAY = 86_400_000

/** What the thread is given. */
export type HostileOrder = {
  url: string
  token: string
  unknownKeys: number
  things: number
  readings: number
}
/** What was answered, by attack and status, e.g. `guesser 401`. */
export type HostileAnswers = Map<string, number>

function attackers(order: HostileOrder): Promise<void>[] {
  const json = (value: unknown) => Buffer.from(JSON.stringify(value))
  const strange = json(Object.fromEntries(Array.from({ length: order.unknownKeys }, (_, i) => [`k${i}`, 1])))
  const things = Array.from({ length: order.things }, (_, i) => String(359_000_000_000_000 + i))
  const authorization = { authorization: `Bearer ${order.token}` }
  const bodies = {
    guesser: () => json({ username: 'operator@indus.example', password: `Guess#${Math.random()}` }),
    list: json({ ...LIMITS, name: 'Many', description: '', parentId: 'indus-telematics', things }),
    batch: json({ readings: Array.from({ length: order.readings }, (_, i) => lateReading(i)) }),
  }
  const login = `${API_PREFIX}/auth/login`
  return [
    ...repeated(AT_ONCE.strangers, () => send(order, 'stranger', login, strange)),
    ...repeated(AT_ONCE.guessers, () => send(order, 'guesser', login, bodies.guesser())),
    ...repeated(AT_ONCE.lists, () => send(order, 'list', `${API_PREFIX}/groups`, bodies.list, authorization)),
    ...repeated(AT_ONCE.batches, () =>
      send(order, 'batch', `${API_PREFIX}/ingest`, bodies.batch, { 'x-device-key': DEVICE_KEY }),
    ),
  ]
  function repeated(many: number, once: () => Promise<void>): Promise<void>[] {
    return Array.from({ length: many }, async () => {
      while (!isOver) await once()
    })
  }
}

const lateReading = (i: number) => ({
  imei: TRACKERS[i % TRACKERS.length],
  at: new Date(Date.now() - 9 * DAY + i * 1000).toISOString(),
  temperature: 4,
  Ignition: i % 2 === 0,
  Unplug: false,
})

async function send(
  { url }: HostileOrder,
  who: string,
  path: string,
  body: Buffer<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<void> {
  const request = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body }
  // a body that is too large is refused before it is sent whole: then there may be no answer to be read
  const status = await fetch(`${url}${path}`, request).then(
    async (answer) => {
      await answer.arrayBuffer()
      return answer.status
    },
    () => 413,
  )
  const name = `${who} ${status}`
  answers.set(name, (answers.get(name) ?? 0) + 1)
  if (status === 429 || status === 503) await pause(REFUSED_MS)
}

const answers: HostileAnswers = new Map()
let isOver = false
parentPort?.once('message', () => {
  isOver = true
})
await Promise.all(attackers(workerData as HostileOrder))
parentPort?.postMessage(answers)
