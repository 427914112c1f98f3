/** In a process of its own: devices of a region that was off the air, coming back one after the other with all they kept. */
import { setTimeout as pause } from 'node:timers/promises'
import { IngestAnswer } from '#machines/contracts/calls/ingest-calls.ts'
import { decodeJson } from '#machines/contracts/decode.ts'
import { openGateways } from './gateway-post.ts'
import { fleetOf } from './load-fleet.ts'
import { leave, RegionWork, say, taskOf } from './load-process.ts'
import { backlogOf } from './region-fleet.ts'

const TICK_MS = 5
const AGAIN_MS = 200

let isOver = false
const { address, devices, first, begin, lasts } = await taskOf(RegionWork, () => {
  isOver = true
})
const fleet = fleetOf(devices)
const gateways = openGateways(address)
const acknowledged: number[] = []
const wrong: string[] = []
let refused = 0
const sending: Promise<void>[] = []
for (let device = first; device < devices && !isOver; device++) {
  const at = begin + Math.floor(((device - first) * lasts) / (devices - first))
  while (at > Date.now()) await pause(TICK_MS)
  sending.push(handOver(device, at))
}
await Promise.all(sending)
await say({
  is: 'done',
  acknowledged: Float64Array.from(acknowledged),
  refused,
  wrong: wrong.slice(0, 5),
  lastAt: Date.now(),
})
leave()
gateways.close()

/** The same again until it is safe. */
async function handOver(device: number, at: number): Promise<void> {
  const readings = backlogOf(fleet, device, at)
  const body = `{"readings":[${readings.join(',')}]}`
  const [sent, began] = [performance.now(), Date.now()]
  for (let wait = AGAIN_MS; !isOver; wait = AGAIN_MS) {
    try {
      const { status, text, again } = await gateways.post(body)
      if (status === 200) {
        const answer = decodeJson(text, IngestAnswer, 'answer')
        if (answer.accepted + answer.duplicates !== readings.length) wrong.push(text.slice(0, 200))
        acknowledged.push(began, performance.now() - sent)
        return
      }
      if (status !== 503) wrong.push(`answered ${status} ${text.slice(0, 200)}`)
      wait = again ?? AGAIN_MS
    } catch {
      // the line broke: sent again
    }
    refused++
    await pause(wait)
  }
}
