import type { Clock } from '#machines/contracts/clock.ts'
import type { FactType, NewFact } from '#machines/contracts/facts.ts'
import { factsBetween, followLog, type LogFollower, untilStored } from '../store/log-follower.ts'
import type { LogRecord, Store } from '../store/store.ts'
import { emptyLimitsTable, evolveLimits, LIMITS_FACTS, type LimitsTable } from './limits.ts'
import {
  deviceRetired,
  emptyRuleState,
  evaluateReadings,
  evaluateSilence,
  limitsChanged,
  type RuleState,
  silencePublished,
} from './rule-state.ts'
import { restoreRuleState, saveRuleState } from './saved-rule-state.ts'

export type EvaluatorOptions = {
  store: Pick<Store, 'log' | 'checkpoints'>
  clock: Clock
  /** whether no reading is on its way to the log: only then silence is evaluated by the clock alone */
  isQuiet: () => boolean
  /** how often silence is evaluated and a checkpoint is saved, real ms (1,000 and 60,000) */
  tickMs?: number
  checkpointMs?: number
}

export type Evaluator = {
  /** all up to here is evaluated, and its facts are stored */
  readonly seq: number
  /** resolves when all up to there is, or the evaluator has stopped */
  settled(seq: number): Promise<void>
  /** looks for silent devices now; does nothing while readings are on their way */
  tick(): Promise<void>
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

type Saved = { seq: number; table: LimitsTable; ruleState: RuleState }

type Evaluation = Pick<Saved, 'table' | 'ruleState'> & {
  readonly options: EvaluatorOptions
  readonly follower: LogFollower
  readonly stopping: AbortController
  /** facts stored after the checkpoint, which come up again until the follower is past `known` */
  published: Set<string>
  readonly known: number
  /** appends the store has not taken */
  unstored: number
  savedAt: number
  /** steps are taken one after the other: each depends on those before */
  turn: Promise<void>
}

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
    savedAt: seq,
    turn: Promise.resolve(),
  }
  const { follower } = evaluation
  await inTurn(evaluation, catchUp)
  const unfollow = store.log.onCommit(() => void inTurn(evaluation, catchUp))
  const ticking = setInterval(() => void inTurn(evaluation, tick), tickMs).unref()
  const saving = setInterval(() => void inTurn(evaluation, checkpoint), checkpointMs).unref()

  return {
    get seq() {
      return follower.seq
    },
    settled: follower.settled,
    tick: () => inTurn(evaluation, tick),
    checkpoint: () => checkpoint(evaluation),
    async stop() {
      clearInterval(ticking)
      clearInterval(saving)
      unfollow()
      evaluation.stopping.abort()
      await evaluation.turn
      checkpoint(evaluation)
      follower.stop()
    },
  }
}

function inTurn(
  evaluation: Evaluation,
  work: (evaluation: Evaluation) => void | Promise<void>,
): Promise<void> {
  evaluation.turn = evaluation.turn.then(() => work(evaluation))
  return evaluation.turn
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

function evaluate({ ruleState, table }: Evaluation, record: LogRecord): NewFact[] {
  if (record.kind === 'readings')
    return evaluateReadings(ruleState, table, record.readings, record.recordedAt)
  limitsChanged(ruleState, evolveLimits(table, record.fact))
  // silence found by the clock alone is not in the readings: it is taken from its fact
  if (record.fact.type === 'device-status.changed') silencePublished(ruleState, table, record.fact)
  if (record.fact.type === 'device.retired')
    return deviceRetired(ruleState, table, record.fact.data.no, record.fact.at)
  return []
}

/** Stores facts that are not stored yet. While one append fails, no later step is taken. */
async function publish(evaluation: Evaluation, facts: NewFact[], idempotencyKey?: string): Promise<void> {
  const { published, options, stopping } = evaluation
  const { signal } = stopping
  const news = published.size === 0 ? facts : facts.filter((fact) => !published.has(identity(fact)))
  if (news.length === 0) return
  const append = () =>
    options.store.log.append(STREAM, news, idempotencyKey === undefined ? {} : { idempotencyKey })
  evaluation.unstored++
  const stored = await untilStored(async () => !signal.aborted && append(), signal)
  if (stored) evaluation.unstored--
}

async function tick(evaluation: Evaluation): Promise<void> {
  const { options, follower, stopping, ruleState, table } = evaluation
  await catchUp(evaluation)
  if (!stopping.signal.aborted && options.isQuiet() && options.store.log.head() === follower.seq)
    await publish(evaluation, evaluateSilence(ruleState, table, options.clock.now()))
}

function checkpoint(evaluation: Evaluation): void {
  const { options, follower, unstored, ruleState, table } = evaluation
  // facts that are not stored must come up again
  if (evaluation.savedAt === follower.seq || unstored > 0) return
  const bytes = saveRuleState(ruleState, Math.min(table.devices.length, ruleState.devices))
  if (options.store.checkpoints.save(EVALUATOR_CHECKPOINT, follower.seq, bytes))
    evaluation.savedAt = follower.seq
}

/** Rule state as it was saved, and the limits as of then: those are few facts, and never deleted. */
function restore({ checkpoints, log }: EvaluatorOptions['store']): Saved {
  const table = emptyLimitsTable()
  const saved = checkpoints.load(EVALUATOR_CHECKPOINT)
  const ruleState = saved && restoreRuleState(saved.bytes)
  if (saved === undefined || ruleState === undefined) return { seq: 0, table, ruleState: emptyRuleState() }
  for (const fact of factsBetween(log, LIMITS_FACTS, { after: 0, upTo: saved.seq })) evolveLimits(table, fact)
  return { seq: saved.seq, table, ruleState }
}

function identity(fact: NewFact): string {
  const { data } = fact
  const what = 'violationId' in data ? data.violationId : 'imei' in data ? data.imei : ''
  return `${fact.type} ${what} ${fact.at} ${'to' in data ? data.to : ''}`
}
