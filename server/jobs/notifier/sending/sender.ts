import type { Clock } from '#machines/contracts/clock.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import type { ReadModels } from '../../../read-models/read-models.ts'
import { type Store, StoreUnavailable } from '../../../store/store.ts'
import type { Channel, Ending, Message } from './channel.ts'
import { type Pauses, pauseAfter, realPauses } from './pauses.ts'
import { createWaiting, type Waiting } from './waiting.ts'

export type SenderOptions = {
  store: Pick<Store, 'log' | 'checkpoints'>
  readModels: ReadModels
  /** the house's: messages run out by it */
  clock: Clock
  /** for whoever runs the house */
  warn(message: string): void
  pauses?: Pauses
}

export type Sender = {
  /** resolves when every message that can leave now has left */
  settled(): Promise<void>
  /** since the start; `waiting`: now */
  stats(): { sent: number; failed: number; waiting: number }
  /** gives the message on its way a moment, then cuts it short */
  stop(): Promise<void>
}

const CLOSED_PAUSE = { first: 5_000, most: 300_000 }
const LATER_PAUSE = { first: 30_000, most: 1_800_000 }
/** Two days of half hours; mail servers give up in four or five (RFC 5321, 4.5.4.1), people earlier. */
const MOST_TRIES = 100
const STORE_RETRY_MS = 1_000
/** A second under what a stopping house gives its requests. */
const LAST_MOMENT_MS = 2_000

/**
 * Follows the log and sends the message of each fact that has one, one after the other. What became of it is a fact too,
 * so a start knows what is left to do: a message leaves once in ordinary running, after a crash as well.
 *
 * Not in one case: the other side took it and the house died, or the line broke, before that was heard and told. Then
 * it leaves again, since losing it would be worse, with the same id, by which servers and readers may know it.
 */
export function startSender<M extends Message>(channel: Channel<M>, options: SenderOptions): Sender {
  const { store, readModels, clock, warn, pauses = realPauses } = options
  const { log } = store
  const { words } = channel
  const waiting = createWaiting(store, channel)
  const told = { sent: 0, failed: 0 }
  const stopping = new AbortController()
  const cutOff = new AbortController()
  /** nobody takes messages until then (`uptime`), for the so manieth time */
  let closed = { until: 0, times: 0 }
  let nap = new AbortController()
  let isResting = false
  let isOver = false
  const settling: (() => void)[] = []

  waiting.restore(readModels.seq)
  waiting.checkpoint(readModels.seq)
  const unfollow = readModels.onAdvance(({ facts }) => {
    for (const fact of facts) waiting.take(fact)
    if (facts.length > 0) wake()
  })

  function wake(): void {
    isResting = false
    nap.abort()
  }
  async function rest(ms: number): Promise<void> {
    isResting = true
    for (const resolve of settling.splice(0)) resolve()
    nap = new AbortController()
    await pauses.sleep(ms, AbortSignal.any([nap.signal, stopping.signal]))
    isResting = false
  }

  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      const now = pauses.uptime()
      const next = waiting.next(now)
      if (next.due === undefined) await rest(next.inMs)
      else if (closed.until > now) await rest(closed.until - now)
      else await deliver(next.due)
    }
  }

  async function deliver(item: Waiting): Promise<void> {
    const message = channel.messageOf(item.fact)
    if (message === undefined || message.isWithdrawn) {
      waiting.done(item)
      return
    }
    if (message.unreachable !== undefined) return giveUp(item, message, message.unreachable)
    if (message.goodUntil <= clock.now()) {
      const because = item.reason === undefined ? '' : `; the last try: ${item.reason}`
      return giveUp(item, message, `it was too late for it${because}`)
    }
    const outcome = await channel.deliver(message, cutOff.signal)
    if (outcome.is === 'sent') {
      heardAgain()
      if (await tell(item, channel.sent(item.fact, message))) told.sent++
      return
    }
    item.reason = outcome.reason
    if (outcome.is === 'closed') return holdOff(outcome.reason)
    heardAgain()
    item.tries++
    if (outcome.is === 'refused' || item.tries >= MOST_TRIES) return giveUp(item, message, outcome.reason)
    item.notBefore = pauses.uptime() + pauseAfter(item.tries, LATER_PAUSE)
  }

  function holdOff(reason: string): void {
    if (stopping.signal.aborted) return
    const times = closed.times + 1
    closed = { until: pauses.uptime() + pauseAfter(times, CLOSED_PAUSE), times }
    if (times === 1) warn(`the ${words.taker} takes no ${words.many}, they wait: ${reason}`)
  }
  function heardAgain(): void {
    if (closed.times > 0) warn(`the ${words.taker} takes ${words.many} again`)
    closed = { until: 0, times: 0 }
  }
  async function giveUp(item: Waiting, message: M, reason: string): Promise<void> {
    if (!(await tell(item, channel.failed(item.fact, message, reason)))) return
    told.failed++
    warn(`${words.one} ${message.id} (${message.kind}) is given up: ${reason}`)
  }

  /** Tells what became of a message, as often as it takes; false where the house stops before it could. */
  async function tell(item: Waiting, ending: Ending): Promise<boolean> {
    const fact = { ...ending, at: clock.now(), companyId: item.fact.companyId } as NewFact
    for (;;) {
      try {
        await log.append(channel.name, [fact], { idempotencyKey: `${channel.name}-${item.fact.seq}` })
        waiting.done(item)
        return true
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error
        if (stopping.signal.aborted) return false
        await pauses.sleep(STORE_RETRY_MS, stopping.signal)
      }
    }
  }

  // a fault of ours must be seen, and must not take the house with it
  const working = work()
    .catch((error: unknown) => warn(`no ${words.many} are sent until the next start: ${String(error)}`))
    .finally(() => {
      isOver = true
      for (const resolve of settling.splice(0)) resolve()
    })

  return {
    async settled() {
      await readModels.settled(log.head())
      if (isResting || isOver) return
      await new Promise<void>((resolve) => settling.push(resolve))
    },
    stats: () => ({ ...told, waiting: waiting.size }),
    async stop() {
      if (stopping.signal.aborted) return working
      stopping.abort()
      const late = setTimeout(() => cutOff.abort(), LAST_MOMENT_MS)
      await working
      clearTimeout(late)
      // followed until here: what came while the last message left must wait for the next start
      unfollow()
      waiting.checkpoint(readModels.seq)
    },
  }
}
