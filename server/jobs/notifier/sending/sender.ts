import type { Clock } from '#machines/contracts/clock.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import type { ReadModels } from '../../../read-models/read-models.ts'
import { ownKey } from '../../../store/append-keys.ts'
import { untilStored } from '../../../store/log-follower.ts'
import type { Store } from '../../../store/store.ts'
import type { Channel, Ending, Message } from './channel.ts'
import { type Pauses, pauseAfter, realPauses } from './pauses.ts'
import { createWaiting, type Waiting, type WaitingMessages } from './waiting.ts'

export type SenderOptions = {
  store: Pick<Store, 'log' | 'checkpoints'>
  readModels: ReadModels
  /** the server's: messages expire by it */
  clock: Clock
  /** for operators */
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
/** Of a message on its way when the server stops; its requests have up to eight seconds before. */
const LAST_MOMENT_MS = 2_000
const CHECKPOINT_MS = 60_000

/** State of sending by one channel. */
type Sending<M extends Message> = {
  readonly channel: Channel<M>
  readonly options: SenderOptions
  readonly pauses: Pauses
  readonly waiting: WaitingMessages
  readonly total: { sent: number; failed: number }
  readonly stopping: AbortController
  /** cuts the message on its way short */
  readonly cutOff: AbortController
  /** the other side takes no messages until then (`uptime`); `times`: how often in a row it did not */
  closed: { until: number; times: number }
  /** how many it took or refused since the start */
  taken: number
  /** ends the present rest */
  nap: AbortController
  isResting: boolean
  isOver: boolean
  /** called when nothing can leave now */
  settling: (() => void)[]
  /** follows no more, and saves where it is; nothing before it follows */
  end(): void
}

/**
 * Follows the log and sends the message of each fact that has one, one after the other. What became of it is a fact too,
 * so a start knows what is left to do: a message leaves once in ordinary running, after a crash as well.
 *
 * One case excepted: the other side took it, and the server died or the line broke before its answer came and was stored.
 * Then it leaves again, since losing it would be worse, with the same id, by which servers and readers may know it.
 */
export function startSender<M extends Message>(channel: Channel<M>, options: SenderOptions): Sender {
  const { store, readModels, warn, pauses = realPauses } = options
  const sending: Sending<M> = {
    channel,
    options,
    pauses,
    waiting: createWaiting(store, channel),
    total: { sent: 0, failed: 0 },
    stopping: new AbortController(),
    cutOff: new AbortController(),
    closed: { until: 0, times: 0 },
    taken: 0,
    nap: new AbortController(),
    isResting: false,
    isOver: false,
    settling: [],
    end() {},
  }
  const { waiting, total, stopping, cutOff } = sending
  // a fault of the sender must be seen, and must not end the server
  const working = begin(sending)
    .then(() => work(sending))
    .catch((error: unknown) =>
      warn(`no ${channel.words.many} are sent until the next start: ${String(error)}`),
    )
    .finally(() => {
      sending.isOver = true
      settle(sending)
    })

  return {
    async settled() {
      await readModels.settled(store.log.head())
      if (sending.isResting || sending.isOver) return
      await new Promise<void>((resolve) => sending.settling.push(resolve))
    },
    stats: () => ({ ...total, waiting: waiting.size }),
    async stop() {
      if (stopping.signal.aborted) return working
      stopping.abort()
      const late = setTimeout(() => cutOff.abort(), LAST_MOMENT_MS)
      await working
      clearTimeout(late)
      // followed until here: what came while the last message left must wait for the next start
      sending.end()
    },
  }
}

/** Takes up what an earlier start left, then follows, and saves each minute where it is. */
async function begin<M extends Message>(sending: Sending<M>): Promise<void> {
  const { waiting, stopping, options } = sending
  const { readModels } = options
  const { seq } = readModels
  await waiting.restore(seq, stopping.signal)
  if (stopping.signal.aborted) return
  waiting.takeBetween(seq, readModels.seq)
  const save = () => waiting.checkpoint(readModels.seq)
  const unfollow = readModels.onAdvance(({ facts }) => {
    for (const fact of facts) waiting.take(fact)
    if (facts.length > 0) wake(sending)
  })
  const saving = setInterval(save, CHECKPOINT_MS).unref()
  save()
  sending.end = () => {
    clearInterval(saving)
    unfollow()
    save()
  }
}

async function work<M extends Message>(sending: Sending<M>): Promise<void> {
  const { stopping, pauses, waiting } = sending
  while (!stopping.signal.aborted) {
    const now = pauses.uptime()
    const next = waiting.next(now)
    if (next.due === undefined) await rest(sending, next.inMs)
    else if (sending.closed.until > now) await rest(sending, sending.closed.until - now)
    else await deliver(sending, next.due).catch((error: unknown) => passOver(sending, next.due, error))
  }
}

async function rest<M extends Message>(sending: Sending<M>, ms: number): Promise<void> {
  sending.isResting = true
  settle(sending)
  sending.nap = new AbortController()
  await sending.pauses.sleep(ms, AbortSignal.any([sending.nap.signal, sending.stopping.signal]))
  sending.isResting = false
}

function wake<M extends Message>(sending: Sending<M>): void {
  sending.isResting = false
  sending.nap.abort()
}

function settle<M extends Message>(sending: Sending<M>): void {
  for (const resolve of sending.settling.splice(0)) resolve()
}

async function deliver<M extends Message>(sending: Sending<M>, item: Waiting): Promise<void> {
  const { channel, options, pauses } = sending
  const message = channel.messageOf(item.fact)
  if (message === undefined || message.isWithdrawn) {
    sending.waiting.done(item)
    return
  }
  if (message.unreachable !== undefined) return giveUp(sending, item, message, message.unreachable)
  if (message.goodUntil <= options.clock.now()) {
    const because = item.reason === undefined ? '' : `; the last try: ${item.reason}`
    return giveUp(sending, item, message, `it was too late for it${because}`)
  }
  const outcome = await channel.deliver(message, sending.cutOff.signal)
  if (outcome.is === 'sent') {
    reopened(sending)
    if (await record(sending, item, channel.sent(item.fact, message))) sending.total.sent++
    return
  }
  item.reason = outcome.reason
  if (outcome.is !== 'closed') reopened(sending)
  else if (!isClosedTo(sending, item)) return holdOff(sending, outcome.reason)
  item.tries++
  if (outcome.is === 'refused' || item.tries >= MOST_TRIES)
    return giveUp(sending, item, message, outcome.reason)
  item.notBefore = pauses.uptime() + pauseAfter(item.tries, LATER_PAUSE)
}

/** Something went wrong with one message on this side: it waits for the next start, and the others leave. */
function passOver<M extends Message>({ channel, options }: Sending<M>, item: Waiting, error: unknown): void {
  item.notBefore = Number.POSITIVE_INFINITY
  const { seq, type } = item.fact
  options.warn(
    `the ${channel.words.one} of fact ${seq} (${type}) is not sent until the next start: ${String(error)}`,
  )
}

/** Whether the other side, which is closed, has taken others since it first was so at this message: then that is said of this one. */
function isClosedTo<M extends Message>({ taken }: Sending<M>, item: Waiting): boolean {
  item.closedAfter ??= taken
  return taken > item.closedAfter
}

/** The other side takes no messages: none is tried for a while, longer each time. */
function holdOff<M extends Message>(sending: Sending<M>, reason: string): void {
  const { stopping, pauses, options, channel } = sending
  if (stopping.signal.aborted) return
  const times = sending.closed.times + 1
  sending.closed = { until: pauses.uptime() + pauseAfter(times, CLOSED_PAUSE), times }
  const { taker, many } = channel.words
  if (times === 1) options.warn(`the ${taker} takes no ${many}, they wait: ${reason}`)
}

/** The other side took or refused a message: it takes messages. */
function reopened<M extends Message>(sending: Sending<M>): void {
  const { taker, many } = sending.channel.words
  sending.taken++
  if (sending.closed.times > 0) sending.options.warn(`the ${taker} takes ${many} again`)
  sending.closed = { until: 0, times: 0 }
}

async function giveUp<M extends Message>(
  sending: Sending<M>,
  item: Waiting,
  message: M,
  reason: string,
): Promise<void> {
  const { channel, options, total } = sending
  if (!(await record(sending, item, channel.failed(item.fact, message, reason)))) return
  total.failed++
  options.warn(`${channel.words.one} ${message.id} (${message.kind}) is given up: ${reason}`)
}

/**
 * Stores what became of a message; false where the sender stops before it could, or the log refuses such a fact. Then the message is
 * over all the same: whoever has it must not get it at each start.
 */
async function record<M extends Message>(
  sending: Sending<M>,
  item: Waiting,
  ending: Ending,
): Promise<boolean> {
  const { channel, options, stopping, pauses, waiting } = sending
  const { clock, store } = options
  const { seq, recordedAt, companyId } = item.fact
  const fact = { ...ending, at: clock.now(), companyId } as NewFact
  const idempotencyKey = ownKey(recordedAt, `${channel.name}-${seq}`)
  const append = () => store.log.append(channel.name, [fact], { idempotencyKey })
  const stored = await untilStored(append, stopping.signal, pauses).catch((error: unknown) => {
    options.warn(`what became of the ${channel.words.one} of fact ${seq} is not recorded: ${String(error)}`)
    return 'refused' as const
  })
  if (stored !== undefined) waiting.done(item)
  return stored !== undefined && stored !== 'refused'
}
