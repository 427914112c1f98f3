import { setImmediate as breath } from 'node:timers/promises'
import type { Notification } from '#machines/contracts/entities/notifications.ts'
import type { Fact } from '#machines/contracts/facts.ts'
import { type Attention, emptyAttention, evolveAttention } from '#machines/projections/attention.ts'
import type { Latest } from '#machines/projections/latest.ts'
import { endOf } from '#machines/projections/violations.ts'
import { shelvingStream } from '../../commands/notifications/shelve.ts'
import { type Cut, isKnownAt } from '../../read-models/cut.ts'
import type { Past } from '../../read-models/fleet-at.ts'
import { beginningOf, isViolationFact, notificationOf } from '../../read-models/notification-of.ts'
import type { ReadModels } from '../../read-models/read-models.ts'
import { factsInBreaths } from '../../store/log-follower.ts'
import type { EventLog } from '../../store/store.ts'

const MINUTE = 60_000
/** Folded, or looked for, at once. */
export const FACTS_A_BREATH = 200

type Deps = { store: { log: EventLog }; readModels: Pick<ReadModels, 'attention' | 'latest'> }

/** Notifications as they were as of a time. @param published the facts that published them */
export async function notificationsAt(
  deps: Deps & { past: Past },
  published: readonly Fact[],
  cut: Cut,
): Promise<Notification[]> {
  const attention = await attentionAt(deps, published, cut)
  const notificationsOf = (latest: Latest): Notification[] =>
    published.flatMap((fact) => {
      const entry = notificationOf(fact, { directory: cut.directory, latest, attention })
      return entry === undefined ? [] : [upTo(entry, fact, attention, cut)]
    })
  // records of earlier releases do not say where it happened: where the device was then stands for it
  if (published.every(({ data }) => 'lat' in data)) return notificationsOf(deps.readModels.latest)
  return (
    (await deps.past.at(Math.floor(cut.at / MINUTE), 'then', ({ latest }) => notificationsOf(latest))) ?? []
  )
}

/** What is known now ends at that time, and stands where it came about. */
function upTo(entry: Notification, fact: Fact, { violations }: Attention, { view, at }: Cut): Notification {
  if (view === 'then' || !isViolationFact(fact)) return entry
  const createdAt = new Date(beginningOf(fact, violations).openedAt).toISOString()
  const isOver = entry.clearedAt !== null && Date.parse(entry.clearedAt) <= at
  if (isOver) return { ...entry, createdAt }
  // it lasted then, whatever ended it since
  return { ...entry, createdAt, clearedAt: null, holder: entry.holder ?? null }
}

/**
 * What became of a few notifications as of a time, and what people made of them: folded of what the record says of these alone, as
 * all of it may be millions of facts; with a breath after some hundred of them.
 * @param beside further facts that say something of them
 */
export async function attentionAt(
  { store: { log }, readModels }: Deps,
  published: readonly Fact[],
  cut: Cut,
  beside: readonly Fact[] = [],
): Promise<Attention> {
  const { violations } = readModels.attention
  const facts = new Map<number, Fact>()
  const add = (fact: Fact | undefined): void => {
    if (fact !== undefined && isKnownAt(cut, fact)) facts.set(fact.seq, fact)
  }
  for (const fact of beside) add(fact)
  const revised = new Set<string>()
  const read = new Set<string>()
  for (const [n, fact] of published.entries()) {
    if (n % FACTS_A_BREATH === FACTS_A_BREATH - 1) await breath()
    // found late, it is published after that time, and is of before
    facts.set(fact.seq, fact)
    for (const stream of streamsAbout(fact)) {
      if (read.has(stream)) continue
      read.add(stream)
      for (const one of log.readStream(stream)) add(one)
    }
    if (!isViolationFact(fact)) continue
    const end = endOf(violations, { seq: fact.seq })
    if (end !== undefined) add(factAt(log, end.seq))
    const { violationId } = fact.data
    const known = violations.revised.get(violationId)
    if (known === undefined) continue
    revised.add(violationId)
    // what cleared it afterwards, or what revised it
    add(factAt(log, known.seq))
  }
  for await (const fact of revisionsOf(log, revised, published, cut)) add(fact)
  for await (const one of sinceLost(log, published, facts, cut)) add(one)
  const attention = emptyAttention()
  for (const [n, seq] of [...facts.keys()].sort((a, b) => a - b).entries()) {
    if (n % FACTS_A_BREATH === FACTS_A_BREATH - 1) await breath()
    evolveAttention(attention, cut.directory, facts.get(seq) as Fact)
  }
  // whether it repeats another is said when it opens
  for (const { data } of published.filter(isViolationFact)) {
    const repeated = violations.repeats.get(data.violationId)
    if (repeated !== undefined) attention.violations.repeats.set(data.violationId, repeated)
  }
  return attention
}

const streamsAbout = ({ id, data }: Fact): string[] => {
  const imei = 'imei' in data ? data.imei : null
  return [
    `notification-${id}`,
    ...(typeof imei === 'string' ? [shelvingStream(imei), `passenger-${imei}`] : []),
  ]
}

async function* revisionsOf(
  log: EventLog,
  ids: ReadonlySet<string>,
  published: readonly Fact[],
  cut: Cut,
): AsyncGenerator<Fact> {
  if (ids.size === 0) return
  const after = Math.min(...published.map(({ seq }) => seq))
  const range = { after, ...(cut.view === 'then' && { upTo: cut.seq }) }
  for await (const fact of factsInBreaths(log, ['violation.revised'], range))
    if (ids.has(fact.data.violationId)) yield fact
}

/** Of devices whose loss was silenced: what they were since, as that is said for as long as they are lost. Read once for all of them. */
async function* sinceLost(
  log: EventLog,
  published: readonly Fact[],
  facts: ReadonlyMap<number, Fact>,
  cut: Cut,
): AsyncGenerator<Fact> {
  const shelved = new Set<string>()
  for (const { type, data } of facts.values())
    if (type === 'violation.shelved' && data.type === 'offline') shelved.add(data.imei)
  /** by device: the first that published it as lost */
  const lostBy = new Map<string, number>()
  for (const { seq, type, data } of published)
    if (type === 'device-status.changed' && shelved.has(data.imei))
      lostBy.set(data.imei, Math.min(seq, lostBy.get(data.imei) ?? seq))
  if (lostBy.size === 0) return
  const after = Math.min(...lostBy.values())
  for await (const fact of factsInBreaths(log, ['device-status.changed'], { after, upTo: cut.seq }))
    if (fact.seq > (lostBy.get(fact.data.imei) ?? fact.seq)) yield fact
}

/** Undefined: this entry of the record is no fact, or there is none. */
export function factAt(log: EventLog, seq: number): Fact | undefined {
  const [fact] = log.readFacts(seq - 1, { limit: 1 })
  return fact?.seq === seq ? fact : undefined
}
