import { randomUUID } from 'node:crypto'
import { deserialize, serialize } from 'node:v8'
import type { Clock } from '#machines/contracts/clock.ts'
import type { Fact, FactOf, FactType, NewFact } from '#machines/contracts/facts.ts'
import type { AlertChannel } from '#machines/contracts/scalars.ts'
import type { ReadModels } from '../../../read-models/read-models.ts'
import { type Store, StoreUnavailable } from '../../../store/store.ts'
import { type Pauses, realPauses } from '../sending/pauses.ts'
import { concernedBy, isConcerned } from './concerned.ts'
import {
  type Digests,
  type Due,
  dueAt,
  emptyDigests,
  foldRaised,
  forgetQuiet,
  gather,
  nextAt,
} from './digests.ts'

export type AlertsOptions = {
  store: Pick<Store, 'log' | 'checkpoints'>
  readModels: ReadModels
  /** the house's: what is told when goes by it */
  clock: Clock
  /** whether a violation is the same again as one that somebody takes care of: nobody is told of that */
  isRepeat(violation: FactOf<'violation.opened'>): boolean
  /** for whoever runs the house */
  warn(message: string): void
  /** real ms between two looks at the clock (250), and between two savings (60,000) */
  lookMs?: number
  saveMs?: number
  pauses?: Pick<Pauses, 'sleep'>
}

export type Alerts = {
  /** resolves when everybody is told who is to be told now */
  settled(): Promise<void>
  /** alerts raised since the start, by channel; `waiting`: violations somebody is yet to be told of, each time counted */
  stats(): { raised: Record<AlertChannel, number>; waiting: number }
  /** saves where it is */
  stop(): Promise<void>
}

const STREAM = 'alerts'
const CHECKPOINT = { name: 'alerts', shape: 2 }
/** The same, but what is gathered by `seq` in a map. */
const SHAPE_WITH_MAPS = 1
/** Facts are kept for ever: who raises alerts holds back no telemetry. */
const NEEDS_NO_BATCHES = Number.MAX_SAFE_INTEGER
const TYPES: FactType[] = ['violation.opened', 'alert.raised']
/** What may change whom a violation concerns: saved behind each, so that after a crash those before are asked as then. */
const CHANGES_WHO = new Set<FactType>([
  'company.suspended',
  'company.resumed',
  'group.updated',
  'group.deleted',
  'user.created',
  'user.updated',
  'user.deleted',
  'user.password-set',
  'user.alerts-set',
  'device.updated',
])
const FACTS_A_STEP = 1000
const STORE_RETRY_MS = 1_000

/**
 * Follows the log and decides who is told of which violations, and when: a fact for each addressee, from which letters
 * and text messages are made. What is gathered and not told outlives the house: it is saved, and what came after that is
 * in the log. A house that never raised alerts begins with what opens from now on.
 */
export function startAlerts(options: AlertsOptions): Alerts {
  const { store, readModels, clock, isRepeat, warn, pauses = realPauses } = options
  const { lookMs = 250, saveMs = 60_000 } = options
  const { log } = store
  const { directory } = readModels
  const stopping = new AbortController()
  const raised: Record<AlertChannel, number> = { email: 0, sms: 0 }
  const { lines, from } = restore(store) ?? { lines: emptyDigests(), from: readModels.seq }
  let folded = from
  /** when somebody is to be told next; undefined: to be looked up */
  let next: number | undefined

  function take(fact: Fact): void {
    if (fact.type === 'alert.raised') foldRaised(lines, fact)
    else if (fact.type === 'violation.opened' && !isRepeat(fact))
      gather(lines, concernedBy(directory, fact.data), fact)
    else return
    next = undefined
  }
  function readOn(): void {
    while (folded < readModels.seq) {
      const facts = log.readFacts(folded, { types: TYPES, limit: FACTS_A_STEP })
      for (const fact of facts) if (fact.seq <= readModels.seq) take(fact)
      folded = facts.length < FACTS_A_STEP ? readModels.seq : Math.min(readModels.seq, facts.at(-1)?.seq ?? 0)
    }
  }

  let working: Promise<void> | undefined
  function look(): void {
    next ??= nextAt(lines)
    if (next > clock.now() || stopping.signal.aborted) return
    // a fault of ours must be seen, and must not take the house with it
    working ??= raiseDue()
      .catch((error: unknown) => {
        warn(`nobody is alerted until the next start: ${String(error)}`)
        stopping.abort()
      })
      .finally(() => {
        working = undefined
      })
  }

  async function raiseDue(): Promise<void> {
    while (!stopping.signal.aborted) {
      const now = clock.now()
      const due = dueAt(lines, now, (to, violation) => isConcerned(directory, to, violation))
      next = undefined
      if (due.length === 0) return
      // each by itself: the store commits in groups
      const told = await Promise.all(due.map((each) => raise(each, now)))
      await readModels.settled(Math.max(...told))
    }
  }

  /** Tells it, as often as it takes. @returns up to where the log holds it; 0 where the house stops before it could */
  async function raise({ userId, channel, about, quietSeconds }: Due, at: number): Promise<number> {
    const data = { alertId: randomUUID(), userId, channel, about, quietSeconds }
    const companyId = directory.users.get(userId)?.companyId ?? null
    const fact: NewFact = { type: 'alert.raised', at, companyId, data }
    // a violation is told once to each and by each channel, so its first one names an alert
    const idempotencyKey = `alert-${userId}-${channel}-${about[0]}`
    while (!stopping.signal.aborted) {
      try {
        const { facts, repeated } = await log.append(STREAM, [fact], { idempotencyKey })
        if (!repeated) raised[channel]++
        return facts.at(-1)?.seq ?? 0
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error
        await pauses.sleep(STORE_RETRY_MS, stopping.signal)
      }
    }
    return 0
  }

  function save(): void {
    forgetQuiet(lines, clock.now())
    const bytes = serialize({ shape: CHECKPOINT.shape, folded, lines })
    store.checkpoints.save(CHECKPOINT.name, NEEDS_NO_BATCHES, bytes)
  }

  readOn()
  save()
  const unfollow = readModels.onAdvance(({ facts, to }) => {
    for (const fact of facts) take(fact)
    folded = to
    if (facts.some(({ type }) => CHANGES_WHO.has(type))) save()
    look()
  })
  // the clock may run, or be moved on, while nothing comes
  const looking = setInterval(look, lookMs)
  const saving = setInterval(save, saveMs)
  looking.unref()
  saving.unref()
  look()

  return {
    async settled() {
      await readModels.settled(log.head())
      for (;;) {
        look()
        if (working === undefined) return
        await working
      }
    },
    stats() {
      let waiting = 0
      for (const { gathered } of lines.values()) waiting += gathered.length
      return { raised: { ...raised }, waiting }
    },
    async stop() {
      clearInterval(looking)
      clearInterval(saving)
      stopping.abort()
      await working
      unfollow()
      save()
    },
  }
}

function restore({ checkpoints }: Pick<Store, 'checkpoints'>): { lines: Digests; from: number } | undefined {
  const saved = checkpoints.load(CHECKPOINT.name)
  if (saved === undefined) return undefined
  const { shape, folded, lines } = deserialize(saved.bytes)
  if (shape === SHAPE_WITH_MAPS)
    for (const line of lines.values()) line.gathered = [...line.gathered.values()]
  else if (shape !== CHECKPOINT.shape) return undefined
  return { lines, from: folded }
}
