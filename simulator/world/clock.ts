/** The world's clock: runs at any speed, stands still, or is set forward. The only place where world time meets real time. */
import type { Clock } from '#machines/contracts/clock.ts'

export type WorldClock = Clock & {
  speed(): number
  paused(): boolean
  /** world seconds in a real one. @throws RangeError unless more than 0 and at most 10,000 */
  setSpeed(speed: number): void
  pause(): void
  resume(): void
  /** goes on from `at`; never back, except by `reset` */
  jumpTo(at: number): void
  reset(at: number): void
  /** does not pass `at` until told otherwise; time that would lie beyond is lost, not caught up */
  holdAt(at: number): void
  /** what it does not pass; Infinity: nothing */
  heldAt(): number
  /** called when speed, pause or the time itself are set; answers how to stop */
  subscribe(listener: () => void): () => void
}

export const FASTEST = 10_000

/** @param options `start`: epoch ms; `speed`: 1 by default; `realNow`: real milliseconds, monotone */
export function createWorldClock(options: {
  start: number
  speed?: number
  realNow?: () => number
}): WorldClock {
  const realNow = options.realNow ?? (() => performance.now())
  const listeners = new Set<() => void>()
  let speed = checked(options.speed ?? 1)
  let paused = false
  let limit = Number.POSITIVE_INFINITY
  let worldAt = options.start
  let realAt = realNow()

  /** takes the time that has run as the new beginning */
  const settle = () => {
    const real = realNow()
    if (!paused) worldAt = Math.max(worldAt, Math.min(limit, worldAt + (real - realAt) * speed))
    realAt = real
    return worldAt
  }
  const changed = (change: () => void) => {
    settle()
    change()
    for (const listener of [...listeners]) listener()
  }

  return {
    now: () => Math.floor(settle()),
    speed: () => speed,
    paused: () => paused,
    setSpeed: (wanted) => {
      checked(wanted)
      changed(() => {
        speed = wanted
      })
    },
    pause: () =>
      changed(() => {
        paused = true
      }),
    resume: () =>
      changed(() => {
        paused = false
      }),
    jumpTo: (at) =>
      changed(() => {
        limit = Math.max(limit, at)
        worldAt = Math.max(worldAt, at)
      }),
    reset: (at) =>
      changed(() => {
        limit = Number.POSITIVE_INFINITY
        worldAt = at
      }),
    holdAt: (at) => {
      settle()
      limit = at
    },
    heldAt: () => limit,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function checked(speed: number): number {
  if (!(speed > 0 && speed <= FASTEST))
    throw new RangeError(`speed: expected more than 0 and at most ${FASTEST}, got ${speed}`)
  return speed
}
