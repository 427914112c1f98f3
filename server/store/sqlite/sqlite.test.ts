import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answersContract } from '../answers.contract.ts'
import { asideContract } from '../aside.contract.ts'
import { checkpointsContract } from '../checkpoints.contract.ts'
import { eventLogContract } from '../event-log.contract.ts'
import { framesContract } from '../frames.contract.ts'
import { sealsContract } from '../seals.contract.ts'
import { telemetryStoreContract } from '../telemetry-store.contract.ts'
import type { TestStores, WithStores } from '../testing/stores.ts'
import { openSqliteStore } from './open.ts'

/** a single device a slice, so that tests meet a compaction at every stage of its work */
const small = { sliceMs: 0 }

const inFiles: WithStores = async (run) => {
  const dir = await mkdtemp(join(tmpdir(), 'frostline-store-'))
  try {
    const open: TestStores['open'] = async (options) => openSqliteStore({ ...options, ...small, dir })
    await run({ open, reopen: open })
  } finally {
    await rm(dir, { recursive: true })
  }
}

const inMemory: WithStores = (run) =>
  run({ open: async (options) => openSqliteStore({ ...options, ...small, dir: ':memory:' }) })

for (const [name, withStores] of [
  ['SQLite in a file', inFiles],
  ['SQLite in memory', inMemory],
] as const) {
  eventLogContract(name, withStores)
  telemetryStoreContract(name, withStores)
  checkpointsContract(name, withStores)
  answersContract(name, withStores)
  asideContract(name, withStores)
  framesContract(name, withStores)
  sealsContract(name, withStores, async () => 1)
}
