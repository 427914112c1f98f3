import { setTimeout as pause } from 'node:timers/promises'
import type { NewFact } from '#machines/contracts/facts.ts'
import { ownKey } from '../store/append-keys.ts'
import { StoreUnavailable } from '../store/store.ts'
import { evaluateBack, evaluateLate, type KnownPast } from './evaluate-late.ts'
import { attempt, type Evaluation, failed, inTurn } from './evaluation.ts'
import { dueLate } from './late-readings.ts'
import { type LateFacts, publishLate } from './publish.ts'
import { readPublished } from './read-published.ts'
import { keptByServer } from './rule-state.ts'

/** Evaluating late readings takes the part 1 / (1 + this) of the time, so that what is received now is not held up. */
const RESTS = 3
const MOST_REST_MS = 100

/** Evaluates late readings that are due in their place, one device after the other, with rests between. */
export function workOffLate(evaluation: Evaluation): Promise<void> {
  evaluation.workingOff ??= attempt(evaluation, 'evaluate late', workOff).finally(() => {
    evaluation.workingOff = undefined
  })
  return evaluation.workingOff
}

async function workOff(evaluation: Evaluation): Promise<void> {
  const { ruleState, stopping, follower, known, lateFailed } = evaluation
  // what was published before a restart has to come up first
  if (stopping.signal.aborted || ruleState.late.size === 0 || follower.seq < known) return
  const due = dueLate(ruleState.late, lateFailed, nowReceived(evaluation))
  if (due.length === 0) return
  await readPublished(evaluation)
  await eachInTurn(evaluation, due, (no) => evaluateDue(evaluation, no))
}

/** Evaluates devices one after the other, with rests between. Resolves when what each tells is stored. */
async function eachInTurn(
  evaluation: Evaluation,
  devices: Iterable<number>,
  evaluate: (no: number) => Promise<LateFacts | undefined>,
): Promise<void> {
  const { signal } = evaluation.stopping
  const storing: Promise<void>[] = []
  for (const no of devices) {
    if (signal.aborted) break
    const began = performance.now()
    await inTurn(evaluation, 'evaluate late', async () => {
      const late = await evaluate(no)
      if (late) storing.push(publishLate(evaluation, no, late))
    })
    await pause(Math.min(MOST_REST_MS, (performance.now() - began) * RESTS), undefined, { signal }).catch(
      () => {},
    )
  }
  await Promise.all(storing)
}

async function evaluateDue(evaluation: Evaluation, no: number): Promise<LateFacts | undefined> {
  const { ruleState, table, past, published, options, follower, lateFailed } = evaluation
  const mark = ruleState.late.get(no)
  if (mark === undefined || published === undefined || evaluation.lateUnstored.has(no)) return undefined
  const { keptSince = keptByServer, clock } = options
  const { telemetry } = options.store
  const kept = keptSince(table.companyIds[no] as string, clock.now())
  const recordFrom = Math.max(options.recordFrom ?? 0, kept)
  const { fromSeq, toSeq, receivedTo } = mark
  const idempotencyKey = ownKey(receivedTo, `late-${no}-${fromSeq}-${toSeq}`)
  try {
    const late = { ruleState, table, past, published, telemetry, recordFrom }
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

/** Evaluates devices from before the record, see `Evaluator`. */
export async function lookBack(
  evaluation: Evaluation,
  past: KnownPast,
  devices?: Iterable<number>,
): Promise<void> {
  const { follower, known } = evaluation
  // what was published before a restart has to come up first
  await follower.settled(known)
  await readPublished(evaluation)
  await eachInTurn(evaluation, devices ?? beyondAtBegin(evaluation), async (no) => ({
    facts: await evaluateFromBegin(evaluation, no, past),
    idempotencyKey: `past-${no}-${past.from}`,
  }))
}

/** Violations that begin no later than this after the record, ms, may have begun before it. */
const AT_BEGIN = 20 * 60_000

function beyondAtBegin({ published, table, options: { recordFrom = 0 } }: Evaluation): number[] {
  const devices: number[] = []
  for (const [imei, { episodes }] of published ?? []) {
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
  const { ruleState, table, past, published, options, follower, lateUnstored } = evaluation
  // late readings of it are evaluated first, or stored: it is as it was published when it is stable
  if (published === undefined || lateUnstored.has(no)) return []
  const { telemetry } = options.store
  const recordFrom = options.recordFrom ?? 0
  try {
    return await evaluateBack(
      { ruleState, table, past, published, telemetry, recordFrom },
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
