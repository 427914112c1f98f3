import { SIM_CALLS, type SimStatus } from '#machines/contracts/calls/sim-calls.ts'
import { pause } from '../../effects/pause.ts'
import { type DirectorCalls, fetchStatus } from './calls.ts'

/** Between two requests for how far the world is on its way, ms. */
const PROGRESS_EVERY = 400

/** Resolves when the world is on no way: a request for one may be answered before its end, or it is somebody else's. */
export async function arrival(calls: DirectorCalls, signal: AbortSignal): Promise<void> {
  while ((await fetchStatus(calls, signal)).journey !== null) await pause(PROGRESS_EVERY, signal)
}

/** Reports how far the world is, until it is stopped; what is not answered while worlds are exchanged is requested again. */
export function watchProgress(calls: DirectorCalls, notify: (status: SimStatus) => void): () => void {
  const aborter = new AbortController()
  const { signal } = aborter
  const watch = async (): Promise<void> => {
    while (!signal.aborted) {
      const now = await fetchStatus(calls, signal).catch(() => undefined)
      if (now !== undefined && !signal.aborted) notify(now)
      await pause(PROGRESS_EVERY, signal).catch(() => {})
    }
  }
  void watch()
  return () => aborter.abort()
}

/** The world stays where it is on its way. */
export async function stopJourney({ ask }: DirectorCalls, signal: AbortSignal): Promise<void> {
  await ask(SIM_CALLS.stopSimJourney, {}, signal)
}
