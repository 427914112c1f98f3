import { expect, test } from 'vitest'
import { mayReload } from './reloads.ts'

const MINUTE = 60_000

test('a page is loaded anew by itself once in a minute, each for itself', () => {
  const stored = new Map<string, string>()
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  }
  expect([mayReload(storage, '/', 0), mayReload(storage, '/', MINUTE - 1)]).toEqual([true, false])
  expect(mayReload(storage, '/', MINUTE)).toBe(true)
  expect(mayReload(storage, '/groups', MINUTE)).toBe(true)
})

test('where it cannot be noted it is not, or it would be for ever', () => {
  const full = {
    getItem: () => null,
    setItem() {
      throw new DOMException('no room', 'QuotaExceededError')
    },
  }
  expect(mayReload(full, '/', 0)).toBe(false)
})
