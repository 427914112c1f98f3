import type { Clock } from '#machines/contracts/clock.ts'
import type { FactData, NewFact } from '#machines/contracts/facts.ts'
import { type EventLog, unlessUnavailable } from '../store/store.ts'

export type Source = FactData<'reading.quarantined'>['source']

/** Something that was refused for good. `imei`, `companyId` null where the sender is not known. */
export type Suspect = {
  imei: string | null
  companyId: string | null
  source: Source
  reason: string
  detail: string
}

/** Reasons that anybody can cause with any IMEI: their facts name none, or each stranger would leave one for ever. */
const NAMELESS = new Set(['unknown device', 'device is retired', 'tracker was replaced'])

/** Counts what is refused, and publishes it without letting one broken sender fill the log. */
export type Quarantine = {
  add(suspect: Suspect): void
  /** called with each of them as it is refused */
  onRefused(listener: (suspect: Suspect) => void): void
  /** by reason, since the start */
  readonly counts: ReadonlyMap<string, number>
  /** publishes what is counted and not published yet */
  stop(): Promise<void>
}

const INTERVAL = 60_000
/**
 * Senders are strangers and may say another name each time. Beyond so many pairs of device and reason a minute, of one company or
 * of nobody, and of all, the others are published without the device.
 */
const MOST_OF_COMPANY = 1_000
const MOST_PAIRS = 5_000
const SWEEP_EVERY = 5_000
const STREAM = 'quarantine'

const keyOf = ({ companyId, imei, source, reason }: Suspect): string =>
  `${companyId ?? ''} ${imei ?? ''} ${source} ${reason}`

type Pair = { suspect: Suspect; publishedAt: number; unpublished: number }

/** The first of a device and reason is published at once, then at most one fact a minute with how many there were. */
export function createQuarantine(
  log: Pick<EventLog, 'append'>,
  clock: Clock,
  warn: (message: string) => void = () => {},
): Quarantine {
  const pairs = new Map<string, Pair>()
  const pairsOf = new Map<string | null, number>()
  const counts = new Map<string, number>()
  const listeners: ((suspect: Suspect) => void)[] = []
  let published: Promise<unknown> = Promise.resolve()

  const countPairs = ({ companyId }: Suspect, change: 1 | -1): void => {
    const count = (pairsOf.get(companyId) ?? 0) + change
    if (count === 0) pairsOf.delete(companyId)
    else pairsOf.set(companyId, count)
  }
  const hasRoom = ({ companyId }: Suspect): boolean =>
    pairs.size < MOST_PAIRS && (pairsOf.get(companyId) ?? 0) < MOST_OF_COMPANY
  const publish = (pair: Pair): void => {
    const { imei, companyId, source, reason, detail } = pair.suspect
    const at = clock.now()
    const fact: NewFact = {
      type: 'reading.quarantined',
      at,
      companyId,
      data: { imei, source, reason, detail: detail.slice(0, 500), count: pair.unpublished },
    }
    pair.publishedAt = at
    pair.unpublished = 0
    // counted in any case
    const append = log
      .append(STREAM, [fact])
      .catch(
        unlessUnavailable((error) => warn(`what was refused (${reason}) is not recorded: ${String(error)}`)),
      )
    published = Promise.all([published, append])
  }
  const sweep = (): void => {
    const now = clock.now()
    for (const [key, pair] of pairs) {
      if (now - pair.publishedAt < INTERVAL) continue
      if (pair.unpublished > 0) publish(pair)
      else {
        pairs.delete(key)
        countPairs(pair.suspect, -1)
      }
    }
  }
  const timer = setInterval(sweep, SWEEP_EVERY)
  timer.unref()

  return {
    counts,
    onRefused(listener) {
      listeners.push(listener)
    },
    add(suspect) {
      for (const listener of listeners) listener(suspect)
      counts.set(suspect.reason, (counts.get(suspect.reason) ?? 0) + 1)
      const named = NAMELESS.has(suspect.reason) ? { ...suspect, imei: null, detail: '' } : suspect
      const about = pairs.has(keyOf(named)) || hasRoom(named) ? named : { ...named, imei: null }
      const key = keyOf(about)
      let pair = pairs.get(key)
      if (pair === undefined) {
        pair = { suspect: about, publishedAt: Number.NEGATIVE_INFINITY, unpublished: 0 }
        pairs.set(key, pair)
        countPairs(about, 1)
      }
      pair.suspect = about
      pair.unpublished++
      if (clock.now() - pair.publishedAt >= INTERVAL) publish(pair)
    },
    async stop() {
      clearInterval(timer)
      for (const pair of pairs.values()) if (pair.unpublished > 0) publish(pair)
      await published
    },
  }
}
