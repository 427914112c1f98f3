/** In a process of its own: gateways that hand over what their devices measured, each at its time, answered or not. */
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { API_PREFIX } from '#machines/contracts/calls/call.ts'
import { IngestAnswer } from '#machines/contracts/calls/ingest-calls.ts'
import { decodeJson } from '#machines/contracts/decode.ts'
import { fleetOf } from './load-fleet.ts'
import { DevicesWork, leave, type Order, say, taskOf } from './load-process.ts'
import { DEVICE_KEY } from './writers.ts'

const TICK_MS = 5
const CONNECTIONS = 64
/** Whoever was not answered by then, after the last was sent, is not going to be. */
const PATIENCE_MS = 60_000
const AGAIN_MS = 200

let alarmsFrom = Number.POSITIVE_INFINITY
let isOver = false
const work = await taskOf(DevicesWork, hear)
const fleet = fleetOf(work.devices)
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
const rounds = Array.from({ length: fleet.gateways }, () => 0)
/** when each batch was sent and how long it took; the same of how late the sender itself was */
const acknowledged: number[] = []
const late: number[] = []
const wrong: string[] = []
let refused = 0
let unanswered = 0

function hear(order: Order): void {
  if (order.order === 'alarms') alarmsFrom = order.from
  else isOver = true
}

for (let gateway = 0, round = 0; !isOver; ) {
  const due = work.begin + fleet.due(gateway, round)
  if (due > Date.now()) {
    await pause(TICK_MS)
    continue
  }
  void handOver(gateway, round, due)
  rounds[gateway] = round + 1
  gateway++
  if (gateway === fleet.gateways) {
    gateway = 0
    round++
  }
}
for (const until = Date.now() + PATIENCE_MS; unanswered > 0 && Date.now() < until; ) await pause(20)
await say({
  is: 'done',
  rounds,
  unanswered,
  refused,
  wrong: wrong.slice(0, 5),
  acknowledged: Float64Array.from(acknowledged),
  late: Float64Array.from(late),
})
leave()
agent.destroy()

/** The same again until it is safe, as a gateway does. */
async function handOver(gateway: number, round: number, at: number): Promise<void> {
  unanswered++
  const devices = fleet.of(gateway)
  const isAlarm = (device: number) => at >= alarmsFrom && fleet.isAlarm(device, round)
  const body = `{"readings":[${devices.map((device) => fleet.reading(device, round, at, isAlarm(device))).join(',')}]}`
  const sent = performance.now()
  const began = Date.now()
  late.push(began, began - at)
  for (let wait = AGAIN_MS; ; wait = AGAIN_MS) {
    try {
      const { status, text, again } = await post(body)
      if (status === 200) {
        const answer = decodeJson(text, IngestAnswer, 'answer')
        if (answer.accepted + answer.duplicates !== devices.length) wrong.push(text.slice(0, 200))
        break
      }
      if (status !== 503) wrong.push(`answered ${status} ${text.slice(0, 200)}`)
      refused++
      wait = again ?? AGAIN_MS
    } catch {
      refused++
    }
    if (isOver && refused > fleet.gateways) return
    await pause(wait)
  }
  acknowledged.push(began, performance.now() - sent)
  unanswered--
}

function post(body: string): Promise<{ status: number; text: string; again: number | undefined }> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'x-device-key': DEVICE_KEY }
    const asked = request(`${work.address}${API_PREFIX}/ingest`, { method: 'POST', agent, headers })
    asked.once('error', reject).once('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
      })
      const again = response.headers['retry-after']
      response.once('error', reject).once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          text,
          again: again === undefined ? undefined : Number(again) * 1000,
        }),
      )
    })
    asked.end(body)
  })
}
