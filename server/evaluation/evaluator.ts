import { setTimeout } from 'node:timers/promises'
import type { Clock } from '#machines/contracts/clock.ts'
import type { Fact, FactType, NewFact } from '#machines/contracts/facts.ts'
import { type LogRecord, type Store, StoreUnavailable } from '../store/store.ts'
import { emptyLimitsTable, evolveLimits, LIMITS_FACTS, type LimitsTable } from './limits.ts'
import {
  emptyRuleState,
  evaluateReadings,
  evaluateSilence,
  limitsChanged,
  type RuleState,
  silenceTold,
} from './rule-state.ts'
import { restoreRuleState, saveRuleState } from './saved-rule-state.ts'

export type EvaluatorOptions = {
  store: Pick<Store, 'log' | 'checkpoints'>
  clock: Clock
  /** whether no reading is on its way to the log: only then does the clock alone tell of silence */
  isQuiet: () => boolean
  /** how often the clock is asked for silence and a checkpoint is saved, real ms (1,000 and 60,000) */
  tickMs?: number
  checkpointMs?: number
}

export type Evaluator = {
  /** all up to here is judged, and what it means is told */
  readonly seq: number
  /** resolves when all up to there is, or judging has stopped */
  settled(seq: number): Promise<void>
  /** looks for silent devices now; does nothing while readings are on their way */
  tick(): Promise<void>
  checkpoint(): void
  /** finishes what it is at, and saves where it is */
  stop(): Promise<void>
}

const STREAM = 'judge'
export const EVALUATOR_CHECKPOINT = 'judge'
const RECORDS_A_STEP = 50
const RETRY_MS = 1000
const TOLD: FactType[] = [
  'violation.opened',
  'violation.cleared',
  'device-status.changed',
  'sensor.unplugged',
  'sensor.plugged-in',
]

type State = { seq: number; table: LimitsTable; ruleState: RuleState }

/**
 * Follows the log behind the acknowledgement: what the readings mean becomes facts. Everything told is a function of
 * the record, so what was told before a crash is known again by what it says, and not told twice.
 */
export async function startEvaluator(options: EvaluatorOptions): Promise<Evaluator> {
  const { store, clock, isQuiet, tickMs = 1_000, checkpointMs = 60_000 } = options
  const { log } = store
  const state = restore(store)
  const { table, ruleState } = state
  let told = factsToldAfter(store, state.seq)
  const known = log.head()
  let waiting: { seq: number; resolve: () => void }[] = []
  const stopping = new AbortController()
  const isStopped = (): boolean => stopping.signal.aborted
  /** appends the store could not take yet */
  let behind = 0
  let savedAt = state.seq

  /** One thing at a time: what is judged depends on what was judged before. */
  let turn: Promise<void> = Promise.resolve()
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    turn = turn.then(work)
    return turn
  }

  const judge = (record: LogRecord): NewFact[] => {
    if (record.kind === 'readings')
      return evaluateReadings(ruleState, table, record.readings, record.recordedAt)
    limitsChanged(ruleState, evolveLimits(table, record.fact))
    // What the clock alone told is not in the readings: it is taken from what was told.
    if (record.fact.type === 'device-status.changed') silenceTold(ruleState, table, record.fact)
    return []
  }
  const append = async (facts: NewFact[], idempotencyKey?: string): Promise<void> => {
    const news = told.size === 0 ? facts : facts.filter((fact) => !told.has(identity(fact)))
    if (news.length === 0) return
    behind++
    while (!isStopped()) {
      try {
        await log.append(STREAM, news, idempotencyKey === undefined ? {} : { idempotencyKey })
        behind--
        return
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error
        // Nothing else may be told before this is.
        await setTimeout(RETRY_MS, undefined, { signal: stopping.signal }).catch(() => {})
      }
    }
  }
  const catchUp = async (): Promise<void> => {
    for (;;) {
      const records = isStopped() ? [] : log.read(state.seq, RECORDS_A_STEP)
      if (records.length === 0) return
      const appended = records.map((record) => append(judge(record), `judge-${record.seq}`))
      await Promise.all(appended)
      if (behind > 0) return
      state.seq = records.at(-1)?.seq ?? state.seq
      if (state.seq >= known) told = new Set()
      const reached = waiting.filter(({ seq }) => seq <= state.seq)
      waiting = waiting.filter(({ seq }) => seq > state.seq)
      for (const { resolve } of reached) resolve()
    }
  }
  const tick = (): Promise<void> =>
    inTurn(async () => {
      await catchUp()
      if (!isStopped() && isQuiet() && log.head() === state.seq)
        await append(evaluateSilence(ruleState, table, clock.now()))
    })
  const checkpoint = (): void => {
    // What was never told must come up again.
    if (savedAt === state.seq || behind > 0) return
    const bytes = saveRuleState(ruleState, Math.min(table.devices.length, ruleState.devices))
    if (store.checkpoints.save(EVALUATOR_CHECKPOINT, state.seq, bytes)) savedAt = state.seq
  }

  await inTurn(catchUp)
  const unfollow = log.onCommit(() => void inTurn(catchUp))
  const ticking = setInterval(() => void tick(), tickMs)
  const saving = setInterval(() => void inTurn(async () => checkpoint()), checkpointMs)
  ticking.unref()
  saving.unref()

  return {
    get seq() {
      return state.seq
    },
    settled(seq) {
      if (seq <= state.seq || isStopped()) return Promise.resolve()
      return new Promise((resolve) => waiting.push({ seq, resolve }))
    },
    tick,
    checkpoint,
    async stop() {
      clearInterval(ticking)
      clearInterval(saving)
      unfollow()
      stopping.abort()
      await turn
      checkpoint()
      for (const { resolve } of waiting.splice(0)) resolve()
    },
  }
}

/** RuleState as they were saved, and the table as of then: those are few facts, and never dropped. */
function restore(store: EvaluatorOptions['store']): State {
  const state: State = { seq: 0, table: emptyLimitsTable(), ruleState: emptyRuleState() }
  const saved = store.checkpoints.load(EVALUATOR_CHECKPOINT)
  const ruleState = saved && restoreRuleState(saved.bytes)
  if (saved === undefined || ruleState === undefined) return state
  for (const fact of factsAfter(store, 0, LIMITS_FACTS)) {
    if (fact.seq > saved.seq) break
    evolveLimits(state.table, fact)
  }
  return { ...state, seq: saved.seq, ruleState }
}

/** What was told after the checkpoint and will come up again. */
function factsToldAfter(store: EvaluatorOptions['store'], after: number): Set<string> {
  const told = new Set<string>()
  for (const fact of factsAfter(store, after, TOLD)) told.add(identity(fact))
  return told
}

function* factsAfter({ log }: EvaluatorOptions['store'], after: number, types: FactType[]): Generator<Fact> {
  for (let from = after; ; ) {
    const facts = log.readFacts(from, { types, limit: 1000 })
    yield* facts
    const last = facts.at(-1)
    if (last === undefined) return
    from = last.seq
  }
}

function identity(fact: NewFact): string {
  const { data } = fact
  const what = 'violationId' in data ? data.violationId : 'imei' in data ? data.imei : ''
  return `${fact.type} ${what} ${fact.at} ${'to' in data ? data.to : ''}`
}
