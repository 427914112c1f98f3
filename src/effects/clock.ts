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

/** `monotonic`: real milliseconds that never step; `guess`: epoch ms before the server has spoken. */
export function createServerClock(monotonic: () => number, guess: () => number): ServerClock {
  let known: (ServerTime & { since: number }) | undefined

  const rate = (): number => (known === undefined ? 1 : known.paused ? 0 : known.speed)
  const now = (): number =>
    Math.floor(known === undefined ? guess() : known.now + (monotonic() - known.since) * rate())

  return {
    now,
    isKnown: () => known !== undefined,
    set(time) {
      known = { ...time, since: monotonic() }
    },
    until(at) {
      const left = at - now()
      if (left <= 0) return 0
      return rate() === 0 ? Number.POSITIVE_INFINITY : left / rate()
    },
  }
}
