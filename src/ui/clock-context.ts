import { createContext, useContext, useEffect, useState } from 'react'

/** Where components take the time from: the server's clock where there is one, never the browser's own. */
export const ClockContext = createContext<{ now(): number }>({ now: () => Date.now() })

/** The time, renewed every `everyMs`; epoch ms. */
export function useNow(everyMs = 1000): number {
  const clock = useContext(ClockContext)
  const [now, setNow] = useState(() => clock.now())
  useEffect(() => onEachBeat(everyMs, () => setNow(clock.now())), [clock, everyMs])
  return now
}

/**
 * Calls once, at the next whole multiple of `everyMs` on the page's clock: what is renewed each second is renewed in one
 * frame, wherever on the page it is. Answers the timer.
 */
export function onBeat(everyMs: number, call: () => void): ReturnType<typeof setTimeout> {
  return setTimeout(call, everyMs - (performance.now() % everyMs))
}

/** Who is called at each beat of so many ms, by one timer for all of them. */
const beats = new Map<number, Set<() => void>>()

/** Calls at each beat; answers how to stop. */
export function onEachBeat(everyMs: number, call: () => void): () => void {
  const own = (): void => call()
  const calls = beats.get(everyMs) ?? beginBeats(everyMs)
  calls.add(own)
  return () => calls.delete(own)
}

function beginBeats(everyMs: number): Set<() => void> {
  const calls = new Set<() => void>()
  beats.set(everyMs, calls)
  const beat = (): void => {
    if (calls.size === 0) {
      beats.delete(everyMs)
      return
    }
    onBeat(everyMs, beat)
    for (const call of calls) call()
  }
  onBeat(everyMs, beat)
  return calls
}
