import type { DamageRegister } from '../damage.ts'
import { StoreUnavailable } from '../store.ts'
import type { Database } from './database.ts'
import { LOCKS } from './locks.ts'
import type { Query } from './session.ts'

/** The one row that says how far compaction and merging are; see migration 002. */
export type ArchiveState = {
  version: number
  doneThrough: number
  job: number
  jobThrough: number | null
  nextDevice: number
  side: number
  sideFrom: number
  mergeFrom: number | null
  mergeDevice: number
}

/** Where the archive is, and of which epoch of the record. */
export type ArchivePlace = { database: Database; epoch: number; damage: DamageRegister }

/** Another node went on with the archive meanwhile: what was made for it is of no use any more. */
export class Overtaken extends Error {
  constructor() {
    super('another node went on with the archive')
    this.name = 'Overtaken'
  }
}

/** @throws StoreUnavailable where the record is of another epoch than this node's: its store is to be opened anew */
export async function readState(sql: Query, ofEpoch: number): Promise<ArchiveState> {
  const [row] = await sql<[ArchiveState & { epoch: number }]>`
    SELECT (SELECT epoch FROM log) AS epoch, version, done_through AS "doneThrough", job, job_through AS "jobThrough", next_device AS "nextDevice",
      side, side_from AS "sideFrom", merge_from AS "mergeFrom", merge_device AS "mergeDevice"
    FROM telemetry_state`
  const { epoch, ...state } = row
  if (epoch !== ofEpoch) throw new StoreUnavailable('the record was begun anew')
  return state
}

export type ChangeOptions = {
  /** whether what was done may be lost with the server, with all that comes after it: it is done again then */
  isRepeatable?: boolean
  /** whether a table is emptied, see impatient */
  isImpatient?: boolean
}

/**
 * A transaction over the archive that goes on from a known state, while no other node writes to it. `write` answers the
 * state afterwards. That state, and not who leads, decides who may write: two nodes that both compact get in each other's
 * way, and in no other trouble. Rejects with Overtaken where the state is another one.
 */
export async function changeArchive(
  { database, epoch }: ArchivePlace,
  from: ArchiveState,
  write: (sql: Query) => Promise<Omit<ArchiveState, 'version'>>,
  { isRepeatable = false, isImpatient = false }: ChangeOptions = {},
): Promise<ArchiveState> {
  return database.transaction(async (sql) => {
    await lockArchive(sql)
    if (!isSame(await readState(sql, epoch), from)) throw new Overtaken()
    if (isRepeatable) await sql`SET LOCAL synchronous_commit = off`
    if (isImpatient) await impatient(sql)
    const to = { ...(await write(sql)), version: from.version + 1 }
    await sql`
      UPDATE telemetry_state SET version = ${to.version}, done_through = ${to.doneThrough}, job = ${to.job},
        job_through = ${to.jobThrough}, next_device = ${to.nextDevice}, side = ${to.side},
        side_from = ${to.sideFrom}, merge_from = ${to.mergeFrom}, merge_device = ${to.mergeDevice}`
    return to
  })
}

/** All of it: what a server lost that failed may have had the same version as what came instead. */
function isSame(a: ArchiveState, b: ArchiveState): boolean {
  return (Object.keys(a) as (keyof ArchiveState)[]).every((name) => a[name] === b[name])
}

/** Keeps all other writers from the archive until the transaction ends: by its own statement, before anything is read. */
export async function lockArchive(sql: Query): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${LOCKS.space}, ${LOCKS.archive})`
}

/**
 * Waits no longer than a moment for those who read a table that is to be dropped or emptied: whoever comes meanwhile waits
 * too, and a backup reads for hours. See unlessBusy.
 */
export async function impatient(sql: Query): Promise<void> {
  await sql`SET LOCAL lock_timeout = '50ms'`
}

/** What is answered, or false where others read on for longer than a moment: to be tried another time. */
export async function unlessBusy(work: () => Promise<boolean>): Promise<boolean> {
  try {
    return await work()
  } catch (error) {
    const LOCK_NOT_AVAILABLE = '55P03'
    const { cause } = error as { cause?: { code?: unknown } }
    if (error instanceof StoreUnavailable && cause?.code === LOCK_NOT_AVAILABLE) return false
    throw error
  }
}
