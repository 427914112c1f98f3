import { hash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { SealHead } from '#machines/contracts/entities/seals.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import { createReadings } from '#machines/contracts/readings.ts'
import { hexOf, rootOf } from '#machines/rules/merkle-tree.ts'
import { type SealStore, seqsOfBits } from './seals/seal-store.ts'
import { HASH_BYTES, rootOfRange } from './seals/tiles.ts'
import type { Store } from './store.ts'
import type { WithStores } from './testing/stores.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const start = 400 * DAY
const reset = (n: number): NewFact => ({
  type: 'user.reset-required',
  at: n,
  companyId: 'c',
  data: { userId: `u${n}` },
})

/** One reading of each of these devices at `at`. */
function readings(at: number, devices: readonly number[]) {
  const columns = createReadings(devices.length)
  columns.length = devices.length
  for (const [i, device] of devices.entries()) {
    columns.device[i] = device
    columns.at[i] = at
  }
  return columns
}

async function extended(seals: SealStore): Promise<number> {
  while (await seals.extend());
  return (await seals.size()).size
}

async function leavesOf(seals: SealStore): Promise<string[]> {
  const { size } = await seals.size()
  const found: string[] = []
  for (let tile = 0; tile * 256 < size; tile++) {
    const bytes = (await seals.tile(0, tile)) as Uint8Array
    for (let at = 0; at < bytes.length; at += HASH_BYTES)
      found.push(hexOf(bytes.subarray(at, at + HASH_BYTES)))
  }
  return found
}

const headOf = (size: number, at = size): SealHead => ({
  size,
  root: hash('sha256', `${size}`),
  at,
  keyId: '0123456789abcdef',
  signature: `${'A'.repeat(86)}==`,
})

/** Facts and batches in turn. */
async function fill({ log, telemetry }: Store, count: number): Promise<void> {
  const all: Promise<unknown>[] = []
  for (let i = 0; i < count; i++) {
    all.push(log.append(`user-u${i}`, [reset(i)]))
    all.push(telemetry.append(readings(start + i * 1000, [1, 2, 5000]), start + i * 1000))
  }
  await Promise.all(all)
}

/** What every store's tree over its record promises. @param lead makes this process lead, and says in which term */
export function sealsContract(name: string, withStores: WithStores, lead: () => Promise<number>): void {
  describe(`the tree over the record: ${name}`, () => {
    test('has a leaf for each entry, fact and batch, made of what its row says', () =>
      withStores(async ({ open, reopen }) => {
        const clock = { now: () => start }
        let store = await open({ clock })
        await fill(store, 150)
        expect(await extended(store.seals)).toBe(300)
        const entries = await store.seals.entries(0, 300)
        expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: 300 }, (_, i) => i + 1))
        const leaves = await leavesOf(store.seals)
        expect(leaves).toEqual(entries.map(({ sum }) => hexOf(sum)))
        const first = entries.find(({ what }) => what === 'user.reset-required')
        const text = await store.seals.factText(first?.seq ?? 0)
        expect(first && hexOf(first.sum)).toBe(hash('sha256', `\0${text}`))
        expect(JSON.parse(text ?? '')).toMatchObject({
          type: 'user.reset-required',
          seq: first?.seq,
          version: 1,
        })
        expect(await store.seals.factText(999)).toBeUndefined()
        if (reopen) {
          await store.close()
          store = await reopen({ clock })
        }
        await fill(store, 150).catch(() => {})
        const size = await extended(store.seals)
        expect(size).toBe(store.log.head())
        const root = await rootOfRange(store.seals.tile, { from: 0, to: size })
        const whole = (await store.seals.entries(0, size)).map(({ sum }) => sum)
        expect(hexOf(root)).toBe(hexOf(await rootOf((bytes) => hash('sha256', bytes, 'buffer'), whole)))
        expect((await store.seals.size()).past).toBe(0)
        await store.close()
      }))

    test('keeps heads that are of more entries than the last one, and thins old ones to one an hour', () =>
      withStores(async ({ open }) => {
        const store = await open({ clock: { now: () => start } })
        const { seals } = store
        const term = await lead()
        expect(await seals.heads()).toEqual([])
        expect(await seals.keepHead(headOf(5), term)).toBe(true)
        expect(await seals.keepHead({ ...headOf(5), root: 'ab'.repeat(32) }, term)).toBe(false)
        expect(await seals.keepHead(headOf(4), term)).toBe(false)
        expect(await seals.keepHead(headOf(9), term)).toBe(true)
        expect(await seals.heads({ limit: 5 })).toEqual([headOf(9), headOf(5)])
        expect(await seals.heads({ size: 8 })).toEqual([headOf(5)])
        // three of one old hour, one of the next, and one of now
        for (const [size, at] of [
          [20, start],
          [21, start + 60_000],
          [22, start + 120_000],
          [23, start + HOUR],
          [24, start + 3 * DAY],
        ] as const)
          expect(await seals.keepHead(headOf(size, at), term)).toBe(true)
        expect((await seals.heads({ limit: 99 })).map(({ size }) => size)).toEqual([24, 23, 22, 9])
        await store.close()
      }))

    test('outlives compacted batches, which stay until a fact can say that they were batches', () =>
      withStores(async ({ open }) => {
        let now = start
        const store = await open({ clock: { now: () => now } })
        const { seals, telemetry } = store
        await seals.holdBatches()
        expect(await seals.compacted()).toBeUndefined()
        await fill(store, 20)
        now += 3 * HOUR
        const maintained = async () => {
          while (await telemetry.maintain(now));
        }
        await maintained()
        const before = await seals.entries(0, 40)
        expect(before).toHaveLength(40)
        const size = await extended(seals)
        const leaves = await leavesOf(seals)
        const stated = await seals.compacted()
        if (stated === undefined) throw new Error('nothing was compacted')
        const batches = before.filter(({ what }) => what === undefined).map(({ seq }) => seq)
        expect(stated.fromSeq).toBe(0)
        expect(seqsOfBits(stated.fromSeq, stated.batches)).toEqual(
          batches.filter((seq) => seq <= stated.toSeq),
        )
        expect(stated.toSeq).toBe(Math.max(...batches))
        expect(stated.groups.map(({ block, chunks }) => [block, chunks]).sort()).toEqual([
          [0, 2],
          [1, 1],
        ])
        for (const group of stated.groups) {
          const { isStated, faults, ...same } = await seals.group(group)
          expect(same).toEqual(group)
          expect([isStated, faults]).toEqual([false, []])
        }
        await seals.noteStated(stated)
        expect(await seals.compacted()).toBeUndefined()
        const [first] = stated.groups
        expect(first && (await seals.group(first)).isStated).toBe(true)
        await maintained()
        expect((await seals.entries(0, 40)).map(({ what }) => what)).toEqual(
          before.flatMap(({ what }) => what ?? []),
        )
        expect(await extended(seals)).toBe(size)
        expect(await leavesOf(seals)).toEqual(leaves)

        // a drop is a change that is to be said as well
        const day = Math.floor(start / DAY)
        await telemetry.dropReadings([5000], day)
        const dropped = await seals.compacted()
        expect(dropped?.groups.map(({ block, chunks }) => [block, chunks])).toEqual([[1, 0]])
        expect(dropped?.batches).toBe('')
        if (dropped) await seals.noteStated(dropped)
        expect(await seals.groups()).toMatchObject([{ day, block: 0 }])
        // once it is dropped nothing changes any more, of days that were put neither
        await telemetry.putDays([{ device: 5001, day, readings: readings(start, [5001]) }])
        const put = await seals.compacted()
        expect(put?.groups.map(({ block, chunks }) => [block, chunks])).toEqual([[1, 1]])
        if (put) await seals.noteStated(put)
        await telemetry.dropReadings([3, 5000, 5001], day)
        const emptied = await seals.compacted()
        expect(emptied?.groups.map(({ block, chunks }) => [block, chunks])).toEqual([[1, 1]])
        if (emptied) await seals.noteStated(emptied)
        await telemetry.dropReadings([3, 5000, 5001], day)
        expect(await seals.compacted()).toBeUndefined()
        await store.close()
      }))
  })
}
