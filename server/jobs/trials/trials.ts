import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { array, type Infer, is, string, type } from 'superstruct'
import type { Clock } from '#machines/contracts/clock.ts'
import { decode } from '#machines/contracts/decode.ts'
import { LimitsTrial, type TrialEstimate, TrialResult } from '#machines/contracts/entities/limits-trials.ts'
import { Id } from '#machines/contracts/scalars.ts'
import { type Directory, deviceByImei } from '#machines/projections/directory.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import { createTurns, type Turns } from '../../cluster/turns.ts'
import { noteChanged } from '../../commands/repeatable.ts'
import { untilStored } from '../../store/log-follower.ts'
import { keptUntilOf, trialFileName, trialFileNameBefore, trialOfFile } from '../../store/report-files.ts'
import { type Store, StoreUnavailable, unlessUnavailable } from '../../store/store.ts'
import { BEAT_MS, type Beats, createBeats } from '../beats.ts'
import { createDataProvider } from '../reports/data-provider.ts'
import { ReportFault } from '../reports/order.ts'
import { createReportWorker, type ReportWorker } from '../reports/worker.ts'
import type { RequestedOrder } from '../reports/worker-messages.ts'
import { type StorePatience, untilAnswered } from '../until-answered.ts'
import { createPace, estimateOf, type Pace } from './estimate.ts'
import { exhaustedBudgets } from './exhausted-budgets.ts'
import type { Trial } from './try-limits.ts'

/** A trial as all nodes know it. `node`: which works on it. */
const KnownTrial = type({ trial: LimitsTrial, node: string() })
type KnownTrial = Infer<typeof KnownTrial>
const KnownTrials = array(KnownTrial)

/** What is kept of one that is done, in a file. */
export const KeptTrial = type({ companyId: Id, trial: LimitsTrial, result: TrialResult })
export type KeptTrial = Infer<typeof KeptTrial>

type Who = { userId: string; userName: string; companyId: string }
export type Wanted = Pick<LimitsTrial, 'groupId' | 'quantity' | 'candidates' | 'inForce'> & {
  from: number
  to: number
  /** imeis of the devices it is tried on */
  things: readonly string[]
}

/**
 * Limits that are tried, one at a time on a node, on a thread like the one reports are made on. One of a company waits for those of
 * others that were begun before. How far one is all nodes know; what came of it is a file for 31 days, whatever ends meanwhile. What is
 * under way when its node ends has failed, and is begun anew by whoever wants it. All but `stop` reject with StoreUnavailable.
 */
export type Trials = {
  /** @throws TrialsFull where another of the company is under way */
  begin(wanted: Wanted, who: Who): Promise<LimitsTrial>
  /** how long one would take, of devices by their numbers */
  estimate(requested: Parameters<typeof estimateOf>[2]): Promise<TrialEstimate>
  /** newest first */
  of(companyId: string, groupId: string): Promise<LimitsTrial[]>
  find(companyId: string, groupId: string, id: string): Promise<LimitsTrial | undefined>
  /** of one that is done; undefined: it is kept no more */
  result(companyId: string, id: string): Promise<TrialResult | undefined>
  cancel(companyId: string, id: string): Promise<void>
  stop(): Promise<void>
}

export class TrialsFull extends Error {}

type Deps = {
  store: Pick<Store, 'log' | 'telemetry'>
  directory: Directory
  clock: Clock
  cluster: Pick<Cluster, 'node' | 'values' | 'files'>
  report: (error: unknown) => void
  /** where the store does not answer for that long a trial fails, and says so */
  patience?: StorePatience
}

type Work = {
  companyId: string
  known: KnownTrial
  stopping: AbortController
  done: Promise<void>
  /** resolves when the other nodes know what came of it: later than `done` where the store was away then */
  isShared: Promise<unknown>
  /** operators are warned once a trial that it waits for the store */
  isWaitLogged: boolean
}

type Office = {
  readonly deps: Deps
  readonly worker: ReportWorker
  readonly pace: Pace
  readonly beats: Beats
  /** trials of other companies, by files whose names do not say so: opened once */
  readonly others: Map<string, string>
  /** by company, what this node is at, or will be once those before are over */
  readonly works: Map<string, Work>
  /** by id, what is over and the other nodes do not know of yet */
  readonly unshared: Map<string, Work>
  /** what its thread is at */
  atWork: Work | undefined
  /** of one company what came of one is put after the beats before */
  readonly inTurn: Turns
  /** when all that were begun are over */
  over: Promise<unknown>
  readonly closing: AbortController
}

const KEPT_MS = 31 * 86_400_000
const MOST_OF_COMPANY = 20
const TRIALS = 'limits-trials.'
const STOP = 'limits-trials-stop.'
const FULL = 'Your company is trying other limits: try again when that is done, or cancel it'
const ENDED = 'The server ended while it was at this. Try again.'
const FAULT = 'Something went wrong while the limits were tried'
const MODULE = new URL('./try-limits.ts', import.meta.url).href

/** Trials of this node, one at a time, and what is known of those of other nodes. */
export function createTrials(deps: Deps): Trials {
  const { store, directory, clock, cluster } = deps
  const provide = createDataProvider({ store, directory, clock })
  const office: Office = {
    deps,
    worker: createReportWorker((want, ask) => retried(office, () => provide(want, ask)), MODULE),
    pace: createPace(),
    ...{
      works: new Map(),
      unshared: new Map(),
      atWork: undefined,
      over: Promise.resolve(),
      closing: new AbortController(),
    },
    beats: createBeats(),
    others: new Map(),
    inTurn: createTurns(),
  }
  const unlisten = cluster.values.onChange((name, value) => {
    if (name.startsWith(TRIALS)) office.beats.heard(name.slice(TRIALS.length))
    const work = name.startsWith(STOP) ? office.works.get(name.slice(STOP.length)) : undefined
    if (work !== undefined && value === work.known.trial._id) work.stopping.abort()
  })
  return {
    begin: (wanted, who) => begin(office, wanted, who),
    estimate: (requested) => estimateOf(store.telemetry, office.pace, requested),
    async of(companyId, groupId) {
      await cluster.values.refresh()
      return (await listed(office, companyId))
        .map(({ trial }) => trial)
        .filter((trial) => trial.groupId === groupId)
        .reverse()
    },
    find: async (companyId, groupId, id) => {
      const trial = await found(office, companyId, id)
      return trial?.groupId === groupId ? trial : undefined
    },
    result: async (companyId, id) => (await keptOf(office, companyId, id))?.result,
    async cancel(companyId, id) {
      const work = office.works.get(companyId)
      if (work?.known.trial._id === id) {
        work.stopping.abort()
        await work.done
      } else await cluster.values.set(`${STOP}${companyId}`, id)
    },
    async stop() {
      unlisten()
      office.closing.abort()
      for (const { stopping } of office.works.values()) stopping.abort()
      await office.over
      await Promise.all([...office.unshared.values()].map(({ isShared }) => isShared))
      await office.worker.rest()
    },
  }
}

async function found(office: Office, companyId: string, id: string): Promise<LimitsTrial | undefined> {
  const isOf = ({ trial }: KnownTrial): boolean => trial._id === id
  const own = ownOf(office, companyId, id)
  if (own !== undefined) return own.trial
  await office.deps.cluster.values.refresh()
  const known = (await trialsOf(office, companyId)).find(isOf)
  return known?.trial ?? (await keptOf(office, companyId, id))?.trial
}

/** What this node knows better than what all know. */
function ownOf({ works, unshared }: Office, companyId: string, id: string): KnownTrial | undefined {
  const own = [works.get(companyId), unshared.get(id)]
  return own.find((work) => work?.companyId === companyId && work.known.trial._id === id)?.known
}

/** What is kept outlives what nodes know of it. */
async function keptOf(
  { deps: { cluster, clock }, others }: Office,
  companyId: string,
  id: string,
): Promise<KeptTrial | undefined> {
  const name = trialFileName(companyId, id)
  if (!((keptUntilOf(name) ?? 0) > clock.now()) || (others.get(id) ?? companyId) !== companyId)
    return undefined
  const bytes = (await cluster.files.get(name)) ?? (await cluster.files.get(trialFileNameBefore(id)))
  const kept = bytes && decode(JSON.parse(new TextDecoder().decode(bytes)), KeptTrial, 'trial')
  if (kept !== undefined && kept.companyId !== companyId) others.set(id, kept.companyId)
  return kept?.companyId === companyId ? kept : undefined
}

/** As nodes know them; where they have all been started anew, as they are kept. Oldest first. */
async function listed(office: Office, companyId: string): Promise<KnownTrial[]> {
  const known = await trialsOf(office, companyId)
  if (known.length > 0) return known
  const names = await office.deps.cluster.files.names()
  const ids = names
    .toSorted((a, b) => (keptUntilOf(b) ?? 0) - (keptUntilOf(a) ?? 0))
    .flatMap((name) => trialOfFile(name, companyId) ?? [])
  const found: KnownTrial[] = []
  for (const id of ids) {
    const kept = await keptOf(office, companyId, id)
    if (kept !== undefined) found.push({ trial: kept.trial, node: '' })
    if (found.length === MOST_OF_COMPANY) break
  }
  return found.reverse()
}

/**
 * Oldest first. What a node is said to be at that is not, or says nothing any more, ended with it, unless what came of it is kept: of two
 * nodes that are at one for the same company each writes all of the list, and may write what it was before the other was done.
 */
function trialsOf(office: Office, companyId: string): Promise<KnownTrial[]> {
  const { deps, beats } = office
  const { cluster, clock } = deps
  const isSilent = beats.isSilent(companyId)
  const value = cluster.values.get(`${TRIALS}${companyId}`)
  const all = is(value, KnownTrials) ? value : []
  const there = all
    .filter(({ trial }) => (keptUntilOf(trialFileName(companyId, trial._id)) ?? 0) > clock.now())
    .map(async (known) => {
      const { trial, node } = known
      if (trial.state !== 'running') return known
      const own = ownOf(office, companyId, trial._id)
      if (own !== undefined) return own
      if (node !== cluster.node && !isSilent) return known
      const kept = await keptOf(office, companyId, trial._id)
      return { ...known, trial: kept?.trial ?? { ...trial, state: 'failed' as const, reason: ENDED } }
    })
  return Promise.all(there)
}

const put = (office: Office, companyId: string, known: KnownTrial): Promise<void> =>
  office.inTurn(companyId, () => putNow(office, companyId, known))

async function putNow(office: Office, companyId: string, known: KnownTrial): Promise<void> {
  const { cluster, report } = office.deps
  const all = await listed(office, companyId)
  const place = all.findIndex(({ trial }) => trial._id === known.trial._id)
  // another may have been begun since
  all.splice(place === -1 ? all.length : place, 1, known)
  const kept = all.slice(-MOST_OF_COMPANY)
  await cluster.values.set(`${TRIALS}${companyId}`, structuredClone(kept))
  for (const { trial } of all.slice(0, -kept.length))
    for (const name of [trialFileName(companyId, trial._id), trialFileNameBefore(trial._id)])
      cluster.files.remove(name).catch(report)
}

async function retried<T>(
  { deps: { patience, report }, atWork: work }: Office,
  ask: () => Promise<T>,
): Promise<T> {
  // its thread is being ended
  if (work === undefined) return ask()
  return untilAnswered(ask, {
    ...patience,
    signal: work.stopping.signal,
    onWait(error) {
      if (!work.isWaitLogged) report(error)
      work.isWaitLogged = true
    },
  })
}

async function begin(office: Office, wanted: Wanted, who: Who): Promise<LimitsTrial> {
  const { deps, works } = office
  const { companyId } = who
  if (works.has(companyId)) throw new TrialsFull(FULL)
  const now = deps.clock.now()
  const { from, to, things, ...about } = wanted
  const trial: LimitsTrial = {
    ...about,
    _id: `${randomUUID()}-${now + KEPT_MS}`,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    userName: who.userName,
    startedAt: new Date(now).toISOString(),
    state: 'running',
    reason: null,
    done: 0,
    of: things.length,
  }
  const known = { trial, node: deps.cluster.node }
  const work: Work = {
    ...{ companyId, known, stopping: new AbortController() },
    ...{ done: Promise.resolve(), isShared: Promise.resolve(), isWaitLogged: false },
  }
  works.set(companyId, work)
  try {
    await put(office, companyId, known)
  } catch (error) {
    works.delete(companyId)
    throw error
  }
  noteChanged()
  const before = office.over
  work.done = tried(office, work, wanted, who, before).catch(deps.report)
  office.over = Promise.all([before, work.done])
  return { ...trial }
}

async function tried(
  office: Office,
  work: Work,
  { from, to, things, groupId, quantity, candidates }: Wanted,
  who: Who,
  before: Promise<unknown>,
): Promise<void> {
  const { companyId, known, stopping } = work
  const { store, directory, clock, cluster, report } = office.deps
  const { trial } = known
  const order = (): RequestedOrder & { trial: Trial } => ({
    ...{ reportId: trial._id, kind: 'temperature', title: '', companyId, groupId, groups: [] },
    ...{ from, to, types: null, minDistance: null, speed: null, partOfDay: null },
    ...{ requestedBy: who.userName, requestedAt: clock.now(), upTo: store.log.head() },
    devices: things.flatMap((imei) => deviceByImei(directory, imei)?.no ?? []),
    trial: { quantity, candidates, exhausted: exhaustedBudgets(directory, quantity, things) },
  })
  let isPut = true
  const beating = setInterval(() => {
    // behind a slow store beats would pile up
    if (!isPut) return
    isPut = false
    put(office, companyId, known)
      .catch(unlessUnavailable(report))
      .finally(() => {
        isPut = true
      })
  }, BEAT_MS).unref()
  try {
    const { signal } = stopping
    signal.throwIfAborted()
    await Promise.race([before, once(signal, 'abort')])
    signal.throwIfAborted()
    office.atWork = work
    trial.startedAt = new Date(clock.now()).toISOString()
    const onProgress = (done: number): void => {
      trial.done = Math.min(things.length, Math.round(done * things.length))
    }
    const [file] = await office.worker.make(order(), onProgress, signal)
    if (file === undefined) throw new Error('nothing came of it')
    const result = decode(JSON.parse(new TextDecoder().decode(file.bytes)), TrialResult, 'trial')
    const { readings, seconds } = result
    office.pace.note({ readings, seconds, span: to - from, candidates: candidates.length })
    const done = { ...trial, state: 'done' as const, done: things.length }
    const kept: KeptTrial = { companyId, trial: done, result }
    const bytes = new TextEncoder().encode(JSON.stringify(kept))
    await retried(office, () => cluster.files.put(trialFileName(companyId, trial._id), bytes))
    Object.assign(trial, done)
  } catch (error) {
    if (stopping.signal.aborted) trial.state = 'cancelled'
    else {
      const isPlain = error instanceof ReportFault
      if (!isPlain) report(error)
      Object.assign(trial, { state: 'failed', reason: isPlain ? error.message : FAULT })
    }
  } finally {
    clearInterval(beating)
    await share(office, work)
    if (office.atWork === work) {
      office.atWork = undefined
      await office.worker.rest()
    }
  }
}

/**
 * Lets all nodes know what came of one; where the store is away, as soon as it is back, and nobody waits for that, nor does the
 * company's next one.
 */
async function share(office: Office, work: Work): Promise<void> {
  const { companyId, known } = work
  const { works, unshared } = office
  const { report, patience } = office.deps
  const putLast = () => put(office, companyId, known)
  const forget = () => unshared.delete(known.trial._id)
  unshared.set(known.trial._id, work)
  works.delete(companyId)
  try {
    await putLast()
    forget()
  } catch (error) {
    report(error)
    if (error instanceof StoreUnavailable)
      work.isShared = untilStored(putLast, office.closing.signal, patience).catch(report).finally(forget)
    else forget()
  }
}
