import { setTimeout as pause } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'

/** What leads: to be ended, however far it has come. */
export type LeaderTask = { stop(): Promise<void> }

export type Leadership<L extends LeaderTask> = {
  /** undefined while this node does not lead, or has not begun to */
  current(): L | undefined
  /** ends leading for good; resolves when nothing of it is left */
  stop(): Promise<void>
}

type Options<L> = {
  cluster: Pick<Cluster, 'leads' | 'onLeadership' | 'stepDown'>
  /** begins; rejects where that fails, or the signal says that leading is over before it began, with nothing of it left */
  begin(signal: AbortSignal): Promise<L>
  /** it could not begin: another may lead, and where none does it is tried again */
  onError(error: unknown): void
  /** ms until then (5,000) */
  retryMs?: number
}

/**
 * Leads while the cluster says that this node is to: one begin after the end of the one before. Resolves when it leads, where it
 * is to lead now.
 * @throws whatever the first `begin` throws
 */
export async function keepLeadership<L extends LeaderTask>(options: Options<L>): Promise<Leadership<L>> {
  const { cluster, begin, onError, retryMs = 5_000 } = options
  const stopping = new AbortController()
  let current: L | undefined
  /** aborted when what was begun is over */
  let over = new AbortController()

  const isToLead = (): boolean => cluster.leads() && !stopping.signal.aborted
  async function beginNow(): Promise<void> {
    over = new AbortController()
    const { signal } = over
    try {
      const led = await begin(signal)
      if (signal.aborted) await led.stop()
      else current = led
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }
  async function endNow(): Promise<void> {
    const led = current
    current = undefined
    await led?.stop()
  }
  async function follow(): Promise<void> {
    while (isToLead() && current === undefined)
      try {
        await beginNow()
      } catch (error) {
        onError(error)
        cluster.stepDown(String(error))
        await pause(retryMs, undefined, { signal: over.signal }).catch(() => {})
      }
  }

  let turn: Promise<void> = isToLead() ? beginNow() : Promise.resolve()
  const change = (leads: boolean): Promise<void> => {
    if (leads) turn = turn.then(follow)
    else {
      // at once, whatever is under way: another may lead soon
      over.abort()
      const ending = endNow()
      turn = turn.then(() => ending)
    }
    return turn
  }
  const unfollow = cluster.onLeadership(change)
  try {
    await turn
  } catch (error) {
    unfollow()
    throw error
  }

  return {
    current: () => current,
    async stop() {
      unfollow()
      stopping.abort()
      await change(false)
    },
  }
}
