import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkpointsContract } from '../checkpoints.contract.ts'
import { eventLogContract, type WithStores } from '../event-log.contract.ts'
import { openSqliteStore } from './open.ts'

const inFiles: WithStores = async (run) => {
  const dir = await mkdtemp(join(tmpdir(), 'frostline-store-'))
  try {
    const open: Parameters<typeof run>[0]['open'] = async (clock) => openSqliteStore({ dir, clock })
    await run({ open, reopen: open })
  } finally {
    await rm(dir, { recursive: true })
  }
}

const inMemory: WithStores = (run) =>
  run({ open: async (clock) => openSqliteStore({ dir: ':memory:', clock }) })

for (const [name, withStores] of [
  ['SQLite in a file', inFiles],
  ['SQLite in memory', inMemory],
] as const) {
  eventLogContract(name, withStores)
  checkpointsContract(name, withStores)
}
