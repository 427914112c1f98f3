import { setTimeout as pause } from 'node:timers/promises'
import scenario from '#fixtures/scenarios/demo.json' with { type: 'json' }
import { callerOf } from '../../server/testing/caller.ts'
import { DEVICE_KEY } from './writers.ts'

const TICK_MS = 200
const IMEIS = scenario.trackers.map(({ imei }) => imei)

export type Notifier = {
  /** notifications that must have come of what was sent */
  sent(): number
  /** resolves when the last one is stored */
  stop(): Promise<void>
}

/**
 * Trackers that are unplugged and plugged in again, so often that there are so many notifications a second.
 * @param ahead how far the server's clock is ahead of ours, ms
 */
export function startNotifier(address: string, perSecond: number, ahead = 0): Notifier {
  const { ask } = callerOf(address)
  const aTick = Math.round((perSecond * TICK_MS) / 1000)
  if (aTick > IMEIS.length)
    throw new RangeError(`at most ${(IMEIS.length * 1000) / TICK_MS} notifications a second`)
  let sent = 0
  let isOver = false
  const isUnplugged = IMEIS.map(() => false)

  async function send(): Promise<void> {
    const at = Date.now() + ahead
    const readings = Array.from({ length: aTick }, (_, i) => {
      const no = (sent + i) % IMEIS.length
      isUnplugged[no] = !isUnplugged[no]
      return { imei: IMEIS[no], at, lat: 31.5, lng: 74.3, temperature: 4, Unplug: isUnplugged[no] }
    })
    sent += aTick
    const answer = await ask('ingest', { headers: { 'x-device-key': DEVICE_KEY }, body: { readings } })
    if (answer.accepted !== aTick) throw new Error(`of ${aTick} readings ${answer.accepted} were taken`)
  }
  const working = (async () => {
    // plugged in first: a device that was never heard of tells nothing by it
    await send()
    for (let next = performance.now() + TICK_MS; !isOver; next += TICK_MS) {
      await pause(Math.max(1, next - performance.now()))
      await send()
    }
  })()
  working.catch(() => {})
  return {
    // what is heard of a tracker for the first time tells nothing
    sent: () => Math.max(0, sent - IMEIS.length),
    stop() {
      isOver = true
      return working
    },
  }
}
