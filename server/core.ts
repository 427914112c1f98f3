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

/** What runs over an opened store, and when it was last seen to, ms of the server's clock. */
type Running = Pick<Core, 'store' | 'readModels' | 'access' | 'ingest'> & {
  clock: Clock
  leads(): boolean
  followers: Set<Follower>
  savedAt: number
  answersDroppedAt: number
}

async function overStore(store: Store, options: CoreOptions): Promise<Core> {
  const { clock, infrastructure, warn = () => {} } = options
  const { cluster } = infrastructure
  const readModels = await caughtUp(store, options)
  const running: Running = {
    ...{ store, readModels, clock, leads: cluster.leads },
    ingest: startIngest(store, readModels, clock, warn),
    access: startAccess(store, readModels, options),
    followers: new Set(),
    savedAt: clock.now(),
    answersDroppedAt: 0,
  }
  const { access, ingest, followers } = running
  const saving = setInterval(() => saveOwn(running), CHECKPOINT_MS)
  const tidying = everySoOften('compaction and retention', () => tidyUp(running), warn)
  const checking = createRecordChecking(store, cluster.leads)
  const checkOn = async (): Promise<boolean> => {
    await checking.goOn()
    return false
  }
  const checks = everySoOften('reading through the record for damage', checkOn, warn)

  return {
    ...{ store, readModels, access, ingest },
    execute: createExecute({ log: store.log, readModels, clock }),
    tidyUp: () => tidyUp(running),
    checked: checking.stats,
    join(follower) {
      followers.add(follower)
      return async () => {
        followers.delete(follower)
      }
    },
    settled: () => settled(running),
    async close() {
      clearInterval(saving)
      await tidying.stop()
      await checks.stop()
      await close(running)
    },
  }
}

/** What is in the record so far, and who there must be in it. */
async function caughtUp(store: Store, { clock, registration, use }: CoreOptions): Promise<Projecting> {
  const isFirst = store.checkpoints.load('read-models') === undefined
  const readModels = startProjecting(store)
  // before anything is tidied away
  await store.seals.holdBatches()
  await claimRecord({ log: store.log, readModels }, use, clock.now())
  if (registration) await register({ log: store.log, readModels, hashPassword }, registration, clock.now())
  // Without a first one the store would not know that somebody still needs what it tidies away.
  if (isFirst) readModels.checkpoint()
  return readModels
}

function startIngest(
  store: Store,
  readModels: Projecting,
  clock: Clock,
  warn: (message: string) => void,
): Ingest {
  const { directory, latest } = readModels
  const ingest = createIngest({
    ...{ store, clock, warn },
    device: (no) => directory.devices[no],
    newestAt: (no) => (no < latest.size ? (latest.readings.at[no] as number) : 0),
  })
  readModels.onAdvance(({ batches }) => {
    for (const { readings } of batches) ingest.noteStored(readings)
  })
  return ingest
}

function startAccess(
  { log, checkpoints }: Store,
  readModels: Projecting,
  { env, clock, uptime, infrastructure: { cluster } }: CoreOptions,
): Access {
  const secret = cluster.tokenSecret ?? tokenSecret(env.tokenSecret, env.dataDir)
  return createAccess({ env, secret, log, checkpoints, readModels, clock, uptime, cluster })
}

/** Some milliseconds of what keeps the store small; whether there is more to do. */
async function tidyUp(running: Running): Promise<boolean> {
  const { store, clock } = running
  if (clock.now() - running.savedAt > CHECKPOINT_WITHIN_MS) saveAll(running)
  // one node tidies up for all
  if (!running.leads()) return false
  if (Math.abs(clock.now() - running.answersDroppedAt) > DROP_ANSWERS_MS) {
    running.answersDroppedAt = clock.now()
    await store.answers.drop(running.answersDroppedAt - ANSWERS_KEPT_MS)
  }
  return store.telemetry.maintain(clock.now())
}

function saveAll(running: Running): void {
  running.savedAt = running.clock.now()
  saveOwn(running)
  for (const follower of running.followers) follower.checkpoint()
}

function saveOwn({ readModels, access }: Running): void {
  readModels.checkpoint()
  access.keyUses.save()
}

async function settled({ store, readModels, followers }: Running): Promise<void> {
  for (let head = -1; head !== store.log.head(); ) {
    head = store.log.head()
    for (const follower of followers) await follower.settled(head)
    await readModels.settled(head)
  }
}

async function close({ store, readModels, access, ingest }: Running): Promise<void> {
  await ingest.stop()
  access.stop()
  access.keyUses.save()
  readModels.stop()
  readModels.checkpoint()
  await store.close()
}
