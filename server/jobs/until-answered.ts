import { untilStored } from '../store/log-follower.ts'
import { StoreUnavailable } from '../store/store.ts'
import { ReportFault } from './reports/order.ts'

/** How long a store that cannot answer is asked again, real ms: each second, for five minutes, where they are left out. */
export type StorePatience = { retryMs?: number; patienceMs?: number }

type Options = StorePatience & {
  signal: AbortSignal
  /** called with why, before it is asked again for the first time */
  onWait(error: StoreUnavailable): void
}

/**
 * Waits for a store that cannot answer now, a dropped connection to the database say.
 * @throws the signal's reason once it is given; ReportFault where the store does not answer for too long
 */
export async function untilAnswered<T>(
  work: () => Promise<T>,
  { signal, retryMs = 1_000, patienceMs = 300_000, onWait }: Options,
): Promise<T> {
  let since: number | undefined
  const attempt = async () => {
    try {
      return { value: await work() }
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      if (since === undefined) onWait(error)
      since ??= performance.now()
      if (performance.now() - since < patienceMs) throw error
      throw new ReportFault(`The store did not answer for ${patienceMs / 60_000} min. Try again later.`)
    }
  }
  const done = await untilStored(attempt, signal, { retryMs })
  if (done === undefined) throw signal.reason
  return done.value
}
