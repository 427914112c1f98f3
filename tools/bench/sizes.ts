import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Clock } from '#machines/contracts/clock.ts'
import { sliceReadings } from '#machines/contracts/readings.ts'
import { openStore } from '../../server/store/open.ts'
import { STORE_FILE } from '../../server/store/sqlite/database.ts'
import { openSqliteStore } from '../../server/store/sqlite/open.ts'
import type { Store } from '../../server/store/store.ts'
import { openSimulation } from '../../simulator/world/simulation.ts'
import { databasesAt } from '../local-cluster/databases.ts'
import { startPostgres } from '../local-cluster/postgres.ts'
import { type Figure, say } from './figures.ts'
import { writeOneCompany } from './large-world.ts'

const HOUR = 3_600_000
const DAYS = 3
const MOST_IN_BATCH = 2000

/** A store to be filled: what it weighs is asked when it is closed. */
type Filled = {
  store: Store
  bytes(): Promise<number>
  /** bytes of the log that a database writes before all else, which is what is archived; undefined where there is none */
  logged?(): Promise<number>
  /** what a database does by itself each minute, in which here hours pass */
  vacuum?(): Promise<unknown>
  remove(): Promise<void>
}
type Place = { name: string; open(clock: Clock): Promise<Filled> }

/**
 * What readings weigh once they are kept: devices of the demo's world live some days, reporting every so many seconds, and
 * the store is tidied up as the hours pass. What is told is what a day adds, indexes and empty room in pages included.
 */
export async function measureSizes(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const place of [sqlite, postgres])
    for (const [seconds, devices] of [
      [10, 200],
      [60, 600],
    ] as const)
      figures.push(await measured(place, seconds, devices))
  return figures
}

async function measured(place: Place, seconds: number, devices: number): Promise<Figure> {
  const { world, liveFrom } = await openSimulation({
    scenario: writeOneCompany('indus', { reportSeconds: seconds }),
    seed: undefined,
    devices,
    simSpeed: 1,
  })
  let now = world.start
  const { store, bytes, logged, vacuum, remove } = await place.open({ now: () => now })
  try {
    let readings = 0
    let first: { bytes: number; readings: number; logged: number } | undefined
    world.resume(liveFrom)
    for (let day = 0; day < DAYS; day++) {
      for (const end = now + 24 * HOUR; now < end; now += HOUR) {
        const { readings: sent } = world.advance(now + HOUR)
        for (let row = 0; row < sent.length; row += MOST_IN_BATCH) {
          const batch = sliceReadings(sent, row, Math.min(sent.length, row + MOST_IN_BATCH))
          await store.telemetry.append(batch, now)
          readings += batch.length
        }
        // nobody needs what is compacted
        store.checkpoints.save('bench', store.log.head(), () => new Uint8Array())
        while (await store.telemetry.maintain(now + HOUR));
        await vacuum?.()
      }
      while (await store.telemetry.maintain(now + 3 * HOUR));
      first ??= { bytes: await bytes(), readings, logged: (await logged?.()) ?? 0 }
    }
    const added = (await bytes()) - (first?.bytes ?? 0)
    const count = readings - (first?.readings ?? 0)
    const deviceDays = (DAYS - 1) * devices
    const archived = logged && ((await logged()) - (first?.logged ?? 0)) / count
    return {
      what: `${place.name}, a reading each ${seconds} s: on disk`,
      measured: `${say(added / count, 2)} bytes a reading, ${say(added / deviceDays / 1000, 1)} kB a device and day (${say(count / deviceDays)} readings)${archived === undefined ? '' : `; ${say(archived, 1)} bytes a reading in the write-ahead log`}`,
      target: '',
    }
  } finally {
    await remove()
  }
}

const sqlite: Place = {
  name: 'SQLite',
  async open(clock) {
    const dir = mkdtempSync(join(tmpdir(), 'frostline-sizes-'))
    const store = openSqliteStore({ dir, clock })
    return {
      store,
      // the store locks its own
      async bytes() {
        const copy = mkdtempSync(join(tmpdir(), 'frostline-sizes-'))
        await store.copyTo?.(copy)
        const db = new DatabaseSync(join(copy, STORE_FILE))
        const pragma = (name: string) => Number(Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0])
        const inUse = (pragma('page_count') - pragma('freelist_count')) * pragma('page_size')
        db.close()
        rmSync(copy, { recursive: true })
        return inUse
      },
      async remove() {
        await store.close()
        rmSync(dir, { recursive: true })
      },
    }
  },
}

const postgres: Place = {
  name: 'PostgreSQL',
  async open(clock) {
    const server = await startPostgres({ isDurable: true })
    const databaseUrl = await server.newDatabase()
    const dataDir = mkdtempSync(join(tmpdir(), 'frostline-sizes-'))
    const store = await openStore({ dataDir, databaseUrl }, { clock })
    const { ask } = databasesAt(databaseUrl)
    const evaluated = async (expression: string) => {
      const [row] = await ask(`SELECT (${expression})::float8 AS value`)
      return Number(row?.value)
    }
    return {
      store,
      // batches are gone when they are compacted; their room is used again
      bytes: () => evaluated(`pg_database_size(current_database()) - pg_total_relation_size('batches')`),
      vacuum: () => ask('VACUUM'),
      logged: () => evaluated(`pg_current_wal_lsn() - '0/0'::pg_lsn`),
      async remove() {
        await store.close()
        await server.stop()
        rmSync(dataDir, { recursive: true })
      },
    }
  },
}
