import { setTimeout } from 'node:timers/promises'

/** Waiting in real time: a mail server knows nothing of the server's clock. */
export type Pauses = {
  /** ms that only ever grow */
  uptime(): number
  /** resolves after so many ms (Infinity: never), or at once when the signal is given */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

const LONGEST_TIMER = 2 ** 31 - 1

export const realPauses: Pauses = {
  uptime: () => performance.now(),
  // woken or not, who slept looks at the time again
  sleep: (ms, signal) =>
    setTimeout(Math.min(ms, LONGEST_TIMER), undefined, { signal, ref: false }).catch(() => {}),
}

/** Doubles from `first` with each try, up to `most`. */
export const pauseAfter = (tries: number, { first, most }: { first: number; most: number }): number =>
  Math.min(most, first * 2 ** Math.min(tries - 1, 30))
