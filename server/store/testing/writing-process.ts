/**
 * Writes readings and facts into the store of the folder given, as fast as it can and until it is killed, and says on
 * its standard output what is acknowledged: `r <i>` for a batch, `f <i> <seq>` for a fact. What it writes follows from
 * the run's number and i alone, so whoever reads the store afterwards knows what must be in it.
 */
import { writeSync } from 'node:fs'
import type { NewFact } from '#machines/contracts/facts.ts'
import type { Reading } from '#machines/contracts/readings.ts'
import { openSqliteStore } from '../sqlite/open.ts'
import { columnsOf } from './telemetry-model.ts'

const START = 20_000 * 86_400_000
/** small, so that compaction is at work nearly all the time */
const TAIL_ROWS = 100
export const READINGS_A_BATCH = 12

export function readingsOf(run: number, i: number): Reading[] {
  return Array.from({ length: READINGS_A_BATCH }, (_, k) => ({
    device: k % 4,
    at: START + ((run * 50_000 + i) * READINGS_A_BATCH + k) * 1000,
    temperature: (i % 400) / 10,
    humidity: k,
  }))
}

export function factOf(run: number, i: number): NewFact {
  return { type: 'group.deleted', at: START, companyId: 'c1', data: { groupId: `g-${run}-${i}` } }
}

export const keyOf = (run: number, i: number) => `key-${run}-${i}`

export const openStore = (dir: string) =>
  openSqliteStore({ dir, clock: { now: () => START }, tailRows: TAIL_ROWS, sliceMs: 0 })

async function write(dir: string, run: number): Promise<never> {
  const { log, telemetry, checkpoints } = openStore(dir)
  // a follower that never moves on: all batches stay in the record, beside their chunks
  checkpoints.save('follower', 0, () => new Uint8Array(0))
  for (let i = 0; ; i += 2) {
    const writing = [i, i + 1].flatMap((n) => [
      telemetry.append(columnsOf(readingsOf(run, n)), START).then(() => say(`r ${n}`)),
      log
        .append(`stream-${n % 3}`, [factOf(run, n)], { idempotencyKey: keyOf(run, n) })
        .then(({ facts }) => say(`f ${n} ${facts[0]?.seq}`)),
    ])
    await Promise.all(writing)
    await telemetry.maintain(START)
  }
}

function say(line: string): void {
  writeSync(1, `${line}\n`)
}

const [, script, dir, run] = process.argv
if (script === import.meta.filename && dir !== undefined) await write(dir, Number(run))
