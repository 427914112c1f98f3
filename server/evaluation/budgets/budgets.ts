import type { Clock } from '#machines/contracts/clock.ts'
import type { FactOf } from '#machines/contracts/facts.ts'
import { ON_TIME } from '#machines/contracts/readings.ts'
import type { Directory } from '#machines/projections/directory.ts'
import type { LoadRecord } from '#machines/projections/loads.ts'
import { type BudgetState, SUM } from '#machines/rules/budget.ts'
import {
  type BudgetStatus,
  budgetStatusOf,
  type Exhausted,
  exhaustedOf,
} from '#machines/rules/budget-status.ts'
import { keptSince } from '../../read-models/kept-since.ts'
import type { ReadModels } from '../../read-models/read-models.ts'
import { followLog, type LogFollower } from '../../store/log-follower.ts'
import { type LogRecord, type Store, StoreUnavailable } from '../../store/store.ts'
import { dueLate, type FailedLate, type LateOfDevice, markLate, untriedLate } from '../late-readings.ts'
import { beginLoad, endLoad, type LiveLoads, liveLoad, putAt, releaseLoad, takeBatch } from './live-loads.ts'
import { reckonLoad } from './reckon.ts'
import { restoreLoads, saveLoads } from './saved-loads.ts'

const RECORDS_A_STEP = 200
const LOOK_MS = 1_000
const SAVE_MS = 5 * 60_000
/** Reckoning anew takes the part 1 / (1 + this) of the time. */
const RESTS = 3
const MOST_REST_MS = 100

/** What is known of a load now: under way, its budget; over, what became of it; neither: not reckoned yet. */
export type KnownLoad = { budget: BudgetState | undefined; status: BudgetStatus | undefined }

/**
 * `knownSince`: when the readings that say so were received, epoch ms, where they came late; else null. `isSettled`: nothing of its device
 * is yet to be reckoned anew, else news of it follow.
 */
export type LoadNews = {
  loadId: string
  exhaustions: readonly Exhausted[]
  isAtRisk: boolean
  knownSince: number | null
  isSettled: boolean
}

/** The budgets of all loads under way, followed reading by reading on each node. */
export type Budgets = {
  of(loadId: string): KnownLoad
  /** a load as it is now, from what is stored where it is not under way */
  reckoned(load: LoadRecord): Promise<BudgetState | undefined>
  /** loads of which it is to be published that they are exhausted, or are not, each once; `all`: of every load that is known */
  takeNews(all: boolean): LoadNews[]
  /** resolves when all up to there is taken */
  settled(seq: number): Promise<void>
  /** reckons what came late now, and resolves when that is done */
  reckonLate(): Promise<void>
  checkpoint(): void
  stop(): Promise<void>
}

type Options = {
  store: Pick<Store, 'log' | 'checkpoints' | 'telemetry'>
  readModels: Pick<ReadModels, 'directory' | 'latest'>
  clock: Clock
  /** real ms between two looks for what is to be reckoned anew */
  lookMs?: number
  /** for operators */
  warn?: (message: string) => void
}

type Following = {
  readonly options: Options
  readonly live: LiveLoads
  readonly follower: LogFollower
  /** by device number when its last load was over */
  readonly overUntil: (number | undefined)[]
  /** what cannot be reckoned anew; it stays marked, so that nobody takes it for settled */
  readonly failed: FailedLate
  savedAt: number
  /** why the log cannot be followed, as operators were warned */
  fault: string | undefined
  working: Promise<void> | undefined
  isStopped: boolean
}

/** Goes on from what was saved, or reckons all loads there are anew. */
export function startBudgets(options: Options): Budgets {
  const { store, readModels, lookMs = LOOK_MS } = options
  const { directory } = readModels
  const { live, seq } = restoreLoads(store, directory, options.clock.now())
  const following: Following = {
    ...{ options, live },
    follower: followLog(store.log, { after: seq, recordsAStep: RECORDS_A_STEP }),
    overUntil: overByDevice(directory),
    ...{ failed: new Map(), savedAt: seq, fault: undefined, working: undefined, isStopped: false },
  }
  catchUp(following)
  const unfollow = store.log.onCommit(() => catchUp(following))
  const looking = setInterval(() => void reckonDue(following, false), lookMs).unref()
  const saving = setInterval(() => checkpoint(following), SAVE_MS).unref()
  return {
    of: (loadId) => knownLoad(live, loadId),
    reckoned: async (load) =>
      live.budgets.get(load.loadId) ?? reckonLoad(store.telemetry, directory, load, spanOf(following, load)),
    takeNews: (all) => takeNews(live, directory, all),
    settled: following.follower.settled,
    async reckonLate() {
      while (untriedLate(live.late, following.failed).length > 0 && !following.isStopped)
        await reckonDue(following, true)
    },
    checkpoint: () => checkpoint(following),
    async stop() {
      following.isStopped = true
      clearInterval(looking)
      clearInterval(saving)
      unfollow()
      following.follower.stop()
      await following.working
      checkpoint(following)
    },
  }
}

function overByDevice({ loads }: Directory): (number | undefined)[] {
  const until: (number | undefined)[] = []
  for (const { deviceNo, closedAt } of loads.byId.values())
    if (closedAt !== null) putAt(until, deviceNo, Math.max(until[deviceNo] ?? 0, closedAt))
  return until
}

/** What of the log cannot be read comes up with the next commit. */
function catchUp(following: Following): void {
  const { follower, options } = following
  try {
    for (const records of follower.steps()) {
      for (const record of records) take(following, record)
      follower.reached(records.at(-1)?.seq ?? follower.seq)
    }
    following.fault = undefined
  } catch (error) {
    const fault = String(error)
    if (following.fault !== fault) options.warn?.(`budgets do not follow the log now, retrying: ${fault}`)
    following.fault = fault
  }
}

function take(following: Following, record: LogRecord): void {
  const { live, overUntil, options } = following
  if (record.kind === 'readings') {
    const { devices, loads } = options.readModels.directory
    takeBatch(live, record.readings, record, overUntil, loads, (no, error) =>
      options.warn?.(
        `a reading of device ${devices[no]?.imei} is not taken, its loads are reckoned anew: ${String(error)}`,
      ),
    )
    return
  }
  try {
    takeFact(following, record)
  } catch (error) {
    const { seq, fact } = record
    options.warn?.(`fact ${seq} (${fact.type}) is left out of budgets until the next start: ${String(error)}`)
  }
}

function takeFact({ live, overUntil, options }: Following, { fact }: LogRecord & { kind: 'fact' }): void {
  if (fact.type === 'load.opened') beginLoad(live, options.readModels.directory, fact)
  else if (fact.type === 'load.released') releaseLoad(live, options.readModels.directory, fact)
  else if (fact.type === 'load.closed') close({ live, overUntil, options }, fact)
}

/** What was measured before it was closed may be taken after: it is reckoned once more from what is stored by then. */
function close(
  { live, overUntil, options }: Pick<Following, 'live' | 'overUntil' | 'options'>,
  { data, at, recordedAt, seq }: FactOf<'load.closed'>,
): void {
  const load = options.readModels.directory.loads.byId.get(data.loadId)
  if (load === undefined) return
  putAt(overUntil, load.deviceNo, Math.max(overUntil[load.deviceNo] ?? 0, at))
  endLoad(live, load)
  markLate(live.late, load.deviceNo, at - 1, recordedAt, seq)
}

/** The newest reading of a device that was taken, epoch ms. */
const newestOf = ({ options: { readModels } }: Following, deviceNo: number): number =>
  deviceNo < readModels.latest.size ? (readModels.latest.readings.at[deviceNo] as number) : 0

const keptOf = ({ options: { readModels, clock } }: Following, { companyId }: LoadRecord): number =>
  keptSince(readModels.directory, companyId, clock.now())

const spanOf = (following: Following, load: LoadRecord) => ({
  kept: keptOf(following, load),
  until: () => newestOf(following, load.deviceNo),
})

/** Reckons loads anew of which nothing came late for two minutes, as received; `now`: whatever is to be. */
function reckonDue(following: Following, now: boolean): Promise<void> {
  following.working ??= reckonEach(following, now).finally(() => {
    following.working = undefined
  })
  return following.working
}

async function reckonEach(following: Following, now: boolean): Promise<void> {
  const { live, options, failed } = following
  const due = now
    ? untriedLate(live.late, failed)
    : dueLate(live.late, failed, Math.max(live.receivedAt, options.clock.now()))
  for (const deviceNo of due) {
    const mark = live.late.get(deviceNo)
    if (following.isStopped || mark === undefined) return
    const { toSeq } = mark
    const began = performance.now()
    try {
      await reckonDevice(following, deviceNo, mark)
    } catch (error) {
      if (error instanceof StoreUnavailable) {
        options.warn?.(`budgets are not reckoned anew yet, retrying: ${error.message}`)
        return
      }
      failed.set(deviceNo, toSeq)
      const { imei = deviceNo } = options.readModels.directory.devices[deviceNo] ?? {}
      options.warn?.(
        `loads of device ${imei} are not reckoned anew until more comes or the next start: ${String(error)}`,
      )
    }
    if (!now) await pause(Math.min(MOST_REST_MS, (performance.now() - began) * RESTS))
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref())

/**
 * Loads that were on a device at the time of readings that came late. It stays marked until they are what the store says, so that a
 * server that ends meanwhile goes on with it, and is reckoned once more where more came. Of those before one that cannot be read there
 * are news all the same.
 */
async function reckonDevice(
  following: Following,
  deviceNo: number,
  mark: Readonly<LateOfDevice>,
): Promise<void> {
  const { live } = following
  const { first: from, receivedTo, toSeq } = mark
  const reckoned: string[] = []
  try {
    const missedAfter = await reckonLoads(following, deviceNo, mark, reckoned)
    if (following.isStopped) return
    if (mark.toSeq === toSeq) live.late.delete(deviceNo)
    if (missedAfter !== undefined) markLate(live.late, deviceNo, missedAfter, live.receivedAt, toSeq)
  } finally {
    // published last: whether they are settled is known by then
    for (const loadId of reckoned) live.news.set(loadId, receivedTo - from > ON_TIME ? receivedTo : null)
  }
}

/** @param reckoned grows by each load that is @returns the time after which a reading was missed, epoch ms */
async function reckonLoads(
  following: Following,
  deviceNo: number,
  { first: from, last }: Readonly<LateOfDevice>,
  reckoned: string[],
): Promise<number | undefined> {
  const { live, options } = following
  const { directory } = options.readModels
  const { telemetry } = options.store
  let missedAfter: number | undefined
  for (const loadId of directory.loads.ofDevice.get(deviceNo) ?? []) {
    const load = directory.loads.byId.get(loadId)
    if (load === undefined || load.openedAt > last || (load.closedAt ?? Number.POSITIVE_INFINITY) <= from)
      continue
    const budget = await reckonLoad(telemetry, directory, load, spanOf(following, load))
    if (following.isStopped) return missedAfter
    if (budget === undefined) continue
    // looked at once they are read: what is dropped meanwhile is not taken for what never was
    if (load.openedAt < keptOf(following, load) && !saysMore(live, loadId, budget)) continue
    const onIt = live.byDevice[deviceNo]
    // it may have been closed, or have taken readings, while others were read
    if (load.closedAt !== null) live.over.set(loadId, budgetStatusOf(budget))
    else if (onIt?.loadId === loadId) {
      live.budgets.set(loadId, budget)
      putAt(live.byDevice, deviceNo, liveLoad(loadId, budget))
      const [was, is] = [onIt, budget].map(({ sums }) => sums[SUM.lastAt] as number)
      // one more was taken at the last moment
      if ((was as number) > (is as number)) missedAfter = Math.max(is as number, load.openedAt)
    }
    reckoned.push(loadId)
  }
  return missedAfter
}

/**
 * Whether what is left of the readings of a load, of which some are no longer kept, says more than what is known: that it was exhausted
 * sooner, or as much by more readings. Else that stays: of what is gone it is all there is.
 */
function saysMore(live: LiveLoads, loadId: string, left: BudgetState): boolean {
  const { budget, status } = knownLoad(live, loadId)
  if (status === undefined) return true
  const [known, current] = [status, { exhausted: exhaustedOf(left) }].map(
    ({ exhausted }) => exhausted?.at ?? Number.POSITIVE_INFINITY,
  ) as [number, number]
  if (current !== known) return current < known
  return budget !== undefined && (left.sums[SUM.count] as number) > (budget.sums[SUM.count] as number)
}

function knownLoad(live: LiveLoads, loadId: string): KnownLoad {
  const budget = live.budgets.get(loadId)
  return { budget, status: budget === undefined ? live.over.get(loadId) : budgetStatusOf(budget) }
}

function takeNews(live: LiveLoads, { loads }: Pick<Directory, 'loads'>, all: boolean): LoadNews[] {
  const news = new Map(live.news)
  const ids = all ? [...live.budgets.keys(), ...live.over.keys()] : [...news.keys()]
  live.news.clear()
  return ids.flatMap((loadId) => {
    const { status } = knownLoad(live, loadId)
    if (status === undefined) return []
    const { exhaustions } = status
    const isSettled = !live.late.has(loads.byId.get(loadId)?.deviceNo ?? -1)
    const isAtRisk = status.state === 'at-risk'
    return [{ loadId, exhaustions, isAtRisk, knownSince: news.get(loadId) ?? null, isSettled }]
  })
}

function checkpoint(following: Following): void {
  const { options, live, follower } = following
  if (following.savedAt === follower.seq) return
  if (saveLoads(options.store, live, follower.seq)) following.savedAt = follower.seq
}
