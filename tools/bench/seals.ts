import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { STORE_FILE } from '../../server/store/sqlite/database.ts'
import { connectInspector, inspectorOn } from '../build/inspector.ts'
import { freePort, startApp } from '../build/running-app.ts'
import { atMost, type Figure, say } from './figures.ts'
import { worldOf } from './ingest.ts'
import { writeOneCompany } from './large-world.ts'
import { cpuSeconds } from './process-memory.ts'
import { CpuProfile, shareOfSeals } from './seals-share.ts'

const MOST_CPU = 5
const MOST_BYTES = 40
/** The world's first seconds fill queues and caches. */
const WARM_UP = 20_000
const SAMPLE_US = 500

/**
 * What the tree over the record adds to a process that takes readings, and to its disk. The hour turns in the measured time, so that a
 * compaction of the whole fleet falls into it, with the fact that says what became of it and the head after it.
 */
export async function measureSeals({
  devices,
  seconds,
}: {
  devices: number
  seconds: number
}): Promise<Figure[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'frostline-seals-'))
  const port = await freePort()
  const env = {
    SCENARIO: writeOneCompany('indus', { start: '2026-06-15T03:58:50.000Z', historyDays: 0 }),
    ...inspectorOn(port),
  }
  const app = await startApp({ devices, dataDir, env, patience: 180_000 })
  try {
    await pause(WARM_UP)
    const inspector = await connectInspector(port)
    await inspector.ask('Profiler.enable')
    await inspector.ask('Profiler.setSamplingInterval', { interval: SAMPLE_US })
    const [sent, cpu, began] = [(await worldOf(app.url)).messagesSent, cpuSeconds(app.pid), performance.now()]
    await inspector.ask('Profiler.start')
    await pause(seconds * 1000)
    const stopped = await inspector.ask('Profiler.stop')
    const used = cpuSeconds(app.pid) - cpu
    const took = (performance.now() - began) / 1000
    const rate = ((await worldOf(app.url)).messagesSent - sent) / took
    inspector.close()
    await app.stop()

    const { seals, walk, sums, world, rest } = shareOfSeals(CpuProfile.of(stopped))
    // the profile counts waiting for the disk, the system's count what other threads do: the less counts
    const ingest = Math.min(seals + sums + rest, used - world - walk)
    const percent = (part: number): number => (part / ingest) * 100
    const { entries, bytes, heads, compactions } = onDisk(dataDir)
    return [
      atMost(
        `seals, ${say(rate)} readings/s, ${say(took)} s: the tree, its heads and what is said of chunks, of the CPU of ingest`,
        percent(seals),
        MOST_CPU,
        '%',
        2,
      ),
      {
        what: '… of which; beside it the checksums of rows, which were there before it and are its leaves; the walk of the day through the record',
        measured: `${say(seals, 2)} of ${say(ingest, 1)} s; ${say(sums, 2)} s, ${say(percent(sums), 2)} %; ${say(walk, 2)} s; the device world took ${say(world, 1)} s, the process ${say(used, 1)} s`,
        target: '',
      },
      atMost(
        `… on disk an entry of the record, tiles, ${say(entries)} entries`,
        bytes / entries,
        MOST_BYTES,
        'bytes',
        1,
      ),
      {
        what: '… further on disk: heads; facts of compactions',
        measured: `${say(heads / 1000, 1)} kB; ${say(compactions.count)} of ${say(compactions.bytes / Math.max(1, compactions.count) / 1000, 1)} kB`,
        target: '',
      },
    ]
  } finally {
    await app.kill()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Bytes of whole pages, empty room in them included. */
function onDisk(dataDir: string) {
  const db = new DatabaseSync(join(dataDir, STORE_FILE), { readOnly: true })
  try {
    const number = (sql: string): number => Number(Object.values(db.prepare(sql).get() ?? {})[0])
    const pagesOf = (table: string) =>
      number(`SELECT ifnull(sum(pgsize), 0) FROM dbstat WHERE name = '${table}'`)
    const STATED = `FROM facts WHERE type = 'chunks.written'`
    return {
      entries: number('SELECT size FROM seal_tree'),
      bytes: pagesOf('seal_tiles'),
      heads: pagesOf('seal_heads'),
      compactions: {
        count: number(`SELECT count(*) ${STATED}`),
        bytes: number(`SELECT ifnull(sum(length(data)), 0) ${STATED}`),
      },
    }
  } finally {
    db.close()
  }
}
