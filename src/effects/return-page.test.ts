import { expect, test } from 'vitest'
import { createReturnPage } from './return-page.ts'

function tab() {
  const stored = new Map<string, string>()
  const room = { isFull: false }
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem(key: string, value: string) {
      if (room.isFull) throw new DOMException('no room', 'QuotaExceededError')
      stored.set(key, value)
    },
    removeItem: (key: string) => void stored.delete(key),
  }
  return { stored, room, returnPage: createReturnPage(storage) }
}

test('whoever knocks first is led to where they knocked', () => {
  const { returnPage } = tab()
  returnPage.keep('/temperature/35?from=1', undefined)
  expect(returnPage.of('u1')).toBe('/temperature/35?from=1')
})

test('a page is for the user who was on it, also after they were thrown out', () => {
  const { returnPage } = tab()
  returnPage.keep('/users', 'u1')
  expect([returnPage.of('u1'), returnPage.of('u2')]).toEqual(['/users', undefined])
  returnPage.keep('/users', undefined)
  expect([returnPage.of('u1'), returnPage.of('u2')]).toEqual(['/users', undefined])
})

test('who signed out begins at the beginning, and Back leads nobody else to their pages', () => {
  const { returnPage } = tab()
  returnPage.keep('/users', 'u1')
  returnPage.forget()
  expect(returnPage.of('u1')).toBeUndefined()
  returnPage.keep('/users', undefined)
  expect(returnPage.of('u2')).toBeUndefined()
})

test('a tab that is full goes on, and leads nobody to a page of before', () => {
  const { returnPage, room } = tab()
  returnPage.keep('/users', 'u1')
  room.isFull = true
  returnPage.keep('/groups', 'u1')
  expect(returnPage.of('u1')).toBeUndefined()
  room.isFull = false
  returnPage.keep('/groups', 'u1')
  expect(returnPage.of('u1')).toBe('/groups')
})

const STRANGE = ['//evil.example', '/\\evil.example', '/\t/evil.example', 'https://evil.example', 'users', '']

test.each([...STRANGE, `/${'a'.repeat(2000)}`])('%j is no page of the portal', (address) => {
  const { returnPage } = tab()
  returnPage.keep('/users', 'u1')
  returnPage.keep(address, 'u1')
  expect(returnPage.of('u1')).toBeUndefined()
})

test.each([...STRANGE.map((address) => JSON.stringify({ address, userId: null })), 'null', '{', '"/users"'])(
  'what the tab holds counts as nothing where it is no such thing: %s',
  (text) => {
    const { stored, returnPage } = tab()
    returnPage.keep('/users', 'u1')
    for (const key of stored.keys()) stored.set(key, text)
    expect(returnPage.of('u1')).toBeUndefined()
  },
)
