import { describe, expect, test } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import { commandKey, OWN_KEPT_MS, ownKey } from './append-keys.ts'
import type { WithStores } from './testing/stores.ts'

const clock = { now: () => 1_000 }
const DONE = new Uint8Array([1, 2, 3])
const reset: NewFact = { type: 'user.reset-required', at: 1, companyId: 'c', data: { userId: 'u1' } }

/** What every store of answers to commands promises. */
export function answersContract(name: string, withStores: WithStores): void {
  describe(`answers to commands: ${name}`, () => {
    test('are known by their id, after a restart and on another node too', () =>
      withStores(async ({ open, reopen, beside }) => {
        let store = await open({ clock })
        expect(await store.answers.claim('a', 'one', 500, 0)).toEqual({ asked: 'one', at: 500 })
        expect(await store.answers.claim('a', 'two', 900, 0)).toEqual({ asked: 'one', at: 500 })
        await store.answers.keep('a', { asked: 'one', at: 500, bytes: DONE })
        const { facts } = await store.log.append('user-u1', [reset], { idempotencyKey: 'k' })
        if (reopen) {
          await store.close()
          store = await reopen({ clock })
        }
        const other = (await beside?.({ clock })) ?? store
        for (const { answers, log } of [store, other]) {
          const known = await answers.claim('a', 'one', 990, 0)
          expect({ ...known, bytes: [...(known.bytes ?? [])] }).toEqual({
            asked: 'one',
            at: 500,
            bytes: [...DONE],
          })
          expect(await log.appended('k')).toEqual({ facts, version: 1, repeated: true })
          expect(await log.appended('another')).toBeUndefined()
        }
        if (other !== store) await other.close()
        await store.close()
      }))

    test('are claimed by one of many at once', () =>
      withStores(async ({ open }) => {
        const { answers, close } = await open({ clock })
        const claimed = await Promise.all(
          Array.from({ length: 8 }, (_, i) => answers.claim('a', `asked ${i}`, i, 0)),
        )
        expect(new Set(claimed.map(({ asked }) => asked)).size).toBe(1)
        await close()
      }))

    test('are free again when nothing was done, not when something was', () =>
      withStores(async ({ open }) => {
        const { answers, close } = await open({ clock })
        await answers.claim('a', 'one', 500, 0)
        await answers.release('a')
        expect(await answers.claim('a', 'two', 600, 0)).toEqual({ asked: 'two', at: 600 })
        await answers.keep('a', { asked: 'two', at: 600, bytes: DONE })
        await answers.release('a')
        expect((await answers.claim('a', 'one', 700, 0)).asked).toBe('two')
        await close()
      }))

    test('count no more when they are old, and are forgotten with what the log knows of them', () =>
      withStores(async ({ open }) => {
        const { answers, log, close } = await open({ clock })
        await answers.keep('a', { asked: 'one', at: 500, bytes: DONE })
        expect(await answers.claim('a', 'two', 900, 501)).toEqual({ asked: 'two', at: 900 })
        await answers.keep('b', { asked: 'one', at: 500, bytes: DONE })
        const [old, young, foreign] = [commandKey(500, 'b', 0), commandKey(900, 'a', 0), 'image-7']
        for (const idempotencyKey of [old, young, foreign])
          await log.append('user-u1', [reset], { idempotencyKey })
        await answers.drop(900)
        expect(await answers.claim('b', 'three', 950, 0)).toEqual({ asked: 'three', at: 950 })
        expect((await answers.claim('a', 'two', 950, 0)).at).toBe(900)
        expect(await log.appended(old)).toBeUndefined()
        expect(await log.appended(young)).toBeDefined()
        expect(await log.appended(foreign)).toBeDefined()
        await close()
      }))

    test('are forgotten with what the server appended by itself a week before, which is known until then', () =>
      withStores(async ({ open }) => {
        const { answers, log, close } = await open({ clock })
        const [old, young] = [ownKey(500, 'judge-9'), ownKey(900, 'judge-10')]
        for (const idempotencyKey of [old, young]) await log.append('judge', [reset], { idempotencyKey })
        await answers.drop(900)
        expect((await log.append('judge', [], { idempotencyKey: old })).repeated).toBe(true)
        await answers.drop(900 + OWN_KEPT_MS)
        expect(await log.appended(old)).toBeUndefined()
        expect(await log.appended(young)).toBeDefined()
        await close()
      }))

    test('are forgotten with what releases before appended by themselves, once this one has appended after it', () =>
      withStores(async ({ open }) => {
        const { answers, log, close } = await open({ clock })
        const add = async (...keys: string[]) => {
          for (const idempotencyKey of keys) await log.append('judge', [reset], { idempotencyKey })
        }
        const known = async (...keys: string[]) => {
          const found = await Promise.all(keys.map((key) => log.appended(key)))
          return keys.filter((_, i) => found[i] !== undefined)
        }
        const earlier = ['judge-9', 'late-0-7-9', 'alert-u1-sms-9', 'mail-9', 'sms-9']
        const others = [
          'image-7',
          'seal-head-7-a@b.example',
          'seal-key-7',
          'past-0-7',
          'past-violations-35-7',
        ]
        await add(...earlier, ...others)
        await answers.drop(0)
        expect(await known(...earlier), 'an older release may lead').toEqual(earlier)
        const own = ownKey(900, 'judge-10')
        await add(own, 'judge-11')
        await answers.drop(0)
        expect(await known(...earlier, ...others, own, 'judge-11')).toEqual([...others, own, 'judge-11'])
        await close()
      }))
  })
}
