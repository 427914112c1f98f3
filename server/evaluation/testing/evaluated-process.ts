/**
 * Takes readings and evaluates them into the store of the folder given, as fast as it can and until it is killed, and says
 * on its standard output how far its clock got. Every device is now and then too warm, silent or without supply.
 */
import { writeSync } from 'node:fs'
import type { Reading } from '#machines/contracts/readings.ts'
import { createIngest } from '../../ingest/pipeline.ts'
import { openSqliteStore } from '../../store/sqlite/open.ts'
import { startEvaluator } from '../evaluator.ts'
import { columnsOf, imeiOf, smallFleet } from './small-fleet.ts'

const DEVICES = 20

async function run(dir: string, from: number): Promise<never> {
  let now = from
  const clock = { now: () => now }
  const store = openSqliteStore({ dir, clock })
  if (store.log.head() === 0) await store.log.append('registry', smallFleet(DEVICES))
  const ingest = createIngest({
    store,
    clock,
    device: (no) => ({ imei: imeiOf(no), companyId: 'c' }),
    newestAt: () => from,
    batchMs: 0,
  })
  await startEvaluator({ store, clock, isQuiet: ingest.isQuiet, tickMs: 3, checkpointMs: 20 })
  for (let minute = from / 60_000; ; minute++) {
    now = minute * 60_000
    const rows = Array.from({ length: DEVICES }, (_, no) => readingOf(no, minute)).filter(
      (row) => row !== undefined,
    )
    await ingest.submit(columnsOf(rows), 'world')
    writeSync(1, `${now}\n`)
  }
}

function readingOf(no: number, minute: number): Reading | undefined {
  const phase = (minute + no * 7) % 60
  if (phase >= 40 && phase < 55) return undefined
  return {
    device: no,
    at: minute * 60_000,
    temperature: phase < 12 ? 11 : 5,
    humidity: 50,
    unplug: phase >= 30 && phase < 35 ? 1 : 0,
  }
}

const [, script, dir, from] = process.argv
if (script === import.meta.filename && dir !== undefined) await run(dir, Number(from))
