import type { DamageRegister } from '../damage.ts'
import type { Store } from '../store.ts'
import type { TelemetryOptions } from '../telemetry-options.ts'
import { FACT_FORMAT, type FactFormat } from '../upcast.ts'
import { createSharedAnswers } from './answers.ts'
import { createSharedAside } from './aside.ts'
import { createCheck } from './check.ts'
import { createCheckpoints } from './checkpoints.ts'
import { type Copy, type Original, openCopy } from './copy.ts'
import { openDamage } from './damage-table.ts'
import { type Database, openDatabase } from './database.ts'
import { createEventLog } from './event-log.ts'
import { Follower } from './follower.ts'
import { createSharedFrames } from './frames.ts'
import { migrate } from './migrations.ts'
import type { Record } from './record.ts'
import { createSharedSeals } from './seals.ts'
import { type RowBus, shareRows } from './sharing.ts'
import { openTelemetry } from './telemetry.ts'
import { createWriter } from './writer.ts'

export type PostgresOptions = TelemetryOptions & {
  /** its address, or one that is open and stays so when the store is closed */
  database: string | Database
  /** folder of this node's copy, made when missing, or `':memory:'`; each node has one of its own */
  dir: string
  /** in which facts are written and read; of this release where left out */
  factFormat?: FactFormat | undefined
  /** by which nodes publish to each other what they appended; without one each fetches it from the database */
  bus?: RowBus | undefined
  /** whether this node leads now, so that its checkpoints are for all (it does) */
  leads?: (() => boolean) | undefined
  /**
   * Called once when the record is not the one that was copied any more: it was emptied, has lost entries, or deleted some that
   * this node had not seen. Nothing is appended or followed after that; the store is to be closed and opened anew.
   */
  onStale?: ((why: string) => void) | undefined
  /** Called again and again for as long as this node's disk does not take the record: this node cannot know what it says. */
  onUnable?: ((why: string) => void) | undefined
}

/**
 * Opens the store over a database that several nodes share: brings its tables up to this release, and this node's copy
 * up to the head.
 * @throws StoreUnavailable when nobody answers, Error when a later release was there or the folder is another process's
 */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const { database: given, dir, factFormat = FACT_FORMAT } = options
  const database = typeof given === 'string' ? await openDatabase(given) : given
  const closeDatabase = async () => {
    if (typeof given === 'string') await database.close()
  }
  try {
    await migrate(database)
    const damage = await openDamage(database)
    const copy = openCopy(dir, await originalOf(database), factFormat, damage)
    try {
      return await overCopy({ database, copy, damage }, options, closeDatabase)
    } catch (error) {
      copy.close()
      throw error
    }
  } catch (error) {
    await closeDatabase()
    throw error
  }
}

async function originalOf(database: Database): Promise<Original> {
  const found = await database.ask(async (sql) => {
    // writers that went away; none is asked again about what it did a day ago
    await sql`DELETE FROM writers WHERE at < now() - interval '1 day'`
    return sql<Original[]>`SELECT database, epoch FROM log`
  })
  if (found[0] === undefined) throw new Error('the record has no state: something emptied its tables')
  return found[0]
}

async function overCopy(
  { database, copy, damage }: { database: Database; copy: Copy; damage: DamageRegister },
  options: PostgresOptions,
  closeDatabase: () => Promise<void>,
): Promise<Store> {
  const { clock, leads = () => true, retentionDays, tailRows, sliceMs } = options
  const { factFormat = FACT_FORMAT, onStale = () => {}, onUnable = () => {} } = options
  const original = await originalOf(database)
  const follower = new Follower(database, copy, original, { onStale, onUnable })
  const checkpoints = createCheckpoints(database, copy, original.epoch, () => leads() && follower.follows())
  const sharing = options.bus && shareRows(options.bus, original, follower)
  const writer = createWriter(
    database,
    {
      offer: (rows) => (sharing ?? follower).offer(rows),
      reached: (seq) => follower.reached(seq),
    },
    original.epoch,
  )
  const check = createCheck(database, damage)
  let isClosed = false
  const record: Record = {
    database,
    damage,
    epoch: original.epoch,
    async appendBatch(bytes, recordedAt) {
      const { rows } = await writer.submit({ kind: 'batch', recordedAt, bytes })
      return { seq: rows[0]?.seq ?? 0 }
    },
    batchPage: copy.batchPage,
    onBatch: (listener) => follower.onBatch(listener),
    head: copy.head,
    batchesFrom: copy.batchesFrom,
    caughtUp: () => follower.caughtUp(),
    checkpointsShared: checkpoints.shared,
    isClosed: () => isClosed,
  }
  try {
    // first where the others are, then the record: it has all they have seen
    await checkpoints.caughtUp()
    await follower.begin()
    sharing?.listen()
    const telemetry = await openTelemetry(record, { clock, retentionDays, tailRows, sliceMs })
    return {
      log: createEventLog(database, writer, follower, copy, clock, factFormat),
      telemetry,
      checkpoints,
      aside: createSharedAside(database),
      frames: createSharedFrames(database),
      answers: createSharedAnswers(database),
      seals: createSharedSeals(database, original.epoch),
      damage,
      check: async (ms) => isClosed || check(ms),
      async close() {
        if (isClosed) return
        isClosed = true
        await writer.close()
        await telemetry.close()
        // who leads next goes on from the one before
        await checkpoints.shared().catch(() => {})
        sharing?.stop()
        follower.stop()
        copy.close()
        await closeDatabase()
      },
    }
  } catch (error) {
    sharing?.stop()
    follower.stop()
    await writer.close()
    throw error
  }
}
