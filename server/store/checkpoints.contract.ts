import { describe, expect, test } from 'vitest'
import type { WithStores } from './testing/stores.ts'

const clock = { now: () => 1_000 }

/** What every checkpoint store promises. */
export function checkpointsContract(name: string, withStores: WithStores): void {
  describe(`checkpoints: ${name}`, () => {
    test('a name never saved has none', () =>
      withStores(async ({ open }) => {
        const store = await open({ clock })
        expect(store.checkpoints.load('latest')).toBeUndefined()
        await store.close()
      }))

    test('the last one saved under a name is loaded, also after a restart', () =>
      withStores(async ({ open, reopen }) => {
        let store = await open({ clock })
        store.checkpoints.save('latest', 3, () => Uint8Array.of(1, 2))
        store.checkpoints.save('directory', 9, () => new Uint8Array(0))
        store.checkpoints.save('latest', 5, () => Uint8Array.of(7, 8, 9))
        if (reopen) {
          await store.close()
          store = await reopen({ clock })
        }
        expect(store.checkpoints.load('latest')).toEqual({ seq: 5, bytes: Uint8Array.of(7, 8, 9) })
        expect(store.checkpoints.load('directory')).toEqual({ seq: 9, bytes: new Uint8Array(0) })
        await store.close()
      }))

    test('one of several megabytes comes back whole', () =>
      withStores(async ({ open }) => {
        const store = await open({ clock })
        const bytes = new Uint8Array(5_000_000).map((_, i) => i % 251)
        store.checkpoints.save('latest', 1, () => bytes)
        expect(Buffer.compare(store.checkpoints.load('latest')?.bytes ?? new Uint8Array(0), bytes)).toBe(0)
        await store.close()
      }))
  })
}
