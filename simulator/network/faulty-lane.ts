import type { Lane } from '../../server/ports.ts'

type Weather = { delay: number; reorder: boolean }

/** A frame that waits for one to change places with waits no longer, ms. */
const LONGEST_HELD = 250

/** @param busy lanes on which something is under way; this one is among them while that is so */
export function createLane(weather: () => Weather, busy: Set<Lane>): Lane {
  const queue: { deliver: () => void; due: number }[] = []
  let held: { deliver: () => void; since: number } | undefined
  const arrive = (deliver: () => void, now: number): void => {
    const { delay } = weather()
    if (delay === 0 && queue.length === 0) deliver()
    // never before what was said earlier, though the delay has become less
    else queue.push({ deliver, due: Math.max(now + delay, queue.at(-1)?.due ?? 0) })
  }
  const release = (now: number): void => {
    const first = held
    held = undefined
    if (first !== undefined) arrive(first.deliver, now)
  }
  const note = (): void => {
    if (queue.length > 0 || held !== undefined) busy.add(lane)
    else busy.delete(lane)
  }

  const lane: Lane = {
    send(deliver, keepsPlace = false) {
      const { delay, reorder } = weather()
      if (delay === 0 && !reorder && queue.length === 0 && held === undefined) return deliver()
      const now = performance.now()
      if (reorder && !keepsPlace && held === undefined) held = { deliver, since: now }
      else {
        if (keepsPlace || !reorder) release(now)
        arrive(deliver, now)
        release(now)
      }
      note()
    },
    move(now) {
      if (held !== undefined && now - held.since >= LONGEST_HELD) release(now)
      while ((queue[0]?.due ?? Number.POSITIVE_INFINITY) <= now) queue.shift()?.deliver()
      note()
    },
    flush() {
      const { length } = queue
      for (const { deliver } of queue.splice(0, length)) deliver()
      const last = held
      held = undefined
      last?.deliver()
      note()
    },
    close() {
      queue.length = 0
      held = undefined
      note()
    },
  }
  return lane
}
