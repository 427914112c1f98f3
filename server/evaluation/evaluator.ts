import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '#machines/contracts/clock.ts'
import type { Fact, FactType, NewFact } from '#machines/contracts/facts.ts'
import { foldTold, TOLD_FACTS, type ToldOfDevices } from '#machines/projections/episodes.ts'
import { factsBetween, followLog, type LogFollower, untilStored } from '../store/log-follower.ts'
import { isDamage } from '../store/postgres/failures.ts'
import { type LogRecord, type Store, StoreUnavailable } from '../store/store.ts'
import { evaluateBack, evaluateLate, type KnownPast, lateToldBefore } from './evaluate-late.ts'
import { dueMarks, type FailedMarks, markLate } from './late-marks.ts'
import { emptyLimitsTable, LIMITS_FACTS, type LimitsTable } from './limits.ts'
import { changeLimits, type PastLimits } from './past-limits.ts'
import {
  deviceRetired,
  emptyRuleState,
  evaluateReadings,
  evaluateSilence,
  type KeptSince,
  keptByServer,
  limitsChanged,
  type OnFailure,
  type RuleState,
  statusPublished,
  trackerReplaced,
} from './rule-state.ts'
import { restoreRuleState, saveRuleState } from './saved-rule-state.ts'

export type EvaluatorOptions = {
  store: Pick<Store, 'log' | 'checkpoints'> & { telemetry: Pick<Store['telemetry'], 'packed'> }
  clock: Clock
  /** readings before this time, epoch ms, are of before the record and stay as they were evaluated (0) */
  recordFrom?: number
  /** as long as a server keeps them */
  keptSince?: KeptSince | undefined
  /** whether no reading is on its way to the log: only then silence is evaluated by the clock alone */
  isQuiet: () => boolean
  /** how often silence is evaluated; how often a checkpoint is saved and what failed is tried again; real ms (1,000 and 60,000) */
  tickMs?: number
  checkpointMs?: number
  /** for operators */
  warn?: (message: string) => void
}

export type Evaluator = {
  /** all up to here is evaluated, and its facts are stored */
  readonly seq: number
  /** devices that cannot be evaluated now: nothing is told of them. Operators were told which */
  readonly failing: number
  /** resolves when all up to there is, or the evaluator has stopped */
  settled(seq: number): Promise<void>
  /**
   * Looks for silent devices now, unless readings are on their way, and evaluates late readings that are due in their place.
   * Resolves when what is otherwise for it is stored.
   */
  tick(): Promise<void>
  /**
   * Evaluates devices that were beyond a limit when the record began from where that began, one after the other: `devices`, or
   * those that were told to be. What it tells is told once, however often it is called.
   */
  lookBack(past: KnownPast, devices?: Iterable<number>): Promise<void>
  checkpoint(): void
  /** finishes the step it is at, and saves where it is */
  stop(): Promise<void>
}

const STREAM = 'judge'
export const EVALUATOR_CHECKPOINT = 'judge'
const RECORDS_A_STEP = 50
const PUBLISHED: FactType[] = [
  'violation.opened',
  'violation.cleared',
  'device-status.changed',
  'sensor.unplugged',
  'sensor.plugged-in',
]
/** Evaluating late readings takes the part 1 / (1 + this) of the time, so that what is received now is not held up. */
const RESTS = 3
const MOST_REST_MS = 100
const SLICE_MS = 6

type Saved = { seq: number; table: LimitsTable; past: PastLimits; ruleState: RuleState }

type Evaluation = Omit<Saved, 'seq'> & {
  readonly options: EvaluatorOptions
  readonly follower: LogFollower
  readonly stopping: AbortController
  /** facts stored after the checkpoint, which come up again until the follower is past `known` */
  published: Set<string>
  readonly known: number
  /** appends the store has not taken */
  unstored: number
  /** what the log refused, in its order; it is appended again with each checkpoint */
  readonly refused: Set<Refused>
  savedAt: number
  /** what was told of each device; read when it is needed first, and kept up from then on */
  told: ToldOfDevices | undefined
  /** devices whose late readings are evaluated, but what that tells is not stored yet */
  lateUnstored: Set<number>
  /** late readings that cannot be evaluated; they stay marked */
  readonly lateFailed: FailedMarks
  /** devices that cannot be evaluated */
  readonly failing: Set<number>
  /** why the last step of a kind could not be taken, as operators were told */
  readonly faults: Map<Step, string>
  workingOff: Promise<void> | undefined
  looking: Promise<void> | undefined
  /** steps are taken one after the other: each depends on those before */
  turn: Promise<void>
}

type Step = 'follow' | 'ask' | 'look for silence' | 'evaluate late' | 'append' | 'append again' | 'checkpoint'

/** Facts about one device, stored all or none. `isLate`: nothing late of it is evaluated before they are. */
type Refused = { no: number | undefined; facts: NewFact[]; key: string | undefined; isLate: boolean }

/**
 * Follows the log behind the acknowledgement and publishes as facts what the readings mean. All facts are a function of
 * the record, so those stored before a crash are recognized when they come up again, and not stored twice.
 */
export async function startEvaluator(options: EvaluatorOptions): Promise<Evaluator> {
  const { store, tickMs = 1_000, checkpointMs = 60_000 } = options
  const { seq, ...saved } = restore(store)
  const evaluation: Evaluation = {
    ...saved,
    options,
    follower: followLog(store.log, { after: seq, recordsAStep: RECORDS_A_STEP }),
    stopping: new AbortController(),
    published: new Set(factsBetween(store.log, PUBLISHED, { after: seq }).map(identity)),
    known: store.log.head(),
    unstored: 0,
    refused: new Set(),
    savedAt: seq,
    told: undefined,
    lateUnstored: new Set(),
    lateFailed: new Map(),
    failing: new Set(),
    faults: new Map(),
    workingOff: undefined,
    looking: undefined,
    turn: Promise.resolve(),
  }
  const { follower } = evaluation
  await inTurn(evaluation, 'follow', catchUp)
  const unfollow = store.log.onCommit(() => void inTurn(evaluation, 'follow', catchUp))
  const look = async (): Promise<void> => {
    await inTurn(evaluation, 'follow', catchUp)
    await lookForSilence(evaluation)
    await workOffLate(evaluation)
  }
  const ticking = setInterval(() => void look(), tickMs).unref()
  const saving = setInterval(() => {
    void inTurn(evaluation, 'append again', appendAgain)
    void inTurn(evaluation, 'checkpoint', checkpoint)
    // it may be something that passed
    evaluation.lateFailed.clear()
  }, checkpointMs).unref()

  return {
    get seq() {
      return follower.seq
    },
    get failing() {
      return evaluation.failing.size
    },
    settled: follower.settled,
    tick: look,
    lookBack: (past, devices) => lookBack(evaluation, past, devices),
    checkpoint: () => checkpoint(evaluation),
    async stop() {
      clearInterval(ticking)
      clearInterval(saving)
      unfollow()
      evaluation.stopping.abort()
      await evaluation.workingOff
      await evaluation.turn
      checkpoint(evaluation)
      follower.stop()
    },
  }
}

/** A step that cannot be taken, as the log cannot be read say, is taken again with the next look. */
function inTurn(
  evaluation: Evaluation,
  step: Step,
  work: (evaluation: Evaluation) => void | Promise<void>,
): Promise<void> {
  evaluation.turn = evaluation.turn.then(() => attempt(evaluation, step, work))
  return evaluation.turn
}

async function attempt(
  evaluation: Evaluation,
  step: Step,
  work: (evaluation: Evaluation) => void | Promise<void>,
): Promise<void> {
  try {
    await work(evaluation)
    evaluation.faults.delete(step)
  } catch (error) {
    tellFault(evaluation, step, error)
  }
}

/** Told once, until the step can be taken. */
function tellFault({ faults, options, stopping }: Evaluation, step: Step, error: unknown): void {
  if (stopping.signal.aborted) return
  const fault = String(error)
  if (faults.get(step) !== fault) options.warn?.(`evaluation cannot go on, retrying: ${fault}`)
  faults.set(step, fault)
}

/** A device cannot be evaluated: told once, until it can. */
const failed =
  ({ failing, options, table }: Evaluation): OnFailure =>
  (no, error) => {
    if (!failing.has(no))
      options.warn?.(
        `device ${table.imeis[no]} cannot be evaluated, retrying when its readings have settled: ${String(error)}`,
      )
    failing.add(no)
  }

async function catchUp(evaluation: Evaluation): Promise<void> {
  const { follower, stopping } = evaluation
  if (stopping.signal.aborted) return
  for (const records of follower.steps()) {
    await Promise.all(
      records.map((record) => publish(evaluation, evaluate(evaluation, record), `judge-${record.seq}`)),
    )
    if (evaluation.unstored > 0) return
    follower.reached(records.at(-1)?.seq ?? follower.seq)
    if (follower.seq >= evaluation.known) evaluation.published.clear()
    if (stopping.signal.aborted) return
  }
}

function evaluate(evaluation: Evaluation, record: LogRecord): NewFact[] {
  const { ruleState, table, past, options } = evaluation
  const { keptSince } = options
  if (record.kind === 'readings')
    return evaluateReadings(ruleState, table, record.readings, record, past, failed(evaluation), keptSince)
  try {
    return evaluateFact(evaluation, record)
  } catch (error) {
    const { seq, fact } = record
    options.warn?.(
      `fact ${seq} (${fact.type}) is left out of what is evaluated until the next start: ${String(error)}`,
    )
    return []
  }
}

function evaluateFact(
  { ruleState, table, past, told, known, failing }: Evaluation,
  record: LogRecord & { kind: 'fact' },
): NewFact[] {
  const { fact } = record
  limitsChanged(ruleState, changeLimits(table, past, fact), fact.at)
  if (told !== undefined) foldTold(told, fact)
  // silence found by the clock alone is not in the readings: it is taken from its fact
  if (fact.type === 'device-status.changed') statusPublished(ruleState, table, fact)
  const isLate = fact.type === 'violation.found-late' || fact.type === 'violation.revised'
  if (isLate && record.seq <= known) lateToldBefore(ruleState, table, fact)
  if (fact.type === 'device.tracker-replaced') trackerReplaced(ruleState, fact)
  if (fact.type !== 'device.retired') return []
  failing.delete(fact.data.no)
  return deviceRetired(ruleState, table, fact.data.no, fact.at)
}

/** Stores facts that are not stored yet. While the store cannot write, no later step is taken. */
async function publish(evaluation: Evaluation, facts: NewFact[], idempotencyKey?: string): Promise<void> {
  const { published } = evaluation
  const unsaid = published.size === 0 ? facts : facts.filter((fact) => !published.has(identity(fact)))
  const news = evaluation.refused.size === 0 ? unsaid : unsaid.filter((fact) => !waits(evaluation, fact))
  if (news.length === 0) return
  evaluation.unstored++
  const stored = await append(evaluation, news, idempotencyKey).catch(() =>
    appendEach(evaluation, news, idempotencyKey),
  )
  if (stored === undefined) return
  evaluation.unstored--
  if (evaluation.told) for (const fact of stored) foldTold(evaluation.told, fact)
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
        tellFault(evaluation, 'append', error)
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

/** Has what a device is now stored after what it was before: it waits for that where that was refused. */
function waits(evaluation: Evaluation, fact: NewFact): boolean {
  const { refused } = evaluation
  if (refused.size === 0 || fact.type.startsWith('violation.')) return false
  const no = deviceOf(evaluation, fact)
  const isBehind = refused.values().some((one) => one.no === no && !one.isLate)
  if (isBehind) refused.add({ no, facts: [fact], key: undefined, isLate: false })
  return isBehind
}

/** What the log refused may be stored now: the error may have been one that passed. */
async function appendAgain(evaluation: Evaluation): Promise<void> {
  const { refused, lateUnstored, told } = evaluation
  const stuck = new Set<number | undefined>()
  for (const one of refused) {
    if (stuck.has(one.no)) continue
    const stored = await append(evaluation, one.facts, one.key).catch(() => undefined)
    if (stored === undefined) {
      stuck.add(one.no)
      continue
    }
    refused.delete(one)
    if (told) for (const fact of stored) foldTold(told, fact)
    if (one.no === undefined) continue
    if (one.isLate) lateUnstored.delete(one.no)
    if (!evaluation.ruleState.late.has(one.no)) recovered(evaluation, one.no)
  }
}

/** What was told of a device is stored. */
function recovered({ failing, refused }: Evaluation, no: number): void {
  if (!refused.values().some((one) => one.no === no)) failing.delete(no)
}

/** Evaluates late readings that are due in their place, one device after the other, with rests between. */
function workOffLate(evaluation: Evaluation): Promise<void> {
  evaluation.workingOff ??= attempt(evaluation, 'evaluate late', workOff).finally(() => {
    evaluation.workingOff = undefined
  })
  return evaluation.workingOff
}

async function workOff(evaluation: Evaluation): Promise<void> {
  const { ruleState, stopping, follower, known, lateFailed } = evaluation
  const { signal } = stopping
  // what was told before a restart has to come up first
  if (signal.aborted || ruleState.late.size === 0 || follower.seq < known) return
  const due = dueMarks(ruleState.late, lateFailed, nowReceived(evaluation))
  if (due.length === 0) return
  await readTold(evaluation)
  const storing: Promise<void>[] = []
  for (const no of due) {
    if (signal.aborted) break
    if (evaluation.lateUnstored.has(no)) continue
    const began = performance.now()
    await inTurn(evaluation, 'evaluate late', async () => {
      const facts = await evaluateDue(evaluation, no)
      if (facts) storing.push(publishLate(evaluation, no, facts))
    })
    await pause(Math.min(MOST_REST_MS, (performance.now() - began) * RESTS), undefined, { signal }).catch(
      () => {},
    )
  }
  await Promise.all(storing)
}

async function evaluateDue(evaluation: Evaluation, no: number): Promise<LateFacts | undefined> {
  const { ruleState, table, past, told, options, follower, lateFailed } = evaluation
  const mark = ruleState.late.get(no)
  if (mark === undefined || told === undefined) return undefined
  const { keptSince = keptByServer, clock } = options
  const { telemetry } = options.store
  const kept = keptSince(table.companyIds[no] as string, clock.now())
  const recordFrom = Math.max(options.recordFrom ?? 0, kept)
  const { fromSeq, toSeq } = mark
  const idempotencyKey = `late-${no}-${fromSeq}-${toSeq}`
  try {
    const late = { ruleState, table, past, told, telemetry, recordFrom }
    const facts = await evaluateLate(late, no, follower.seq)
    return { facts, idempotencyKey }
  } catch (error) {
    // the mark stays: it is due again with the next look, or where it cannot be read at all a minute later
    if (error instanceof StoreUnavailable) return undefined
    lateFailed.set(no, toSeq)
    failed(evaluation)(no, error)
    return undefined
  }
}

type LateFacts = { facts: NewFact[]; idempotencyKey: string }

/**
 * Stores what late readings of a device tell, all of it or nothing, without holding up what is evaluated meanwhile. What the log refuses
 * is appended again, and nothing late of the device evaluated before.
 */
async function publishLate(
  evaluation: Evaluation,
  no: number,
  { facts, idempotencyKey: key }: LateFacts,
): Promise<void> {
  const { told, lateUnstored, refused } = evaluation
  lateUnstored.add(no)
  try {
    const stored = facts.length === 0 ? [] : await append(evaluation, facts, key)
    if (stored === undefined) return
    if (told) for (const fact of stored) foldTold(told, fact)
    recovered(evaluation, no)
    lateUnstored.delete(no)
  } catch (error) {
    refused.add({ no, facts, key, isLate: true })
    failed(evaluation)(no, error)
  }
}

async function lookBack(evaluation: Evaluation, past: KnownPast, devices?: Iterable<number>): Promise<void> {
  const { stopping, follower, known } = evaluation
  const { signal } = stopping
  // what was told before a restart has to come up first
  await follower.settled(known)
  await readTold(evaluation)
  const storing: Promise<void>[] = []
  for (const no of devices ?? beyondAtBegin(evaluation)) {
    if (signal.aborted) break
    const began = performance.now()
    await inTurn(evaluation, 'evaluate late', async () => {
      const facts = await evaluateFromBegin(evaluation, no, past)
      storing.push(publishLate(evaluation, no, { facts, idempotencyKey: `past-${no}-${past.from}` }))
    })
    await pause(Math.min(MOST_REST_MS, (performance.now() - began) * RESTS), undefined, { signal }).catch(
      () => {},
    )
  }
  await Promise.all(storing)
}

/** Violations that begin no later than this after the record, ms, may have begun before it. */
const AT_BEGIN = 20 * 60_000

function beyondAtBegin({ told, table, options: { recordFrom = 0 } }: Evaluation): number[] {
  const devices: number[] = []
  for (const [imei, { episodes }] of told ?? []) {
    const no = table.numbers.get(imei)
    const isMeant = [...episodes.values()].some(
      ({ since }) => since >= recordFrom && since <= recordFrom + AT_BEGIN,
    )
    if (no !== undefined && isMeant) devices.push(no)
  }
  return devices
}

/** Nothing where it cannot be read: it is tried with the next start. */
async function evaluateFromBegin(evaluation: Evaluation, no: number, known: KnownPast): Promise<NewFact[]> {
  const { ruleState, table, past, told, options, follower, lateUnstored } = evaluation
  // late readings of it are evaluated first, or stored: it is as it was told when it is stable
  if (told === undefined || lateUnstored.has(no)) return []
  const { telemetry } = options.store
  const recordFrom = options.recordFrom ?? 0
  try {
    return await evaluateBack(
      { ruleState, table, past, told, telemetry, recordFrom },
      no,
      follower.seq,
      known,
    )
  } catch (error) {
    if (!(error instanceof StoreUnavailable))
      options.warn?.(
        `device ${table.imeis[no]} is not evaluated from before the record until the next start: ${String(error)}`,
      )
    return []
  }
}

/** How far received times got: by the clock while nothing is on its way. */
function nowReceived({ ruleState, options, follower }: Evaluation): number {
  const isQuiet = options.isQuiet() && options.store.log.head() === follower.seq
  return isQuiet ? options.clock.now() : ruleState.receivedAt
}

/** Reads from the log what was told of all devices; others get their turn meanwhile. */
async function readTold(evaluation: Evaluation): Promise<void> {
  if (evaluation.told !== undefined) return
  const { log } = evaluation.options.store
  const told: ToldOfDevices = new Map()
  let began = performance.now()
  let last = 0
  for (const fact of factsBetween(log, TOLD_FACTS, { after: 0 })) {
    foldTold(told, fact)
    last = fact.seq
    if (performance.now() - began < SLICE_MS) continue
    await nextTurn()
    began = performance.now()
  }
  // no turn of the event loop since the last look: what comes from here on is folded as it comes
  for (const fact of factsBetween(log, TOLD_FACTS, { after: last })) foldTold(told, fact)
  evaluation.told = told
}

/** One look at a time: the record may be long in answering. */
function lookForSilence(evaluation: Evaluation): Promise<void> {
  evaluation.looking ??= attempt(evaluation, 'ask', askForSilence).finally(() => {
    evaluation.looking = undefined
  })
  return evaluation.looking
}

/**
 * Whoever was held up leads no more, perhaps, or lacks what others took of the devices meanwhile: the record is asked first, while others
 * have their turn.
 */
async function askForSilence(evaluation: Evaluation): Promise<void> {
  if (!mayTellSilence(evaluation)) return
  await evaluation.options.store.log.caughtUp()
  if (!mayTellSilence(evaluation)) return
  await inTurn(evaluation, 'follow', catchUp)
  await inTurn(evaluation, 'look for silence', tellSilence)
}

const mayTellSilence = ({ stopping, options }: Evaluation): boolean =>
  !stopping.signal.aborted && options.isQuiet()

async function tellSilence(evaluation: Evaluation): Promise<void> {
  const { options, follower, ruleState, table } = evaluation
  if (mayTellSilence(evaluation) && options.store.log.head() === follower.seq)
    await publish(
      evaluation,
      evaluateSilence(ruleState, table, options.clock.now(), follower.seq, failed(evaluation)),
    )
}

function checkpoint(evaluation: Evaluation): void {
  const { options, follower, unstored, ruleState, table } = evaluation
  // facts that are not stored must come up again
  const isStored = unstored === 0 && evaluation.lateUnstored.size === 0 && evaluation.refused.size === 0
  if (evaluation.savedAt === follower.seq || !isStored) return
  const bytes = saveRuleState(ruleState, Math.min(table.devices.length, ruleState.devices))
  if (options.store.checkpoints.save(EVALUATOR_CHECKPOINT, follower.seq, bytes))
    evaluation.savedAt = follower.seq
}

/** Rule state as it was saved, and the limits as of then: those are few facts, and never deleted. */
function restore({ checkpoints, log }: EvaluatorOptions['store']): Saved {
  const table = emptyLimitsTable()
  const past: PastLimits = new Map()
  const saved = checkpoints.load(EVALUATOR_CHECKPOINT)
  const ruleState = saved && restoreRuleState(saved.bytes)
  if (saved === undefined || ruleState === undefined)
    return { seq: 0, table, past, ruleState: emptyRuleState() }
  for (const fact of factsBetween(log, LIMITS_FACTS, { after: 0, upTo: saved.seq }))
    changeLimits(table, past, fact)
  return { seq: saved.seq, table, past, ruleState }
}

function identity(fact: NewFact): string {
  const { data } = fact
  const what = 'violationId' in data ? data.violationId : 'imei' in data ? data.imei : ''
  return `${fact.type} ${what} ${fact.at} ${'to' in data ? data.to : ''}`
}
