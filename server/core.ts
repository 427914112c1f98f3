import type { Clock } from '#machines/contracts/clock.ts'
import { type Access, createAccess } from './auth/access.ts'
import { hashPassword } from './auth/passwords.ts'
import { tokenSecret } from './auth/token-secret.ts'
import { createExecute, type Execute } from './commands/execute.ts'
import { claimRecord, type RecordUse } from './commands/registration/record-use.ts'
import { type Registration, register } from './commands/registration/register.ts'
import type { Env } from './config/config.ts'
import { everySoOften } from './every-so-often.ts'
import type { Infrastructure } from './infrastructure.ts'
import { createIngest, type Ingest } from './ingest/pipeline.ts'
import { type Projecting, startProjecting } from './read-models/read-models.ts'
import { ANSWERS_KEPT_MS } from './store/answers.ts'
import { openStore } from './store/open.ts'
import { type CheckStats, createRecordChecking } from './store/record-checking.ts'
import type { Store } from './store/store.ts'
import { warnWhereUnsaved } from './store/unsaved-checkpoints.ts'

/** The way of a reading through the server, from the door to what screens request; listens nowhere. */
export type Core = {
  store: Store
  readModels: Projecting
  access: Access
  execute: Execute
  ingest: Ingest
  /** resolves when all that is in the log is folded in, and evaluated where this node evaluates */
  settled(): Promise<void>
  /** lets somebody follow the record who is waited for, and saved, with the rest; answers how to leave */
  join(follower: Follower): () => Promise<void>
  /** some milliseconds of compaction and retention; whether there is more to do */
  tidyUp(): Promise<boolean>
  /** how the reading through the record for damage goes */
  checked(): CheckStats
  /** writes what waits, saves where everybody is, closes the store */
  close(): Promise<void>
}

type Follower = { settled(seq: number): Promise<void>; checkpoint(): void }

export type CoreOptions = {
  env: Pick<Env, 'dataDir' | 'databaseUrl' | 'tokenSecret' | 'activationTtl' | 'resetTtl' | 'publicUrl'>
  clock: Clock
  /** what stands between the store and those who use it; throws where the store is of no use */
  wrapStore?: (store: Store) => Store
  /** who there must be before the first reading; what the log knows already is left as it is. Undefined: nobody */
  registration?: Registration | undefined
  /** what the record is for; one of another use is refused */
  use: RecordUse
  infrastructure: Pick<Infrastructure, 'cluster' | 'database' | 'bus'>
  /** ms that only ever grow, for limits on guessing */
  uptime?: (() => number) | undefined
  /** called once when the record is another by now, or not what this node has of it: all this is to be opened anew */
  onStale(why: string): void
  /** for operators */
  warn?: (message: string) => void
}

const CHECKPOINT_MS = 60_000
/** The store keeps what a follower has not saved for two hours of the server's clock, which may be a fast one. */
const CHECKPOINT_WITHIN_MS = 30 * 60_000
/** How often what is kept of answered commands is looked through, ms of the server's clock. */
const DROP_ANSWERS_MS = 10 * 60_000

/** Opens the store and starts everybody who follows it. Answers when they are caught up. */
export async function openCore(options: CoreOptions): Promise<Core> {
  const { env, clock, infrastructure, onStale, wrapStore = (store) => store, warn = () => {} } = options
  const { database, bus, cluster } = infrastructure
  let store = await openStore(env, {
    ...{ clock, database, bus, onStale },
    leads: cluster.leads,
    // others write their copy of the record, perhaps
    onUnable: cluster.stepDown,
  })
  try {
    store = wrapStore(store)
    store = { ...store, checkpoints: warnWhereUnsaved(store.checkpoints, warn) }
    return await overStore(store, options)
  } catch (error) {
    await store.close()
    throw error
  }
}

async function overStore(store: Store, options: CoreOptions): Promise<Core> {
  const { env, clock, registration, use, infrastructure, uptime, warn = () => {} } = options
  const { cluster } = infrastructure
  const isFirst = store.checkpoints.load('read-models') === undefined
  const readModels = startProjecting(store)
  const { directory, latest } = readModels
  // before anything is tidied away
  await store.seals.holdBatches()
  await claimRecord({ log: store.log, readModels }, use, clock.now())
  if (registration) await register({ log: store.log, readModels, hashPassword }, registration, clock.now())
  // Without a first one the store would not know that somebody still needs what it tidies away.
  if (isFirst) readModels.checkpoint()

  const ingest = createIngest({
    store,
    clock,
    device: (no) => directory.devices[no],
    newestAt: (no) => (no < latest.size ? (latest.readings.at[no] as number) : 0),
    warn,
  })
  readModels.onAdvance(({ batches }) => {
    for (const { readings } of batches) ingest.noteStored(readings)
  })
  const secret = cluster.tokenSecret ?? tokenSecret(env.tokenSecret, env.dataDir)
  const access = createAccess({
    env,
    secret,
    log: store.log,
    checkpoints: store.checkpoints,
    readModels,
    clock,
    uptime,
    cluster,
  })

  const followers = new Set<Follower>()
  let savedAt = clock.now()
  const save = (): void => {
    savedAt = clock.now()
    readModels.checkpoint()
    access.keyUses.save()
    for (const follower of followers) follower.checkpoint()
  }
  const saving = setInterval(() => {
    readModels.checkpoint()
    access.keyUses.save()
  }, CHECKPOINT_MS)
  let droppedAt = 0
  const tidyUp = async (): Promise<boolean> => {
    if (clock.now() - savedAt > CHECKPOINT_WITHIN_MS) save()
    // one node tidies up for all
    if (!cluster.leads()) return false
    if (Math.abs(clock.now() - droppedAt) > DROP_ANSWERS_MS) {
      droppedAt = clock.now()
      await store.answers.drop(droppedAt - ANSWERS_KEPT_MS)
    }
    return store.telemetry.maintain(clock.now())
  }
  const tidying = everySoOften('compaction and retention', tidyUp, warn)
  const checking = createRecordChecking(store, cluster.leads)
  const checkOn = async (): Promise<boolean> => {
    await checking.goOn()
    return false
  }
  const checks = everySoOften('reading through the record for damage', checkOn, warn)

  return {
    store,
    readModels,
    access,
    execute: createExecute({ log: store.log, readModels, clock }),
    ingest,
    tidyUp,
    checked: checking.stats,
    join(follower) {
      followers.add(follower)
      return async () => {
        followers.delete(follower)
      }
    },
    async settled() {
      for (let head = -1; head !== store.log.head(); ) {
        head = store.log.head()
        for (const follower of followers) await follower.settled(head)
        await readModels.settled(head)
      }
    },
    async close() {
      clearInterval(saving)
      await tidying.stop()
      await checks.stop()
      await ingest.stop()
      access.stop()
      access.keyUses.save()
      readModels.stop()
      readModels.checkpoint()
      await store.close()
    },
  }
}
