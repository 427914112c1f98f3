import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import type { Store } from '../store.ts'
import { rowsOf } from '../testing/telemetry-model.ts'
import { factOf, keyOf, openStore, READINGS_A_BATCH, readingsOf } from '../testing/writing-process.ts'

const KILLS = inject('isNightly') ? 20 : 8
const SCRIPT = join(import.meta.dirname, '../testing/writing-process.ts')

type Acknowledged = { batches: Set<number>; facts: Map<number, number> }

/** Lets a process write until it acknowledged so many things, kills it, and answers what it acknowledged. */
async function writeAndKill(dir: string, run: number, after: number): Promise<Acknowledged> {
  const writer = spawn(process.execPath, [SCRIPT, dir, String(run)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(writer, 'exit')
  const acknowledged: Acknowledged = { batches: new Set(), facts: new Map() }
  let heard = 0
  for await (const line of createInterface({ input: writer.stdout })) {
    const [, kind, i, seq] = /^(r|f) (\d+)(?: (\d+))?$/.exec(line) ?? []
    if (kind === 'r') acknowledged.batches.add(Number(i))
    if (kind === 'f') acknowledged.facts.set(Number(i), Number(seq))
    if (++heard === after) writer.kill('SIGKILL')
  }
  const [, signal] = await ended
  expect(signal).toBe('SIGKILL')
  expect(heard).toBeGreaterThanOrEqual(after)
  return acknowledged
}

test(`a store whose process is killed ${KILLS} times while it writes keeps all it acknowledged, once`, async () => {
  const dir = await mkdtemp(join(tmpdir(), 'frostline-kill-'))
  try {
    const runs: Acknowledged[] = []
    for (const [run, after] of fc.sample(fc.noBias(fc.integer({ min: 1, max: 200 })), KILLS).entries()) {
      const acknowledged = await writeAndKill(dir, run, after)
      runs.push(acknowledged)
      const store = openStore(dir)
      checkRecord(store)
      await checkReadings(store, [[run, acknowledged]])
      await checkFacts(store, run, acknowledged)
      await store.close()
    }
    const store = openStore(dir)
    await checkReadings(store, [...runs.entries()])
    await store.close()
  } finally {
    await rm(dir, { recursive: true })
  }
})

/** every number from 1 to the head is there once */
function checkRecord({ log }: Store): void {
  const seqs = log.read(0, 1e6).map(({ seq }) => seq)
  expect(seqs).toEqual(Array.from({ length: log.head() }, (_, i) => i + 1))
}

/** all acknowledged readings once, and no part of a batch without the rest of it */
async function checkReadings({ telemetry }: Store, runs: [number, Acknowledged][]): Promise<void> {
  const histories = await Promise.all([0, 1, 2, 3].map((device) => telemetry.history(device, 0, 1e15)))
  const stored = histories.flatMap((history) => rowsOf(history))
  const byTime = new Map(stored.map((reading) => [reading.at, reading]))
  expect(byTime.size).toBe(stored.length)
  expect(stored.length % READINGS_A_BATCH).toBe(0)
  const acknowledged = runs.flatMap(([run, { batches }]) => [...batches].flatMap((i) => readingsOf(run, i)))
  expect(acknowledged.map(({ at }) => byTime.get(at))).toEqual(acknowledged)
  const summaries = await telemetry.daySummaries(Uint32Array.of(0, 1, 2, 3), 20_000, 20_200)
  expect(summaries.reduce((sum, { count }) => sum + count, 0)).toBe(stored.length)
}

/** all acknowledged facts under their number; one that was cut off is stored once when its sender tries again */
async function checkFacts({ log }: Store, run: number, { facts }: Acknowledged): Promise<void> {
  const tries = Array.from({ length: Math.max(0, ...facts.keys()) + 5 }, (_, i) => i)
  const answers = await Promise.all(
    tries.map((i) => log.append(`stream-${i % 3}`, [factOf(run, i)], { idempotencyKey: keyOf(run, i) })),
  )
  for (const [i, seq] of facts) {
    expect(answers[i]?.repeated).toBe(true)
    expect(answers[i]?.facts).toMatchObject([{ seq, ...factOf(run, i) }])
  }
  const groups = log
    .readFacts(0, { limit: 1e6 })
    .map(({ data }) => (data as { groupId: string }).groupId)
    .filter((groupId) => groupId.startsWith(`g-${run}-`))
  expect(groups.toSorted()).toEqual(tries.map((i) => `g-${run}-${i}`).toSorted())
}
