import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import postgres from 'postgres'
import { createReadings, type ReadingColumns, toStored } from '#machines/contracts/readings.ts'
import { openPostgresStore } from '../../server/store/postgres/open.ts'
import { openSqliteStore } from '../../server/store/sqlite/open.ts'
import type { Store } from '../../server/store/store.ts'
import type { PastSource } from '../../simulator/past/past-source.ts'
import { withPast } from '../../simulator/past/with-past.ts'
import { argumentsOf, flag } from '../build/arguments.ts'
import { startPostgres } from '../local-cluster/postgres.ts'
import { atMost, type Figure, median, percentile, say, tableOf } from './figures.ts'

const SECOND = 1000
const HOUR = 3_600_000
const DAY = 24 * HOUR
const START = 20_700 * DAY
const BATCH = 2000

const { values } = argumentsOf({
  command: 'node tools/bench/store.ts',
  says: 'Measures the store alone: how fast it takes readings, how small it keeps them, how soon it answers. Takes a minute or two.',
  options: { postgres: flag('on a server of PostgreSQL that it starts, with fsync') },
})
const figures = [...(await fleetOf100000()), ...(await dayOf500()), ...(await monthOf1000())]
process.stdout.write(`${tableOf(figures)}\n`)

/** 100,000 devices, a reading each 10 s, as fast as the store takes them, with compaction keeping up. */
async function fleetOf100000(): Promise<Figure[]> {
  return withStore({}, async (store, { size }) => {
    const fleet = createFleet(100_000)
    const batch = createReadings(BATCH)
    const rounds = 60
    const turns: number[] = []
    const commits: number[] = []
    let rss = 0
    let readings = 0
    const started = performance.now()
    for (let round = 0; round < rounds; round++) {
      for (let first = 0; first < fleet.size; first += BATCH) {
        const at = START + (round * 10 + (first / fleet.size) * 10) * SECOND
        fleet.read(batch, first, at)
        const startedAt = performance.now()
        await store.telemetry.append(batch, at)
        commits.push(performance.now() - startedAt)
        readings += BATCH
        const begun = performance.now()
        await store.telemetry.maintain(at)
        turns.push(performance.now() - begun)
      }
      rss = Math.max(rss, process.memoryUsage.rss())
    }
    const taken = performance.now() - started
    for (;;) {
      const begun = performance.now()
      const more = await store.telemetry.maintain(START + DAY)
      turns.push(performance.now() - begun)
      if (!more) break
    }
    const whole = performance.now() - started
    return [
      plain('readings taken, 100,000 devices, compaction beside', (readings / taken) * SECOND, 'readings/s'),
      plain('readings taken and all compacted, 100,000 devices', (readings / whole) * SECOND, 'readings/s'),
      plain('acknowledgement of 2,000 readings, median', median(commits), 'ms', 2),
      plain('acknowledgement of 2,000 readings, 99 of 100', percentile(commits, 0.99), 'ms', 2),
      plain('one call of maintain, 99 of 100', percentile(turns, 0.99), 'ms', 2),
      plain('one call of maintain, longest', Math.max(...turns), 'ms', 2),
      plain('process while 100,000 devices write', rss / 1e6, 'MB'),
      plain(
        'a reading on disk, 100,000 devices, before chunks are merged',
        (await size()) / readings,
        'bytes',
        2,
      ),
    ]
  })
}

/** 500 devices for 24 hours, a reading each 10 s, compacted hour by hour. */
async function dayOf500(): Promise<Figure[]> {
  return withStore({}, async (store, { size, reopen }) => {
    const fleet = createFleet(500)
    const batch = createReadings(BATCH)
    const perBatch = BATCH / fleet.size
    for (let at = START; at < START + DAY; at += perBatch * 10 * SECOND) {
      batch.length = 0
      for (let k = 0; k < perBatch; k++) fleet.read(batch, 0, at + k * 10 * SECOND, fleet.size, batch.length)
      await store.telemetry.append(batch, at)
      while (await store.telemetry.maintain(at));
    }
    while (await store.telemetry.maintain(START + DAY + HOUR));
    const bytes = (await size()) / ((fleet.size * DAY) / (10 * SECOND))
    const began = performance.now()
    const { telemetry } = await reopen()
    const opened = performance.now() - began
    const times: number[] = []
    for (let i = 0; i < 1000; i++) {
      const startedAt = performance.now()
      const { length } = await telemetry.history((i * 7) % fleet.size, START, START + DAY)
      times.push(performance.now() - startedAt)
      if (length !== 8640) throw new Error(`8,640 readings were expected, ${length} came`)
    }
    return [
      plain('a reading on disk, compacted by the hour', bytes, 'bytes', 2),
      atMost('store: 24 h of one device (8,640 readings), median', median(times), 20, 'ms', 2),
      plain('24 h of one device (8,640 readings), 99 of 100', percentile(times, 0.99), 'ms', 2),
      plain('opened, 4.3 million readings compacted', opened, 'ms', 2),
    ]
  })
}

/** 31 days of a source of the past for 1,000 devices, a reading each 5 minutes. */
async function monthOf1000(): Promise<Figure[]> {
  const fleet = createFleet(1000)
  const source: PastSource = {
    span: () => ({ from: START - 31 * DAY, to: START }),
    readings(device, from, to) {
      const columns = createReadings(Math.ceil((to - from) / (5 * 60 * SECOND)))
      for (let at = from; at < to; at += 5 * 60 * SECOND) fleet.read(columns, device, at, 1, columns.length)
      return columns
    },
  }
  return withStore({ source }, async ({ telemetry }) => {
    const devices = Uint32Array.from({ length: fleet.size }, (_, i) => i)
    const day = START / DAY
    const began = performance.now()
    await telemetry.daySummaries(devices, day - 31, day)
    const first = performance.now() - began
    const times: number[] = []
    for (let i = 0; i < 50; i++) {
      const startedAt = performance.now()
      const summaries = await telemetry.daySummaries(devices, day - 31, day)
      times.push(performance.now() - startedAt)
      if (summaries.length !== 31_000) throw new Error(`31,000 days were expected, ${summaries.length} came`)
    }
    return [
      plain('history taken over from its source', (31_000 * 288 * SECOND) / first, 'readings/s'),
      plain('a month of days of 1,000 devices, median', median(times), 'ms', 2),
    ]
  })
}

/** `size`: bytes of all that is stored; in SQLite the store is closed then */
type Bench = { size: () => Promise<number>; reopen: () => Promise<Store> }
type Place = { open: () => Promise<Store>; size: () => Promise<number>; remove: () => Promise<void> }

async function withStore(
  { source }: { source?: PastSource },
  run: (store: Store, bench: Bench) => Promise<Figure[]>,
): Promise<Figure[]> {
  const place = await (values.postgres ? inPostgres() : inSqlite())
  const open = async () => {
    const store = await place.open()
    return source === undefined ? store : withPast(store, source)
  }
  let store = await open()
  const size = async () => {
    if (!values.postgres) await store.close()
    return place.size()
  }
  const reopen = async () => {
    await store.close()
    store = await open()
    return store
  }
  try {
    return await run(store, { size, reopen })
  } finally {
    await store.close()
    await place.remove()
  }
}

async function inSqlite(): Promise<Place> {
  const dir = await mkdtemp(join(tmpdir(), 'frostline-bench-'))
  return {
    open: async () => openSqliteStore({ dir, clock: { now: () => START } }),
    /** of pages in use */
    async size() {
      const db = new DatabaseSync(join(dir, 'frostline.sqlite'))
      const count = (name: string) => Number(Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0])
      const bytes = (count('page_count') - count('freelist_count')) * count('page_size')
      db.close()
      return bytes
    },
    remove: () => rm(dir, { recursive: true }),
  }
}

async function inPostgres(): Promise<Place> {
  const dir = await mkdtemp(join(tmpdir(), 'frostline-bench-'))
  const server = await startPostgres({ isDurable: true, settings: { shared_buffers: '256MB' } })
  const database = await server.newDatabase()
  return {
    open: () => openPostgresStore({ dir, database, clock: { now: () => START } }),
    /** tables of readings with their indexes, what is waiting to be vacuumed included */
    async size() {
      const sql = postgres(database, { max: 1 })
      const tables = await sql`
        SELECT relname, pg_total_relation_size(oid) AS bytes FROM pg_class
        WHERE relkind = 'r' AND relname LIKE 'telemetry_%' ORDER BY relname`
      await sql.end()
      for (const { relname, bytes } of tables) process.stderr.write(`${relname} ${bytes}\n`)
      return tables.reduce((sum, { bytes }) => sum + Number(bytes), 0)
    },
    async remove() {
      await server.stop()
      await rm(dir, { recursive: true })
    },
  }
}

/** Devices that move, warm up and measure with the noise that sensors have. */
function createFleet(size: number) {
  const lat = new Float64Array(size)
  const lng = new Float64Array(size)
  const speed = new Float64Array(size)
  const heading = new Float64Array(size)
  let state = 1
  /** -1 to 1 */
  const chance = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 31 - 1
  }
  for (let d = 0; d < size; d++) {
    lat[d] = 29 + chance() * 4
    lng[d] = 70 + chance() * 4
    heading[d] = 180 + chance() * 180
  }
  return {
    size,
    /** readings of `count` devices from `first` on, written from row `row` on */
    read(columns: ReadingColumns, first: number, at: number, count = BATCH, row = 0): void {
      for (let k = 0; k < count; k++) {
        const d = first + k
        const i = row + k
        const drives = (d + Math.floor(at / HOUR)) % 3 !== 0
        const v = drives ? Math.max(5, Math.min(95, (speed[d] as number) + chance() * 4 + 1)) : 0
        const way = drives ? ((heading[d] as number) + chance() * 4 + 360) % 360 : (heading[d] as number)
        speed[d] = v
        heading[d] = way
        lat[d] = (lat[d] as number) + (Math.cos((way * Math.PI) / 180) * v) / 360 / 111
        lng[d] = (lng[d] as number) + (Math.sin((way * Math.PI) / 180) * v) / 360 / 96
        columns.device[i] = d
        columns.at[i] = at
        columns.lat[i] = toStored('lat', lat[d] as number)
        columns.lng[i] = toStored('lng', lng[d] as number)
        columns.speed[i] = toStored('speed', v)
        columns.heading[i] = toStored('heading', way)
        columns.temperature[i] = toStored('temperature', 4 + Math.sin(at / HOUR + d) * 2 + chance() * 0.05)
        columns.humidity[i] = toStored('humidity', 60 + Math.sin(at / HOUR + d) * 8 + chance() * 0.2)
        columns.gsmSignal[i] = 4
        columns.gnssStatus[i] = 1
        columns.externalVoltage[i] = toStored('externalVoltage', drives ? 27.9 + chance() * 0.03 : 25.1)
        columns.batteryVoltage[i] = 4050
        columns.ignition[i] = drives ? 1 : 0
        columns.unplug[i] = 0
      }
      columns.length = row + count
    },
  }
}

/** A figure nobody set a target for. */
function plain(what: string, value: number, unit: string, decimals = 0): Figure {
  return { what: `store: ${what}`, measured: `${say(value, decimals)} ${unit}`, target: '–' }
}
