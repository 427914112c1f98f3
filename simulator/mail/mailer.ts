import type { Clock } from '#machines/contracts/clock.ts'
import type { Fact, NewFact } from '#machines/contracts/facts.ts'
import { type Store, StoreUnavailable } from '../log/log.ts'
import type { ReadModels } from '../projecting/read-models.ts'
import type { Letter, Source } from './letter.ts'
import { letterOf } from './letters.ts'
import { type KeptMail, outboxOf } from './outbox.ts'
import { type Pauses, pauseAfter, realPauses } from './pauses.ts'
import type { Transport } from './transport.ts'
import { createWaiting, type Waiting } from './waiting.ts'

export type MailerOptions = {
  store: Pick<Store, 'log' | 'checkpoints'>
  readModels: ReadModels
  /** the house's: links run out by it */
  clock: Clock
  source: Omit<Source, 'directory'>
  transport: Transport
  /** for whoever runs the house */
  warn(message: string): void
  pauses?: Pauses
}

export type Mailer = {
  /** resolves when every letter that can leave now has left */
  settled(): Promise<void>
  /** letters kept instead of sent, newest first, of one addressee or of all */
  outbox(to?: string): Promise<KeptMail[]>
  /** since the start; `waiting`: now */
  stats(): { sent: number; failed: number; waiting: number }
  /** gives the letter on its way a moment, then cuts it short */
  stop(): Promise<void>
}

const STREAM = 'mail'
const CLOSED_PAUSE = { first: 5_000, most: 300_000 }
const LATER_PAUSE = { first: 30_000, most: 1_800_000 }
/** Two days of half hours; mail servers give up in four or five (RFC 5321, 4.5.4.1), people earlier. */
const MOST_TRIES = 100
const STORE_RETRY_MS = 1_000
/** A second under what a stopping house gives its requests. */
const LAST_MOMENT_MS = 2_000

/**
 * Follows the log and sends the letter of each fact that has one, one after the other. What became of it is a fact too,
 * so a start knows what is left to do: a letter leaves once in ordinary running, after a crash as well.
 *
 * Not in one case: the server took it (250) and the house died, or the line broke, before that was heard and told. Then
 * it leaves again, since losing it would be worse, with the same Message-ID, by which servers and readers may know it.
 */
export function startMailer(options: MailerOptions): Mailer {
  const { store, readModels, clock, transport, warn, pauses = realPauses } = options
  const { log } = store
  const source: Source = { ...options.source, directory: readModels.directory }
  const waiting = createWaiting(store)
  const told = { sent: 0, failed: 0 }
  const stopping = new AbortController()
  const cutOff = new AbortController()
  /** nobody takes letters until then (`uptime`), for the so manieth time */
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
    const letter = letterOf(item.fact, source)
    if (letter === undefined || letter.isWithdrawn) {
      waiting.done(item)
      return
    }
    if (letter.goodUntil <= clock.now()) {
      const because = item.reason === undefined ? '' : `; the last try: ${item.reason}`
      return giveUp(item, letter, `it was too late for it${because}`)
    }
    const outcome = await transport.deliver(letter, cutOff.signal)
    if (outcome.is === 'sent') {
      heardAgain()
      if (await tell(item, { type: 'mail.sent', data: { ...about(item, letter), via: transport.via } }))
        told.sent++
      return
    }
    item.reason = outcome.reason
    if (outcome.is === 'closed') return holdOff(outcome.reason)
    heardAgain()
    item.tries++
    if (outcome.is === 'refused' || item.tries >= MOST_TRIES) return giveUp(item, letter, outcome.reason)
    item.notBefore = pauses.uptime() + pauseAfter(item.tries, LATER_PAUSE)
  }

  function holdOff(reason: string): void {
    if (stopping.signal.aborted) return
    const times = closed.times + 1
    closed = { until: pauses.uptime() + pauseAfter(times, CLOSED_PAUSE), times }
    if (times === 1) warn(`the mail server takes no letters, they wait: ${reason}`)
  }
  function heardAgain(): void {
    if (closed.times > 0) warn('the mail server takes letters again')
    closed = { until: 0, times: 0 }
  }
  async function giveUp(item: Waiting, letter: Letter, reason: string): Promise<void> {
    if (!(await tell(item, { type: 'mail.failed', data: { ...about(item, letter), reason } }))) return
    told.failed++
    warn(`letter ${letter.id} (${letter.kind}) is given up: ${reason}`)
  }

  /** Tells what became of a letter, as often as it takes; false where the house stops before it could. */
  async function tell(
    item: Waiting,
    { type, data }: Pick<NewFact & { type: 'mail.sent' | 'mail.failed' }, 'type' | 'data'>,
  ): Promise<boolean> {
    const fact = { type, at: clock.now(), companyId: item.fact.companyId, data } as NewFact
    for (;;) {
      try {
        await log.append(STREAM, [fact], { idempotencyKey: `mail-${item.fact.seq}` })
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
    .catch((error: unknown) => warn(`no letters are sent until the next start: ${String(error)}`))
    .finally(() => {
      isOver = true
      for (const resolve of settling.splice(0)) resolve()
    })

  async function settled(): Promise<void> {
    await readModels.settled(log.head())
    if (isResting || isOver) return
    await new Promise<void>((resolve) => settling.push(resolve))
  }

  return {
    settled,
    async outbox(to) {
      await settled()
      return outboxOf(log, source, to)
    },
    stats: () => ({ ...told, waiting: waiting.size }),
    async stop() {
      if (stopping.signal.aborted) return working
      stopping.abort()
      const late = setTimeout(() => cutOff.abort(), LAST_MOMENT_MS)
      await working
      clearTimeout(late)
      // followed until here: what came while the last letter left must wait for the next start
      unfollow()
      waiting.checkpoint(readModels.seq)
    },
  }
}

const about = ({ fact }: { fact: Fact }, { id, kind, to, subject }: Letter) => ({
  letterId: id,
  about: fact.seq,
  kind,
  to: to.address,
  subject,
})
