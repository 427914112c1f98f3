import type { Clock } from '#machines/contracts/clock.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import type { PublishedOfDevices } from '#machines/projections/episodes.ts'
import type { LogFollower } from '../store/log-follower.ts'
import type { Store } from '../store/store.ts'
import type { FailedLate } from './late-readings.ts'
import type { LimitsTable } from './limits.ts'
import type { PastLimits } from './past-limits.ts'
import type { KeptSince, OnFailure, RuleState } from './rule-state.ts'

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

export type Saved = { seq: number; table: LimitsTable; past: PastLimits; ruleState: RuleState }

/** What the evaluator knows, and how far it is: its steps, what it publishes and what it does about late readings share it. */
export type Evaluation = Omit<Saved, 'seq'> & {
  readonly options: EvaluatorOptions
  readonly follower: LogFollower
  readonly stopping: AbortController
  /** facts stored after the checkpoint, which come up again until the follower is past `known` */
  republished: Set<string>
  readonly known: number
  /** appends the store has not taken */
  unstored: number
  /** what the log refused, in its order; it is appended again with each checkpoint */
  readonly refused: Set<Refused>
  savedAt: number
  /** when what was published before readings are kept was saved last, or this began, epoch ms */
  oldSavedAt: number
  /** what was published of each device; read when it is needed first, and kept up from then on */
  published: PublishedOfDevices | undefined
  /** by device whose late readings are evaluated, but what that tells is not stored yet: resolves when it is, or refused */
  readonly lateUnstored: Map<number, Promise<void>>
  /** late readings that cannot be evaluated; they stay marked */
  readonly lateFailed: FailedLate
  /** devices that cannot be evaluated */
  readonly failing: Set<number>
  /** why the last step of a kind could not be taken, as operators were warned */
  readonly faults: Map<Step, string>
  workingOff: Promise<void> | undefined
  looking: Promise<void> | undefined
  /** steps are taken one after the other: each depends on those before */
  turn: Promise<void>
}

export type Step =
  | 'follow'
  | 'ask'
  | 'look for silence'
  | 'evaluate late'
  | 'append'
  | 'append again'
  | 'checkpoint'

/** Facts about one device, stored all or none. `isLate`: nothing late of it is evaluated before they are. */
export type Refused = { no: number | undefined; facts: NewFact[]; key: string | undefined; isLate: boolean }

/** A step that cannot be taken, as the log cannot be read say, is taken again with the next look. */
export function inTurn(
  evaluation: Evaluation,
  step: Step,
  work: (evaluation: Evaluation) => void | Promise<void>,
): Promise<void> {
  evaluation.turn = evaluation.turn.then(() => attempt(evaluation, step, work))
  return evaluation.turn
}

/** Takes a step and never rejects: why it failed is reported once, until it can be taken. */
export async function attempt(
  evaluation: Evaluation,
  step: Step,
  work: (evaluation: Evaluation) => void | Promise<void>,
): Promise<void> {
  try {
    await work(evaluation)
    evaluation.faults.delete(step)
  } catch (error) {
    reportFault(evaluation, step, error)
  }
}

/** Operators are warned once, until the step can be taken. */
export function reportFault({ faults, options, stopping }: Evaluation, step: Step, error: unknown): void {
  if (stopping.signal.aborted) return
  const fault = String(error)
  if (faults.get(step) !== fault) options.warn?.(`evaluation cannot go on, retrying: ${fault}`)
  faults.set(step, fault)
}

/** A device cannot be evaluated: operators are warned once, until it can. */
export const failed =
  ({ failing, options, table }: Evaluation): OnFailure =>
  (no, error) => {
    if (!failing.has(no))
      options.warn?.(
        `device ${table.imeis[no]} cannot be evaluated, retrying when its readings have settled: ${String(error)}`,
      )
    failing.add(no)
  }
