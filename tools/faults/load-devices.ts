/** In a process of its own: gateways that hand over what their devices measured, each at its time, answered or not. */
import { setTimeout as pause } from 'node:timers/promises'
import { IngestAnswer } from '#machines/contracts/calls/ingest-calls.ts'
import { decodeJson } from '#machines/contracts/decode.ts'
import { openGateways } from './gateway-post.ts'
import { fleetOf } from './load-fleet.ts'
import { DevicesWork, leave, type Order, say, taskOf } from './load-process.ts'

const TICK_MS = 5
/** Whoever was not answered by then, after the last was sent, is not going to be. */
const PATIENCE_MS = 60_000
const AGAIN_MS = 200

let alarmsFrom = Number.POSITIVE_INFINITY
let isOver = false
const work = await taskOf(DevicesWork, hear)
const fleet = fleetOf(work.devices)
const connections = openGateways(work.address)
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
connections.close()

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
      const { status, text, again } = await connections.post(body)
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
