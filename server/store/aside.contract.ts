import { describe, expect, test } from 'vitest'
import type { AsideReading } from './aside.ts'
import type { WithStores } from './testing/stores.ts'

const clock = { now: () => 1_000 }
const held = (device: number, at: number, temperature: number): AsideReading => ({
  kind: 'held',
  receivedAt: 500,
  reading: { device, at, temperature },
})

/** What every store of readings kept aside promises. */
export function asideContract(name: string, withStores: WithStores): void {
  describe(`readings kept aside: ${name}`, () => {
    test('are there once, in their order, after a restart too', () =>
      withStores(async ({ open, reopen }) => {
        let store = await open({ clock })
        const [late, early, other] = [
          held(1, 3_000, 5),
          held(1, 2_000, 4),
          { ...held(1, 2_000, 9), kind: 'other' as const },
        ]
        await store.aside.add([late, early])
        await store.aside.add([early, other, held(2, 2_000, 7)])
        if (reopen) {
          await store.close()
          store = await reopen({ clock })
        }
        const found = await store.aside.of(1, 0, 3_001)
        expect(found).toHaveLength(3)
        expect(found).toEqual(expect.arrayContaining([late, early, other]))
        expect(found.at(-1)).toEqual(late)
        expect(await store.aside.of(1, 2_001, 3_000)).toEqual([])
        expect([...(await store.aside.heldOf([1, 2]))]).toEqual([
          [1, 2],
          [2, 1],
        ])
        await store.close()
      }))

    test('are due when their time has come, until it is noted what became of them', () =>
      withStores(async ({ open }) => {
        const { aside, close } = await open({ clock })
        const [one, two, three] = [held(1, 2_000, 4), held(2, 2_500, 5), held(1, 3_000, 6)]
        await aside.add([three, two, one])
        expect(await aside.due(1_999, 10)).toEqual([])
        expect(await aside.due(2_500, 10)).toEqual([one, two])
        expect(await aside.due(9_000, 1)).toEqual([one])
        await aside.settle(one.reading, 'released')
        await aside.settle(two.reading, 'contradicted')
        expect(await aside.due(9_000, 10)).toEqual([three])
        expect(await aside.of(1, 0, 9_000)).toEqual([{ ...one, kind: 'released' }, three])
        await close()
      }))

    test('are told from the last one back, and counted within a bound', () =>
      withStores(async ({ open }) => {
        const { aside, close } = await open({ clock })
        const kept = Array.from({ length: 5 }, (_, i) => held(1, 2_000 + i, i))
        await aside.add([...kept, held(2, 2_001, 9)])
        const span = { device: 1, from: 2_000, to: 2_004 }
        expect(await aside.lastOf(span, 2, 10)).toEqual({ last: kept.slice(2, 4), all: 4 })
        expect(await aside.lastOf(span, 2, 3)).toEqual({ last: kept.slice(2, 4), all: 3 })
        expect(await aside.lastOf({ ...span, device: 3 }, 2, 3)).toEqual({ last: [], all: 0 })
        await close()
      }))

    test('are forgotten by when they were received', () =>
      withStores(async ({ open }) => {
        const { aside, close } = await open({ clock })
        const newer = { ...held(1, 2_000, 4), receivedAt: 900 }
        await aside.add([held(1, 3_000, 5), newer])
        await aside.drop(900)
        expect(await aside.of(1, 0, 9_000)).toEqual([newer])
        await close()
      }))

    test('are forgotten by when they were measured, of the devices that are named', () =>
      withStores(async ({ open }) => {
        const { aside, close } = await open({ clock })
        const [old, kept, others] = [held(1, 2_000, 4), held(1, 3_000, 5), held(2, 2_000, 6)]
        await aside.add([old, kept, others])
        await aside.dropMeasured([1, 3], 3_000)
        expect(await aside.of(1, 0, 9_000)).toEqual([kept])
        expect(await aside.of(2, 0, 9_000)).toEqual([others])
        await close()
      }))
  })
}
