import { randomUUID } from 'node:crypto'
import type { Clock } from '#machines/contracts/clock.ts'
import type { DeviceImport } from '#machines/contracts/entities/device-records.ts'
import type { Directory } from '#machines/projections/directory.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import { createTurns, type Turns } from '../../cluster/turns.ts'
import { type ImportPlan, startPlan } from '../../commands/devices/plan-import.ts'
import { type Registrar, registerDevices, registrarNow } from '../../commands/devices/register-devices.ts'
import type { Execute } from '../../commands/execute.ts'
import { noteChanged } from '../../commands/repeatable.ts'
import { STRUCTURE } from '../../commands/structure.ts'
import { importFileName } from '../../store/report-files.ts'
import { unlessUnavailable } from '../../store/store.ts'
import { BEAT_MS } from '../beats.ts'
import {
  type CompanyLists,
  createCompanyLists,
  isUnderWay,
  type SentList,
  STOPPED,
  stoppedBecause,
} from './company-lists.ts'
import { ImportFault, planFile, startReading } from './plan-file.ts'

/**
 * Lists of devices that are read, wait to be taken, or are being added. The node that a call reaches works on a list; its file lies
 * where all nodes read it, and how far it is they all know. What was added is in the record, and is passed over where the list is
 * taken again. All but `stop` reject with StoreUnavailable.
 */
export type Imports = {
  /** @throws ImportsFull where others are under way */
  begin(file: { bytes: Uint8Array; fileName: string }, who: Registrar): Promise<DeviceImport>
  /** of this visitor's company; undefined: there is none */
  find(id: string, who: Pick<Registrar, 'userId' | 'companyId'>): Promise<SentList | undefined>
  /** what it would do; undefined: its file is there no more */
  plan(list: SentList, who: Registrar): Promise<ImportPlan | undefined>
  /** adds what was checked, with what `who`, its sender, may do while it is added */
  apply(
    list: SentList,
    who: Registrar,
    keepsGoodLines: boolean,
  ): Promise<DeviceImport | 'has-faults' | 'not-checked' | 'gone'>
  /** reads and checks one anew whose server ended, or could not store. @throws ImportsFull */
  retry(list: SentList, who: Registrar): Promise<DeviceImport | 'not-stopped' | 'gone'>
  cancel(list: SentList, who: Pick<Registrar, 'companyId'>): Promise<DeviceImport>
  /** ends what is under way; it can be tried again on another node */
  stop(): Promise<void>
}

export class ImportsFull extends Error {}

type Deps = {
  directory: Directory
  execute: Execute
  clock: Clock
  cluster: Pick<Cluster, 'node' | 'values' | 'files'>
  report: (error: unknown) => void
}

/** A list this node has worked on. */
type Work = {
  readonly companyId: string
  readonly list: SentList
  readonly stopping: AbortController
  /** the state that the other nodes know */
  published: DeviceImport['state'] | undefined
  /** words to the other nodes that are on their way */
  publishing: number
  done: Promise<void>
}

type Office = {
  readonly deps: Deps
  readonly lists: CompanyLists
  /** by id; no longer those that another node has taken up */
  readonly works: Map<string, Work>
  /** what files that were read here would do, by id of their list */
  readonly plans: Map<string, Promise<ImportPlan>>
  /** what is read again is read one after the other: each may take half a gigabyte meanwhile */
  readonly inTurn: Turns
  isClosing: boolean
}

const KEPT_MS = 60 * 60_000
/** One of 100,000 devices takes some 50 MB. */
const MOST_PLANS = 4
const AT_ONCE = 2
/** Devices appended together: a few milliseconds, after which others have their turn. */
const DEVICES_A_SLICE = 200
const FULL = 'Another list is being read or added: try again when it is done'
const NOT_STORED = 'The devices could not be stored. Try again: what is added already stays.'

export function createImports(deps: Deps): Imports {
  const { node, values, files } = deps.cluster
  const works: Office['works'] = new Map()
  const worksOn = (id: string): boolean => works.has(id)
  const lists = createCompanyLists({ ...deps, values, files, node, worksOn })
  const office: Office = { deps, lists, works, plans: new Map(), inTurn: createTurns(), isClosing: false }
  const unlisten = lists.listen({
    lists: (companyId) => hear(office, companyId),
    stop: (id) => works.get(id)?.stopping.abort(),
  })
  const beating = setInterval(() => beat(office), BEAT_MS).unref()
  return {
    begin: (file, who) => begin(office, file, who),
    find: (id, who) => find(office, id, who),
    plan: (list, who) => planOf(office, list, who),
    apply: (list, who, keepsGoodLines) => apply(office, list, who, keepsGoodLines),
    retry: (list, who) => retry(office, list, who),
    cancel: (list, who) => cancel(office, list, who),
    async stop() {
      office.isClosing = true
      clearInterval(beating)
      for (const { stopping } of works.values()) stopping.abort()
      await Promise.all([...works.values()].map(({ done }) => done))
      unlisten()
    },
  }
}

async function find(
  { lists, works, deps }: Office,
  id: string,
  { userId, companyId }: Pick<Registrar, 'userId' | 'companyId'>,
): Promise<SentList | undefined> {
  const mine = works.get(id)
  if (mine === undefined || !isUnderWay(mine.list.job)) await deps.cluster.values.refresh()
  const shared = lists.of(companyId).find(({ job }) => job._id === id)
  if (shared?.userId !== userId) return undefined
  return works.get(id)?.list ?? shared
}

async function begin(
  office: Office,
  { bytes, fileName }: { bytes: Uint8Array; fileName: string },
  who: Registrar,
): Promise<DeviceImport> {
  const { deps } = office
  await deps.cluster.values.refresh()
  refuseWhereFull(office, who)
  const job = newJob(randomUUID(), fileName)
  const work = take(office, { job, userId: who.userId, keptUntil: deps.clock.now() + KEPT_MS }, who)
  await begun(office, work, async () => {
    await deps.cluster.files.put(importFileName(job._id, work.list.keptUntil), bytes)
    await publish(office, work)
  })
  work.done = check(office, work, who, bytes)
  return job
}

const newJob = (id: string, fileName: string): DeviceImport => ({
  _id: id,
  fileName,
  state: 'reading',
  ...{ lines: 0, toAdd: 0, known: 0, differing: 0, faults: 0, warnings: 0, added: 0 },
  reason: null,
})

/** To be asked in the turn in which the list is taken, else another is taken beside it. @throws ImportsFull */
function refuseWhereFull({ lists, works }: Office, { companyId }: Registrar): void {
  const here = [...works.values()].filter(({ list }) => isUnderWay(list.job))
  const isOfCompany = here.some((work) => work.companyId === companyId)
  if (here.length >= AT_ONCE || isOfCompany || lists.of(companyId).some(({ job }) => isUnderWay(job)))
    throw new ImportsFull(FULL)
}

/** Makes a list this node's to work on. */
function take(office: Office, list: Omit<SentList, 'node'>, { companyId }: Registrar): Work {
  forgetOld(office)
  const work: Work = {
    companyId,
    list: { ...list, node: office.deps.cluster.node },
    stopping: new AbortController(),
    published: undefined,
    publishing: 0,
    done: Promise.resolve(),
  }
  office.works.set(list.job._id, work)
  return work
}

function forgetOld({ works, plans, deps }: Office): void {
  const now = deps.clock.now()
  for (const [id, { list }] of works) {
    if (isUnderWay(list.job) || list.keptUntil > now) continue
    works.delete(id)
    plans.delete(id)
  }
}

/** What is to be done before it is worked on; a list of which that fails is not taken. */
async function begun({ works }: Office, { list }: Work, steps: () => Promise<void>): Promise<void> {
  try {
    await steps()
  } catch (error) {
    works.delete(list.job._id)
    throw error
  }
}

/** Has the other nodes know how far it is. Rejects with StoreUnavailable */
async function publish({ lists, works }: Office, work: Work): Promise<void> {
  const { _id, state } = work.list.job
  if (works.get(_id) !== work) return
  work.publishing++
  try {
    await lists.put(work.companyId, work.list)
    work.published = state
  } finally {
    work.publishing--
  }
}

/** Says a word of each that is under way, and again what the others did not get; behind a slow store none waits for another. */
function beat(office: Office): void {
  for (const work of office.works.values())
    if (work.publishing === 0 && (isUnderWay(work.list.job) || work.published !== work.list.job.state))
      publish(office, work).catch(unlessUnavailable(office.deps.report))
}

/** What another node has taken up, or made no room for, is this node's no more. */
function hear({ lists, works, plans, deps }: Office, companyId: string): void {
  const known = new Map(lists.of(companyId).map((list) => [list.job._id, list]))
  for (const [id, work] of works) {
    if (work.companyId !== companyId || work.published === undefined) continue
    const other = known.get(id)
    if (other?.node === deps.cluster.node) work.published = other.job.state
    else if (other !== undefined || !isUnderWay(work.list.job)) {
      works.delete(id)
      plans.delete(id)
      work.stopping.abort()
    }
  }
}

/** Reads a list, for somebody to say then that it is to be taken. */
async function check(office: Office, work: Work, who: Registrar, bytes: Uint8Array): Promise<void> {
  const { job } = work.list
  try {
    await keepPlan(office, job._id, readInto(office, work, who, bytes))
    job.state = 'checked'
  } catch (error) {
    failed(office, work, error)
  }
  await publish(office, work).catch(unlessUnavailable(office.deps.report))
}

async function readInto(
  office: Office,
  { list: { job }, stopping }: Work,
  who: Registrar,
  bytes: Uint8Array,
) {
  const reading = startReading(startPlan(office.deps.directory, who))
  const { plan } = reading.planning
  const onSlice = (): void => {
    job.lines = reading.lines
    job.toAdd = plan.devices.length
    job.known = plan.known
    job.differing = plan.differing
    job.faults = plan.faults.length
    job.warnings = plan.warnings.length
  }
  await planFile(reading, bytes, { signal: stopping.signal, onSlice })
  return plan
}

function failed({ deps, isClosing }: Office, { list: { job }, stopping }: Work, error: unknown): void {
  if (stopping.signal.aborted)
    Object.assign(job, isClosing ? stoppedBecause(STOPPED) : { state: 'cancelled', reason: null })
  else if (error instanceof ImportFault) Object.assign(job, { state: 'failed', reason: error.message })
  else {
    deps.report(error)
    Object.assign(job, { state: 'failed', reason: 'The file cannot be read' })
  }
}

/** The oldest are forgotten: they can be read again. */
function keepPlan({ plans }: Office, id: string, plan: Promise<ImportPlan>): Promise<ImportPlan> {
  plans.delete(id)
  plans.set(id, plan)
  for (const old of [...plans.keys()].slice(0, -MOST_PLANS)) plans.delete(old)
  plan.catch(() => plans.delete(id))
  return plan
}

/** As this node read it, or reads it now: whoever is asked about a list may not be who checked it. */
async function planOf(office: Office, list: SentList, who: Registrar): Promise<ImportPlan | undefined> {
  const { plans, inTurn } = office
  const { _id } = list.job
  return plans.get(_id) ?? inTurn('', async () => plans.get(_id) ?? readAgain(office, list, who))
}

async function readAgain(office: Office, list: SentList, who: Registrar): Promise<ImportPlan | undefined> {
  const { deps } = office
  const { _id } = list.job
  const bytes = await deps.cluster.files.get(importFileName(_id, list.keptUntil))
  if (bytes === undefined) return undefined
  const reading = startReading(startPlan(deps.directory, who))
  const { signal } = new AbortController()
  const read = planFile(reading, bytes, { signal, onSlice: () => {} })
  return keepPlan(
    office,
    _id,
    read.then(() => reading.planning.plan),
  )
}

async function apply(
  office: Office,
  list: SentList,
  who: Registrar,
  keepsGoodLines: boolean,
): Promise<DeviceImport | 'has-faults' | 'not-checked' | 'gone'> {
  if (list.job.state !== 'checked') return 'not-checked'
  if (list.job.faults > 0 && !keepsGoodLines) return 'has-faults'
  const work = take(office, { ...list, job: { ...list.job, state: 'adding', added: 0 } }, who)
  let plan: ImportPlan | undefined
  await begun(office, work, async () => {
    plan = await planOf(office, list, who)
    if (plan !== undefined) await publish(office, work)
  })
  if (plan === undefined) {
    office.works.delete(list.job._id)
    return 'gone'
  }
  noteChanged()
  work.done = add(office, work, who, plan)
  return work.list.job
}

async function retry(
  office: Office,
  list: SentList,
  who: Registrar,
): Promise<DeviceImport | 'not-stopped' | 'gone'> {
  const { job, userId, keptUntil } = list
  if (!job.canRetry) return 'not-stopped'
  const bytes = await office.deps.cluster.files.get(importFileName(job._id, keptUntil))
  if (bytes === undefined) return 'gone'
  await office.deps.cluster.values.refresh()
  refuseWhereFull(office, who)
  const work = take(office, { job: newJob(job._id, job.fileName), userId, keptUntil }, who)
  await begun(office, work, () => publish(office, work))
  noteChanged()
  work.done = check(office, work, who, bytes)
  return work.list.job
}

async function cancel(
  office: Office,
  list: SentList,
  { companyId }: Pick<Registrar, 'companyId'>,
): Promise<DeviceImport> {
  const { lists, works, deps } = office
  const { job } = list
  const mine = works.get(job._id)
  if (isUnderWay(job)) {
    if (mine === undefined) await lists.askToStop(companyId, job._id)
    else mine.stopping.abort()
  } else if (job.state === 'checked') {
    const cancelled = { ...list, node: deps.cluster.node, job: { ...job, state: 'cancelled' as const } }
    works.delete(job._id)
    office.plans.delete(job._id)
    await lists.put(companyId, cancelled)
    return cancelled.job
  }
  return job
}

/**
 * Appends a slice after the other, each decided anew on what there is then, what `who` may do included; others have their turn
 * between them.
 */
async function add(office: Office, work: Work, who: Registrar, plan: ImportPlan): Promise<void> {
  const { execute, report } = office.deps
  const { list, stopping } = work
  const { job } = list
  const { devices } = plan
  // what it says of the lines is kept
  plan.devices = []
  try {
    for (let from = 0; from < devices.length && !stopping.signal.aborted; from += DEVICES_A_SLICE) {
      const slice = devices.slice(from, from + DEVICES_A_SLICE)
      const { facts, refused } = await execute(
        STRUCTURE,
        {
          type: 'device.register',
          by: who.userId,
          data: { devices: slice, source: 'tracker', skipKnown: true },
        },
        (state, command) => {
          const now = registrarNow(state, who)
          return 'status' in now ? { facts: [], refused: now } : registerDevices(state, command, now)
        },
      )
      if (refused) throw new ImportFault(refused.message)
      job.added += facts.length
      await new Promise((resolve) => setImmediate(resolve))
    }
    if (stopping.signal.aborted) failed(office, work, undefined)
    else job.state = 'done'
  } catch (error) {
    if (error instanceof ImportFault) failed(office, work, error)
    else {
      report(error)
      Object.assign(job, stoppedBecause(NOT_STORED))
    }
  }
  await publish(office, work).catch(unlessUnavailable(office.deps.report))
}
