import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Fact } from '#machines/contracts/facts.ts'
import { withoutRoom } from '#machines/projections/violations.ts'
import { startProjecting } from '../../server/read-models/read-models.ts'
import { STORE_FILE } from '../../server/store/sqlite/database.ts'
import { openSqliteStore } from '../../server/store/sqlite/open.ts'
import { verifySqlite } from '../../server/store/sqlite/verify.ts'
import type { Store } from '../../server/store/store.ts'
import type { Ledger } from './writers.ts'

/** A name no follower of the server has: it needs all batches, for as long as the store keeps them. */
const REPLAY = 'replay'
const STEP = 2000

/** An empty record whose batches are kept, so that all can be folded from the first number on. */
export async function prepareRecord(dir: string): Promise<void> {
  const store = openSqliteStore({ dir, clock: { now: () => Date.now() } })
  store.checkpoints.save(REPLAY, 0, () => new Uint8Array())
  await store.close()
}

/**
 * What is wrong with a record. Nobody may be writing to `dir`.
 * @param isWhole whether all batches since the first are still there, so that it can be replayed
 */
export function lossesIn(dir: string, ledger: Ledger, { isWhole = true } = {}): Promise<string[]> {
  return inCopy(dir, async (store, damage) => [
    ...damage,
    ...(await lossesOf(store, ledger)),
    ...(isWhole ? strayFolds(store) : []),
  ])
}

/** What an open store lacks of what was acknowledged, or has twice. */
export const lossesOf = async (store: Store, ledger: Ledger): Promise<string[]> => [
  ...gapsIn(store),
  ...(await readingsLost(store, ledger)),
  ...namesLost(store, ledger),
]

/** Looks at a record in a copy of it: the server has to recover its own by itself. */
export async function inCopy<T>(
  dir: string,
  look: (store: Store, damage: string[]) => T | Promise<T>,
): Promise<T> {
  const copy = mkdtempSync(join(tmpdir(), 'frostline-copy-'))
  try {
    for (const ending of ['', '-wal']) {
      const file = `${STORE_FILE}${ending}`
      if (existsSync(join(dir, file))) copyFileSync(join(dir, file), join(copy, file))
    }
    // pages, contracts and checksums of all that was written
    const { damage } = verifySqlite(copy)
    const store = openSqliteStore({ dir: copy, clock: { now: () => Date.now() } })
    try {
      return await look(store, damage)
    } finally {
      await store.close()
    }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

export function gapsIn({ log, telemetry }: Store): string[] {
  const from = telemetry.batchesFrom()
  let last = from
  for (let records = log.read(from, STEP); records.length > 0; records = log.read(last, STEP))
    for (const { seq } of records) {
      if (seq !== last + 1) return [`seq goes from ${last} to ${seq}`]
      last = seq
    }
  return last === log.head() ? [] : [`the record ends with ${last}, its head is ${log.head()}`]
}

async function readingsLost(store: Store, { readings, others }: Ledger): Promise<string[]> {
  const numbers = new Map(
    factsOf(store).flatMap((fact) =>
      fact.type === 'device.registered' ? [[fact.data.imei, fact.data.no]] : [],
    ),
  )
  const lost: string[] = []
  for (const [imei, acknowledged] of readings) {
    const { at } = await store.telemetry.history(numbers.get(imei) as number, 0, 1e15)
    const stored = new Set(at)
    const missing = [...acknowledged].filter((each) => !stored.has(each)).length
    if (missing > 0) lost.push(`${missing} acknowledged readings of ${imei}`)
    const aside = await store.aside.of(numbers.get(imei) as number, 0, 1e15)
    const beside = new Set(aside.map(({ reading }) => reading.at))
    const alone = [...(others.get(imei) ?? [])].filter((each) => !beside.has(each)).length
    if (alone > 0) lost.push(`${alone} readings of ${imei} that are kept aside`)
    if (stored.size !== at.length) lost.push(`${at.length - stored.size} readings of ${imei} are there twice`)
  }
  return lost
}

function namesLost(store: Store, { tried, named }: Ledger): string[] {
  const times = new Map<string, number>()
  const opened = new Map<string, number>()
  const count = (map: Map<string, number>, key: string) => map.set(key, (map.get(key) ?? 0) + 1)
  for (const { type, data } of factsOf(store)) {
    if ((type === 'group.created' || type === 'device.updated') && data.name !== undefined)
      count(times, data.name)
    if (type === 'violation.opened' || type === 'violation.cleared')
      count(opened, `${type} ${data.violationId}`)
  }
  const missing = [...named].filter((name) => !times.has(name))
  const twice = [...tried].filter((name) => (times.get(name) ?? 0) > 1)
  const repeated = [...opened].filter(([, often]) => often > 1)
  return [
    ...missing.map((name) => `acknowledged: ${name}`),
    ...twice.map((name) => `done twice: ${name}`),
    ...repeated.map(([what]) => `published twice: ${what}`),
  ]
}

/** The read models as the server would start with, against those folded from the first number on. */
function strayFolds(store: Store): string[] {
  if (store.telemetry.batchesFrom() > 0)
    return ['batches are gone: the record cannot be replayed from its start']
  const nothing = {
    ...store,
    checkpoints: { load: () => undefined, save: () => true, caughtUp: async () => {} },
  }
  const started = statesOf(store)
  const replayed = statesOf(nothing)
  const stray = (['seq', 'directory', 'history', 'latest', 'attention'] as const).filter(
    (model) => !isDeepStrictEqual(started[model], replayed[model]),
  )
  return stray.map((model) => `${model} is not what a replay of the record gives`)
}

/** What the read models hold of a record, without the room they keep for more: it depends on how they came to it. */
function statesOf(store: Store) {
  const { seq, directory, history, latest, attention, stop } = startProjecting(store)
  stop()
  return {
    seq,
    directory,
    history,
    latest,
    attention: { ...attention, violations: withoutRoom(attention.violations) },
  }
}

/** All facts, oldest first. */
export function factsOf({ log }: Store): Fact[] {
  const all: Fact[] = []
  for (;;) {
    const facts = log.readFacts(all.at(-1)?.seq ?? 0, { limit: STEP })
    if (facts.length === 0) return all
    all.push(...facts)
  }
}
