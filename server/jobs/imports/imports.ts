import { randomUUID } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import type { Clock } from '#machines/contracts/clock.ts'
import {
  type DeviceImport,
  IMPORT_LINES,
  type LineRemark,
} from '#machines/contracts/entities/device-records.ts'
import type { Directory } from '#machines/projections/directory.ts'
import {
  columnsOf,
  type ImportPlan,
  type PlannedDevice,
  type Planning,
  planRow,
  rowOf,
  startPlan,
} from '../../commands/devices/plan-import.ts'
import { type Registrar, registerDevices } from '../../commands/devices/register-devices.ts'
import type { Execute } from '../../commands/execute.ts'
import { STRUCTURE } from '../../commands/structure.ts'
import type { Line } from './read-rows.ts'
import type { FromReadingThread } from './reading-thread.ts'

/**
 * Lists of devices that are being read, wait to be taken, or are being added: jobs of this node, in memory. What was added is in the
 * record; a list that a restart cuts off is sent again, and adds what was not added.
 */
export type Imports = {
  /** @throws ImportsFull where others are under way */
  begin(file: { bytes: Uint8Array; fileName: string }, who: Registrar): DeviceImport
  /** of this visitor's company; undefined: there is none */
  find(id: string, who: Pick<Registrar, 'userId' | 'companyId'>): Import | undefined
  /** adds what was checked, with what `who`, its sender, may do by now */
  apply(job: Import, who: Registrar, keepsGoodLines: boolean): DeviceImport | 'has-faults' | 'not-checked'
  cancel(job: Import): DeviceImport
  /** ends what is under way */
  stop(): Promise<void>
}

export class ImportsFull extends Error {}

/** One list. */
export type Import = {
  readonly shown: DeviceImport
  readonly who: Registrar
  readonly faults: LineRemark[]
  readonly warnings: LineRemark[]
  devices: PlannedDevice[]
  /** epoch ms after which it is forgotten */
  keptUntil: number
  readonly stopping: AbortController
  work: Promise<void>
}

type Deps = { directory: Directory; execute: Execute; clock: Clock; report: (error: unknown) => void }

const KEPT_MS = 60 * 60_000
const MOST_KEPT = 50
/** so that nobody can push out what others are about to take */
const MOST_OF_COMPANY = 5
const AT_ONCE = 2
/** Devices appended together: a few milliseconds, after which others have their turn. */
const DEVICES_A_SLICE = 200
/** MB of the thread's heap, and how long it may take */
const HEAP_MB = 1024
const READING_MS = 120_000

const isUnderWay = ({ shown }: Import): boolean => shown.state === 'reading' || shown.state === 'adding'

export function createImports(deps: Deps): Imports {
  const { clock } = deps
  const jobs = new Map<string, Import>()
  const forgetOld = (): void => {
    const now = clock.now()
    for (const [id, job] of jobs)
      if (!isUnderWay(job) && (job.keptUntil <= now || jobs.size > MOST_KEPT)) jobs.delete(id)
  }
  /** the oldest of a company make room for its next one */
  const makeRoom = (companyId: string): void => {
    const theirs = [...jobs].filter(([, { who }]) => who.companyId === companyId)
    for (const [id] of theirs.slice(0, Math.max(0, theirs.length - MOST_OF_COMPANY + 1))) jobs.delete(id)
  }
  return {
    begin({ bytes, fileName }, who) {
      forgetOld()
      const busy = [...jobs.values()].filter(isUnderWay)
      if (busy.length >= AT_ONCE || busy.some((job) => job.who.companyId === who.companyId))
        throw new ImportsFull('Another list is being read or added: try again when it is done')
      makeRoom(who.companyId)
      const job = newImport(fileName, who, clock.now() + KEPT_MS)
      jobs.set(job.shown._id, job)
      job.work = read(deps, job, bytes)
      return job.shown
    },
    find(id, { userId, companyId }) {
      forgetOld()
      const job = jobs.get(id)
      return job?.who.companyId === companyId && job.who.userId === userId ? job : undefined
    },
    apply(job, who, keepsGoodLines) {
      if (job.shown.state !== 'checked') return 'not-checked'
      if (job.faults.length > 0 && !keepsGoodLines) return 'has-faults'
      job.work = add(deps, job, who)
      return job.shown
    },
    cancel(job) {
      job.stopping.abort()
      if (job.shown.state === 'checked') end(job, 'cancelled')
      return job.shown
    },
    async stop() {
      for (const job of jobs.values()) job.stopping.abort()
      await Promise.all([...jobs.values()].map(({ work }) => work))
    },
  }
}

function newImport(fileName: string, who: Registrar, keptUntil: number): Import {
  return {
    shown: {
      _id: randomUUID(),
      fileName,
      state: 'reading',
      lines: 0,
      toAdd: 0,
      known: 0,
      differing: 0,
      faults: 0,
      warnings: 0,
      added: 0,
      reason: null,
    },
    who,
    faults: [],
    warnings: [],
    devices: [],
    keptUntil,
    stopping: new AbortController(),
    work: Promise.resolve(),
  }
}

function end(job: Import, state: DeviceImport['state'], reason: string | null = null): void {
  Object.assign(job.shown, { state, reason })
  job.devices = []
}

/** Reads the file on a thread and plans it here, a slice of lines at a time. */
async function read(deps: Deps, job: Import, bytes: Uint8Array): Promise<void> {
  const planning = startPlan(deps.directory, job.who)
  const taking: Taking = { job, planning, columns: undefined }
  try {
    await eachSlice(bytes, job.stopping.signal, (lines) => takeLines(taking, lines))
    if (taking.columns === undefined) throw new ImportFault('The file is empty')
    showPlan(job, planning.plan)
    job.faults.push(...planning.plan.faults)
    job.warnings.push(...planning.plan.warnings)
    job.devices = planning.plan.devices
    job.shown.state = 'checked'
  } catch (error) {
    if (job.stopping.signal.aborted) end(job, 'cancelled')
    else {
      if (!(error instanceof ImportFault)) deps.report(error)
      end(job, 'failed', error instanceof ImportFault ? error.message : 'The file cannot be read')
    }
  }
}

/** Why a file is refused as a whole, for whoever sent it. */
class ImportFault extends Error {}

type Taking = {
  job: Import
  planning: Planning
  /** once the heading was seen */
  columns: Exclude<ReturnType<typeof columnsOf>, string> | undefined
}

function takeLines(taking: Taking, lines: readonly Line[]): void {
  const { job, planning } = taking
  for (const { line, cells } of lines) {
    if (taking.columns === undefined) {
      if (cells.every((cell) => cell.trim() === '')) continue
      const columns = columnsOf(cells)
      if (typeof columns === 'string') throw new ImportFault(columns)
      taking.columns = columns
      continue
    }
    const row = rowOf(cells, taking.columns, line)
    if (row === undefined) continue
    if (job.shown.lines >= IMPORT_LINES)
      throw new ImportFault(`The list has more than ${IMPORT_LINES.toLocaleString('en')} lines: part it`)
    planRow(planning, row)
    job.shown.lines++
  }
  showPlan(job, planning.plan)
}

function showPlan({ shown }: Import, { devices, known, differing, faults, warnings }: ImportPlan): void {
  shown.toAdd = devices.length
  shown.known = known
  shown.differing = differing
  shown.faults = faults.length
  shown.warnings = warnings.length
}

/** Has a thread read the file; what is too large for it ends the thread and not the server. */
function eachSlice(bytes: Uint8Array, signal: AbortSignal, take: (lines: Line[]) => void): Promise<void> {
  const worker = new Worker(new URL('./reading-thread.ts', import.meta.url), {
    name: 'device-import',
    workerData: bytes,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const tooMuch = (): void =>
    reject(new ImportFault('The file takes too much to read: part it, or save it as CSV'))
  const timer = setTimeout(tooMuch, READING_MS)
  const cancelled = (): void => reject(signal.reason)
  signal.addEventListener('abort', cancelled, { once: true })
  worker.on('message', (message: FromReadingThread) => {
    if (message.is === 'end') resolve()
    else if (message.is === 'unreadable') reject(new ImportFault(message.reason))
    else
      try {
        take(message.lines)
        worker.postMessage('taken')
      } catch (error) {
        reject(error)
      }
  })
  worker.once('error', (error: Error & { code?: string }) =>
    error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuch() : reject(error),
  )
  worker.once('exit', tooMuch)
  return promise.finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', cancelled)
    void worker.terminate()
  })
}

/** Appends a slice after the other, each decided anew on what there is then; others have their turn between them. */
async function add({ execute, report }: Deps, job: Import, who: Registrar): Promise<void> {
  const { shown, stopping } = job
  shown.state = 'adding'
  const { devices } = job
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
        (state, command) => registerDevices(state, command, who),
      )
      if (refused) return end(job, 'failed', refused.message)
      shown.added += facts.length
      await new Promise((resolve) => setImmediate(resolve))
    }
    end(job, stopping.signal.aborted ? 'cancelled' : 'done')
  } catch (error) {
    report(error)
    end(
      job,
      'failed',
      'The devices could not be stored. Send the same list again: what is added already stays.',
    )
  }
}
