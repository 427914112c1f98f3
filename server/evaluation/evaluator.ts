import type { FactType, NewFact } from '#machines/contracts/facts.ts'
import { foldPublished } from '#machines/projections/episodes.ts'
import { ownKey } from '../store/append-keys.ts'
import { factsBetween, followLog } from '../store/log-follower.ts'
import type { LogRecord } from '../store/store.ts'
import { type KnownPast, latePublishedBefore } from './evaluate-late.ts'
import { attempt, type Evaluation, type EvaluatorOptions, failed, inTurn, type Saved } from './evaluation.ts'
import { emptyLimitsTable, LIMITS_FACTS } from './limits.ts'
import { changeLimits, type PastLimits } from './past-limits.ts'
import { appendAgain, identity, publishAll } from './publish.ts'
import { saveOldPublished } from './read-published.ts'
import {
  deviceRetired,
  emptyRuleState,
  evaluateReadings,
  evaluateSilence,
  limitsChanged,
  statusPublished,
  trackerReplaced,
} from './rule-state.ts'
import { restoreRuleState, saveRuleState } from './saved-rule-state.ts'
import { lookBack, workOffLate } from './work-off-late.ts'

export type Evaluator = {
  /** all up to here is evaluated, and its facts are stored */
  readonly seq: number
  /** devices that cannot be evaluated now: nothing is published of them. Operators were warned which */
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
   * those that were published to be. Each is published once, however often it is called.
   */
  lookBack(past: KnownPast, devices?: Iterable<number>): Promise<void>
  checkpoint(): void
  /** finishes the step it is at, and saves where it is */
  stop(): Promise<void>
}

export const EVALUATOR_CHECKPOINT = 'judge'
const RECORDS_A_STEP = 50
const PUBLISHED: FactType[] = [
  'violation.opened',
  'violation.cleared',
  'device-status.changed',
  'sensor.unplugged',
  'sensor.plugged-in',
]

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
    republished: new Set(factsBetween(store.log, PUBLISHED, { after: seq }).map(identity)),
    known: store.log.head(),
    unstored: 0,
    refused: new Set(),
    savedAt: seq,
    oldSavedAt: options.clock.now(),
    published: undefined,
    lateUnstored: new Map(),
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
    await attempt(evaluation, 'checkpoint', saveOldPublished)
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

async function catchUp(evaluation: Evaluation): Promise<void> {
  const { follower, stopping } = evaluation
  if (stopping.signal.aborted) return
  for (const records of follower.steps()) {
    const news = records.map((record) => ({ facts: evaluate(evaluation, record), key: keyOf(record) }))
    await publishAll(evaluation, news)
    if (evaluation.unstored > 0) return
    follower.reached(records.at(-1)?.seq ?? follower.seq)
    if (follower.seq >= evaluation.known) evaluation.republished.clear()
    if (stopping.signal.aborted) return
  }
}

function keyOf(record: LogRecord): string {
  const { recordedAt } = record.kind === 'fact' ? record.fact : record
  return ownKey(recordedAt, `judge-${record.seq}`)
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
  { ruleState, table, past, published, known, failing }: Evaluation,
  record: LogRecord & { kind: 'fact' },
): NewFact[] {
  const { fact } = record
  limitsChanged(ruleState, changeLimits(table, past, fact), fact.at)
  if (published !== undefined) foldPublished(published, fact)
  // silence found by the clock alone is not in the readings: it is taken from its fact
  if (fact.type === 'device-status.changed') statusPublished(ruleState, table, fact)
  const isLate = fact.type === 'violation.found-late' || fact.type === 'violation.revised'
  if (isLate && record.seq <= known) latePublishedBefore(ruleState, table, fact)
  if (fact.type === 'device.tracker-replaced') trackerReplaced(ruleState, fact)
  if (fact.type !== 'device.retired') return []
  failing.delete(fact.data.no)
  return deviceRetired(ruleState, table, fact.data.no, fact.at)
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
  if (!mayPublishSilence(evaluation)) return
  await evaluation.options.store.log.caughtUp()
  if (!mayPublishSilence(evaluation)) return
  await inTurn(evaluation, 'follow', catchUp)
  await inTurn(evaluation, 'look for silence', publishSilence)
}

const mayPublishSilence = ({ stopping, options }: Evaluation): boolean =>
  !stopping.signal.aborted && options.isQuiet()

async function publishSilence(evaluation: Evaluation): Promise<void> {
  const { options, follower, ruleState, table } = evaluation
  if (!mayPublishSilence(evaluation) || options.store.log.head() !== follower.seq) return
  const facts = evaluateSilence(ruleState, table, options.clock.now(), follower.seq, failed(evaluation))
  await publishAll(evaluation, [{ facts }])
}

function checkpoint(evaluation: Evaluation): void {
  const { options, follower, unstored, ruleState, table } = evaluation
  // facts that are not stored must come up again
  const isStored = unstored === 0 && evaluation.lateUnstored.size === 0 && evaluation.refused.size === 0
  if (evaluation.savedAt === follower.seq || !isStored) return
  const devices = Math.min(table.devices.length, ruleState.devices)
  const { checkpoints } = options.store
  if (checkpoints.save(EVALUATOR_CHECKPOINT, follower.seq, () => saveRuleState(ruleState, devices)))
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
