import { expect, test } from 'vitest'
import { sealKeyPlace } from '../../auth/seal-key.ts'
import { openSqliteStore } from '../../store/sqlite/open.ts'
import { StoreUnavailable } from '../../store/store.ts'
import { columnsOf } from '../../store/testing/telemetry-model.ts'
import { startSealing } from './sealing.ts'

const HOUR = 3_600_000

test('chunks that are written to all the time are said once a turn, not over and over', async () => {
  const at = 400 * 24 * HOUR
  let now = at
  const clock = { now: () => now }
  const store = openSqliteStore({ dir: ':memory:', clock })
  let devices = 0
  /** One more device of the same hour, as a compaction goes through them. */
  async function written(): Promise<void> {
    await store.telemetry.append(columnsOf([{ device: ++devices, at, temperature: 5 }]), now)
    now += 2 * HOUR
    while (await store.telemetry.maintain(now));
  }
  let count = 0
  const seals: typeof store.seals = {
    ...store.seals,
    async noteStated(compacted) {
      if (++count > 20) throw new Error('it is said over and over')
      await store.seals.noteStated(compacted)
      await written()
    },
  }
  await seals.holdBatches()
  await written()
  const sealing = startSealing({
    store: { log: store.log, seals },
    ...{ clock, readModels: { onAdvance: () => () => {} }, term: () => 1, warn: () => {} },
    place: sealKeyPlace({ sealKeyFile: undefined, dataDir: ':memory:' }, undefined),
  })
  await sealing.settled()
  expect(count).toBeGreaterThan(0)
  await sealing.stop()
  await store.close()
})

test('a store that is away when a node begins to lead is not taken for a tree that was changed', async () => {
  const clock = { now: () => 400 * 24 * HOUR }
  const store = openSqliteStore({ dir: ':memory:', clock })
  const others = {
    ...{ clock, readModels: { onAdvance: () => () => {} }, term: () => 1, warn: () => {} },
    place: sealKeyPlace({ sealKeyFile: undefined, dataDir: ':memory:' }, undefined),
  }
  const before = startSealing({ store, ...others })
  expect(await before.signNow()).toBeDefined()
  await before.stop()
  const tile = () => Promise.reject(new StoreUnavailable('the connection is cut'))
  const after = startSealing({ store: { log: store.log, seals: { ...store.seals, tile } }, ...others })
  await expect(after.signNow()).rejects.toThrow(StoreUnavailable)
  await after.stop()
  await store.close()
})
