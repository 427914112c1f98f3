import { expect, test } from 'vitest'
import { readPreferences } from './preferences.ts'

const cookie = (value: unknown) => `a=b; frostline-view=${encodeURIComponent(JSON.stringify(value))}; c=d`
const none = { theme: 'system', unfolded: {} }

test('are read from among other cookies', () => {
  const chosen = { theme: 'dark', unfolded: { Reports: false } }
  expect(readPreferences(cookie(chosen))).toEqual(chosen)
})

test('hold how each user has the device list', () => {
  const chosen = { ...none, lists: { u1: 'plate~-at' } }
  expect(readPreferences(cookie(chosen))).toEqual(chosen)
})

test.each(['', 'a=b', 'frostline-view=%', 'frostline-view={', cookie({ theme: 'pink' }), cookie(null)])(
  'fall back where %j says nothing',
  (cookies) => expect(readPreferences(cookies)).toEqual(none),
)
