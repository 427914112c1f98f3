import { describe, expect, test } from 'vitest'
import type { Frame } from './frames.ts'
import type { WithStores } from './testing/stores.ts'

const clock = { now: () => 1_000 }
const frame = (minute: number, base: number | null = null): Frame => ({
  minute,
  seq: minute * 10,
  base,
  bytes: Uint8Array.of(minute % 256, 7),
})

/** What every store of frames promises. */
export function framesContract(name: string, withStores: WithStores): void {
  describe(`frames of the fleet: ${name}`, () => {
    test('are found from the last whole one on, after a restart too', () =>
      withStores(async ({ open, reopen }) => {
        let store = await open({ clock })
        expect([await store.frames.upTo(99), await store.frames.span()]).toEqual([[], undefined])
        for (const one of [frame(10), frame(11, 100), frame(12), frame(13, 120), frame(17, 130)])
          expect(await store.frames.put(one)).toBe(true)
        if (reopen) {
          await store.close()
          store = await reopen({ clock })
        }
        expect(await store.frames.upTo(9)).toEqual([])
        expect(await store.frames.upTo(11)).toEqual([frame(10), frame(11, 100)])
        expect(await store.frames.upTo(16)).toEqual([frame(12), frame(13, 120)])
        expect(await store.frames.upTo(99)).toEqual([frame(12), frame(13, 120), frame(17, 130)])
        expect(await store.frames.upTo(16, 13)).toEqual([frame(13, 120)])
        expect(await store.frames.upTo(16, 11)).toEqual([frame(12), frame(13, 120)])
        expect(await store.frames.upTo(11, 12)).toEqual([])
        expect(await store.frames.next(12)).toEqual(frame(13, 120))
        expect(await store.frames.next(13)).toEqual(frame(17, 130))
        expect(await store.frames.next(17)).toBeUndefined()
        expect(await store.frames.span()).toEqual({ first: 10, last: 17, lastSeq: 170 })
        await store.close()
      }))

    test('stay as they are, and none comes between', () =>
      withStores(async ({ open }) => {
        const { frames, close } = await open({ clock })
        await frames.put(frame(10))
        await frames.put(frame(12, 100))
        expect(await frames.put({ ...frame(12), seq: 999 })).toBe(false)
        expect(await frames.put(frame(11, 100))).toBe(false)
        expect(await frames.put(frame(13, 119)), 'upon a frame that another node did not keep').toBe(false)
        expect(await frames.upTo(13)).toEqual([frame(10), frame(12, 100)])
        expect(await frames.put(frame(13, 120))).toBe(true)
        await close()
      }))

    test('say of which devices something came late, where they were stored', () =>
      withStores(async ({ open }) => {
        const { frames, close } = await open({ clock })
        const hour = (hour: number, device: number) => ({ hour, device })
        await frames.put(frame(100), [hour(1, 7), hour(1, 3), hour(2, 3)])
        await frames.put(frame(101, 1000), [hour(1, 3), hour(5, 4)])
        expect(await frames.put(frame(101), [hour(1, 9)])).toBe(false)
        expect(await frames.lateDevices(1, 1)).toEqual([3, 7])
        expect(await frames.lateDevices(2, 5)).toEqual([3, 4])
        expect(await frames.lateAmong([9, 7, 4, 3], [0, 2, 5, 2], 5)).toEqual([4, 3])
        await frames.drop(120)
        expect(await frames.lateDevices(0, 9)).toEqual([3, 4])
        await close()
      }))

    test('are dropped, but for what others stand upon', () =>
      withStores(async ({ open }) => {
        const { frames, close } = await open({ clock })
        for (const one of [frame(10), frame(11, 100), frame(12), frame(13, 120)]) await frames.put(one)
        await frames.drop(11)
        expect(await frames.span()).toEqual({ first: 10, last: 13, lastSeq: 130 })
        await frames.drop(13)
        expect(await frames.span()).toEqual({ first: 12, last: 13, lastSeq: 130 })
        expect(await frames.upTo(13)).toEqual([frame(12), frame(13, 120)])
        for (let minute = 14; minute < 90; minute++) await frames.put(frame(minute, (minute - 1) * 10))
        await frames.put(frame(90))
        await frames.drop(99)
        expect(await frames.upTo(99)).toEqual([frame(90)])
        expect(await frames.span()).toEqual({ first: 90, last: 90, lastSeq: 900 })
        await close()
      }))
  })
}
