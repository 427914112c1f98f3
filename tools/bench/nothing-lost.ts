import type { ReadingColumns } from '#machines/contracts/readings.ts'
import { openSqliteStore } from '../../server/store/sqlite/open.ts'
import type { Store } from '../../server/store/store.ts'
import { openSimulation } from '../../simulator/world/simulation.ts'

/** Readings as device and time, one number each, so that millions can be compared. */
type Keys = { add(readings: ReadingColumns, notBefore: number): void; sorted(): Float64Array }

/** ms around the world's start that a device's clock may show: skewed clocks are days off. */
const SPAN = 40 * 86_400_000

const STEP = 10_000

function keysAround(start: number): Keys {
  let keys = new Float64Array(1 << 20)
  let length = 0
  return {
    add({ device, at, length: rows }, notBefore) {
      while (length + rows > keys.length) {
        const larger = new Float64Array(keys.length * 2)
        larger.set(keys)
        keys = larger
      }
      for (let i = 0; i < rows; i++)
        if ((at[i] as number) >= notBefore)
          keys[length++] = (device[i] as number) * 2 * SPAN + (at[i] as number) - start + SPAN
    },
    sorted: () => keys.subarray(0, length).sort(),
  }
}

/** Distinct readings that were sent, those of them the record does not hold, and those it holds twice. */
export type Account = { sent: number; missing: number; twice: number }

/**
 * The device world is the same each time it lives: a second one says, message for message, what the first has sent since
 * its start, and the store, opened afterwards, what has come of it. A message a device sent twice counts once; one that
 * was kept back since before the record began is part of the past that was known, and is left out.
 * @param world `until`: where the first world stands still, epoch ms
 */
export async function accountFor(
  dataDir: string,
  world: { scenarioFile: string; devices: number; until: number },
): Promise<Account> {
  const again = await openSimulation({
    scenario: world.scenarioFile,
    seed: undefined,
    devices: world.devices,
    simSpeed: 1,
  })
  const { start } = again.world
  const sentKeys = keysAround(start)
  again.world.resume(start)
  while (again.world.position() < world.until)
    sentKeys.add(
      again.world.advance(Math.min(world.until, again.world.position() + STEP)).readings,
      again.liveFrom,
    )

  const store = openSqliteStore({ dir: dataDir, clock: { now: () => start } })
  try {
    const stored = batchesOf(store, start)
    const sent = sentKeys.sorted()
    let distinct = 0
    let missing = 0
    let at = 0
    for (const [i, key] of sent.entries()) {
      if (i > 0 && sent[i - 1] === key) continue
      distinct++
      while (at < stored.length && (stored[at] as number) < key) at++
      // What is compacted and tidied away as a batch is looked for among the chunks.
      if (stored[at] !== key && !(await store.telemetry.has(deviceOf(key), timeOf(key, start)))) missing++
    }
    const twice = stored.reduce((sum, key, i) => sum + (i > 0 && stored[i - 1] === key ? 1 : 0), 0)
    return { sent: distinct, missing, twice }
  } finally {
    await store.close()
  }
}

const deviceOf = (key: number): number => Math.floor(key / (2 * SPAN))
const timeOf = (key: number, start: number): number => (key % (2 * SPAN)) - SPAN + start

function batchesOf(store: Store, start: number): Float64Array {
  const keys = keysAround(start)
  for (let after = 0; ; ) {
    const records = store.log.read(after, 500)
    for (const record of records) if (record.kind === 'readings') keys.add(record.readings, 0)
    const last = records.at(-1)
    if (last === undefined) return keys.sorted()
    after = last.seq
  }
}
