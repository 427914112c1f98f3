import type { Clock } from '#machines/contracts/clock.ts'

/** What the server says about its clock. `now`: epoch ms; `speed`: 1 is real time. */
export type ServerTime = { now: number; speed: number; paused: boolean }

/** The server's clock as the portal knows it: between two answers it runs on at the server's speed, by whole ms. */
export type ServerClock = Clock & {
  /** whether the server has sent the time at all; before that `now()` is the browser's own guess */
  isKnown(): boolean
  set(time: ServerTime): void
  /** real milliseconds until the server's clock shows `at`; Infinity while it stands still */
  until(at: number): number
}

/** The browser's clock is so far ahead of what has passed: the machine slept, and what never steps may stand still then, ms. */
const NAP_MS = 60_000

/** `monotonic`: real milliseconds that never step; `guess`: epoch ms of the browser, all there is before the server has spoken. */
export function createServerClock(monotonic: () => number, guess: () => number): ServerClock {
  let known: (ServerTime & { since: number; guessed: number }) | undefined

  const rate = (): number => (known === undefined ? 1 : known.paused ? 0 : known.speed)
  const now = (): number => {
    if (known === undefined) return Math.floor(guess())
    const passed = monotonic() - known.since
    const wall = guess() - known.guessed
    return Math.floor(known.now + (wall - passed > NAP_MS ? wall : passed) * rate())
  }

  return {
    now,
    isKnown: () => known !== undefined,
    set(time) {
      known = { ...time, since: monotonic(), guessed: guess() }
    },
    until(at) {
      const left = at - now()
      if (left <= 0) return 0
      return rate() === 0 ? Number.POSITIVE_INFINITY : left / rate()
    },
  }
}
