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

/** Another node went on with the archive meanwhile: what was made for it is of no use any more. */
export class Overtaken extends Error {
  constructor() {
    super('another node went on with the archive')
    this.name = 'Overtaken'
  }
}

export async function readState(sql: Query): Promise<ArchiveState> {
  const [row] = await sql<[ArchiveState]>`
    SELECT version, done_through AS "doneThrough", job, job_through AS "jobThrough", next_device AS "nextDevice",
      side, side_from AS "sideFrom", merge_from AS "mergeFrom", merge_device AS "mergeDevice"
    FROM telemetry_state`
  return row
}

export type ChangeOptions = {
  /** whether what was done may be lost with the server, with all that comes after it: it is done again then */
  isRepeatable?: boolean
  /** ms to wait for readers of a table that is dropped or emptied; rejects with StoreUnavailable */
  lockWithin?: number
}

/**
 * A transaction over the archive that goes on from a known state, while no other node writes to it. `write` answers the
 * state afterwards. That state, and not who leads, decides who may write: two nodes that both compact get in each other's
 * way, and in no other trouble. Rejects with Overtaken where the state is another one.
 */
export async function changeArchive(
  database: Database,
  from: ArchiveState,
  write: (sql: Query) => Promise<Omit<ArchiveState, 'version'>>,
  { isRepeatable = false, lockWithin }: ChangeOptions = {},
): Promise<ArchiveState> {
  return database.transaction(async (sql) => {
    await lockArchive(sql)
    if (!isSame(await readState(sql), from)) throw new Overtaken()
    if (isRepeatable) await sql`SET LOCAL synchronous_commit = off`
    if (lockWithin !== undefined) await sql`SELECT set_config('lock_timeout', ${`${lockWithin}ms`}, true)`
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
