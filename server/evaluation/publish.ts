import type { Fact, NewFact } from '#machines/contracts/facts.ts'
import { foldPublished } from '#machines/projections/episodes.ts'
import { untilStored } from '../store/log-follower.ts'
import { isDamage } from '../store/postgres/failures.ts'
import { StoreUnavailable } from '../store/store.ts'
import { type Evaluation, failed, reportFault } from './evaluation.ts'
import { markLate } from './late-readings.ts'

const STREAM = 'judge'

/** Stores facts of one or more steps, each under its key, after what late readings said of the same devices. */
export async function publishAll(
  evaluation: Evaluation,
  steps: readonly { facts: NewFact[]; key?: string }[],
): Promise<void> {
  await lateStored(
    evaluation,
    steps.flatMap(({ facts }) => facts),
  )
  await Promise.all(steps.map(({ facts, key }) => publish(evaluation, facts, key)))
}

/** Stores facts that are not stored yet. While the store cannot write, no later step is taken. */
async function publish(evaluation: Evaluation, facts: NewFact[], idempotencyKey?: string): Promise<void> {
  const { republished } = evaluation
  const unsaid = republished.size === 0 ? facts : facts.filter((fact) => !republished.has(identity(fact)))
  const news = evaluation.refused.size === 0 ? unsaid : unsaid.filter((fact) => !waits(evaluation, fact))
  if (news.length === 0) return
  evaluation.unstored++
  const stored = await append(evaluation, news, idempotencyKey).catch(() =>
    appendEach(evaluation, news, idempotencyKey),
  )
  if (stored === undefined) return
  evaluation.unstored--
  if (evaluation.published) for (const fact of stored) foldPublished(evaluation.published, fact)
}

/**
 * Answers what is stored; undefined where the evaluator stops before. Rejects where the log refuses one of them; a damaged page of the
 * database is no fault of a fact.
 */
async function append(
  evaluation: Evaluation,
  facts: NewFact[],
  idempotencyKey: string | undefined,
): Promise<Fact[] | undefined> {
  const { options, stopping, faults } = evaluation
  const { signal } = stopping
  const work = () =>
    options.store.log
      .append(STREAM, facts, idempotencyKey === undefined ? {} : { idempotencyKey })
      .catch((error: unknown) => {
        if (!isDamage(error)) throw error
        reportFault(evaluation, 'append', error)
        throw new StoreUnavailable(error)
      })
  const stored = await untilStored(async () => !signal.aborted && work(), signal)
  faults.delete('append')
  return stored ? stored.facts : undefined
}

/** The log refuses one of several facts: the others are stored without it. */
async function appendEach(
  evaluation: Evaluation,
  facts: NewFact[],
  key: string | undefined,
): Promise<Fact[] | undefined> {
  const stored: Fact[] = []
  for (const fact of facts) {
    if (waits(evaluation, fact)) continue
    const own = key === undefined ? undefined : `${key} ${identity(fact)}`
    const one = await append(evaluation, [fact], own).catch((error: unknown) => {
      refused(evaluation, fact, own, error)
      return []
    })
    if (one === undefined) return undefined
    stored.push(...one)
  }
  return stored
}

/** A violation is found late, as its device is evaluated anew. Anything else, and all of a device without limits, is appended again. */
function refused(evaluation: Evaluation, fact: NewFact, key: string | undefined, error: unknown): void {
  const { ruleState, table, follower, options } = evaluation
  const { type, at, data } = fact
  const no = deviceOf(evaluation, fact)
  const isFoundLate = type.startsWith('violation.') && no !== undefined && table.devices[no] !== undefined
  if (isFoundLate)
    markLate(ruleState.late, no, 'since' in data ? data.since : at, ruleState.receivedAt, follower.seq)
  else evaluation.refused.add({ no, facts: [fact], key, isLate: false })
  const why = `${type} is not stored: ${String(error)}`
  if (no === undefined) options.warn?.(why)
  else failed(evaluation)(no, why)
}

const deviceOf = ({ table }: Evaluation, { data }: NewFact): number | undefined =>
  'imei' in data && typeof data.imei === 'string' ? table.numbers.get(data.imei) : undefined

/**
 * Has what a device is now stored after what it was before, and the end of a violation after what was found late of it: each waits where
 * that was refused.
 */
function waits(evaluation: Evaluation, fact: NewFact): boolean {
  const { refused } = evaluation
  const isEnd = fact.type === 'violation.cleared'
  if (refused.size === 0 || (fact.type.startsWith('violation.') && !isEnd)) return false
  const no = deviceOf(evaluation, fact)
  const isBehind = refused.values().some((one) => one.no === no && one.isLate === isEnd)
  if (isBehind) refused.add({ no, facts: [fact], key: undefined, isLate: false })
  return isBehind
}

/** What the log refused may be stored now: the error may have been one that passed. */
export async function appendAgain(evaluation: Evaluation): Promise<void> {
  const { refused, lateUnstored, published } = evaluation
  const stuck = new Set<number | undefined>()
  for (const one of refused) {
    if (stuck.has(one.no)) continue
    const stored = await append(evaluation, one.facts, one.key).catch(() => undefined)
    if (stored === undefined) {
      stuck.add(one.no)
      continue
    }
    refused.delete(one)
    if (published) for (const fact of stored) foldPublished(published, fact)
    if (one.no === undefined) continue
    if (one.isLate) lateUnstored.delete(one.no)
    if (!evaluation.ruleState.late.has(one.no)) recovered(evaluation, one.no)
  }
}

/** What was published of a device is stored. */
function recovered({ failing, refused }: Evaluation, no: number): void {
  if (!refused.values().some((one) => one.no === no)) failing.delete(no)
}

export type LateFacts = { facts: NewFact[]; idempotencyKey: string }

/**
 * Stores what late readings of a device tell, all of it or nothing, without holding up what is evaluated meanwhile. What the log refuses
 * is appended again, and nothing late of the device evaluated before.
 */
export async function publishLate(evaluation: Evaluation, no: number, late: LateFacts): Promise<void> {
  if (late.facts.length === 0) return recovered(evaluation, no)
  const storing = storeLate(evaluation, no, late)
  evaluation.lateUnstored.set(no, storing)
  return storing
}

/** Resolves when what late readings tell of the devices of these facts is stored: a violation ends after it was found. */
async function lateStored(evaluation: Evaluation, facts: NewFact[]): Promise<void> {
  const { lateUnstored } = evaluation
  if (lateUnstored.size === 0) return
  await Promise.all(facts.map((fact) => lateUnstored.get(deviceOf(evaluation, fact) ?? -1)))
}

async function storeLate(
  evaluation: Evaluation,
  no: number,
  { facts, idempotencyKey: key }: LateFacts,
): Promise<void> {
  const { published, lateUnstored, refused } = evaluation
  try {
    const stored = await append(evaluation, facts, key)
    if (stored === undefined) return
    if (published) for (const fact of stored) foldPublished(published, fact)
    recovered(evaluation, no)
    lateUnstored.delete(no)
  } catch (error) {
    refused.add({ no, facts, key, isLate: true })
    failed(evaluation)(no, error)
  }
}

/** What makes two facts the same one, published twice. */
export function identity(fact: NewFact): string {
  const { data } = fact
  const what = 'violationId' in data ? data.violationId : 'imei' in data ? data.imei : ''
  return `${fact.type} ${what} ${fact.at} ${'to' in data ? data.to : ''}`
}
