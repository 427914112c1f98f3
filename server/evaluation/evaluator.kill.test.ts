import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FactType, NewFact } from '#machines/contracts/facts.ts'
import { openSqliteStore } from '../store/sqlite/open.ts'
import type { Store } from '../store/store.ts'
import { startEvaluator } from './evaluator.ts'
import { START } from './testing/small-fleet.ts'

const KILLS = 8
const MINUTE = 60_000
const SCRIPT = join(import.meta.dirname, 'testing/evaluated-process.ts')
const PUBLISHED: FactType[] = ['violation.opened', 'violation.cleared', 'device-status.changed']

/** Lets the process go until its clock moved so many minutes, kills it, and answers how far it got. */
async function evaluateAndKill(dir: string, from: number, minutes: number): Promise<number> {
  const evaluating = spawn(process.execPath, [SCRIPT, dir, String(from)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(evaluating, 'exit')
  let now = from
  for await (const line of createInterface({ input: evaluating.stdout })) {
    now = Number(line)
    if (now >= from + minutes * MINUTE) evaluating.kill('SIGKILL')
  }
  expect((await ended)[1]).toBe('SIGKILL')
  return now
}

/** Everything told of the record of a store, once its evaluator is through it. */
async function evaluationOf(store: Store, now: number): Promise<string[]> {
  const evaluator = await startEvaluator({
    store,
    clock: { now: () => now },
    isQuiet: () => true,
    tickMs: 1e8,
  })
  await evaluator.tick()
  await evaluator.stop()
  return store.log.readFacts(0, { types: PUBLISHED, limit: 1e6 }).map(inShort)
}

const inShort = ({ type, at, data }: NewFact): string => JSON.stringify([type, at, data])

test(`an evaluator killed ${KILLS} times tells all it would have told, and nothing twice`, async () => {
  const dir = await mkdtemp(join(tmpdir(), 'frostline-judge-'))
  try {
    let now = START
    for (const after of fc.sample(fc.noBias(fc.integer({ min: 20, max: 169 })), KILLS))
      now = (await evaluateAndKill(dir, now, after)) + 3 * MINUTE
    const clock = { now: () => now }
    const killed = openSqliteStore({ dir, clock })
    const evaluated = await evaluationOf(killed, now)

    const whole = openSqliteStore({ dir: ':memory:', clock })
    for (const record of killed.log.read(0, 1e6)) {
      if (record.kind === 'readings') await whole.telemetry.append(record.readings, record.recordedAt)
      else if (!PUBLISHED.includes(record.fact.type)) await whole.log.append('registry', [record.fact])
    }
    expect(evaluated.length).toBeGreaterThan(20)
    expect(evaluated.toSorted()).toEqual((await evaluationOf(whole, now)).toSorted())
    await Promise.all([killed.close(), whole.close()])
  } finally {
    await rm(dir, { recursive: true })
  }
})
