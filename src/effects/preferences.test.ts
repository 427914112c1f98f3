import { expect, test } from 'vitest'
import { createStore } from '../actors/store.ts'
import { keepPreferences, type Preferences, readPreferences } from './preferences.ts'

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

/** A tab over a browser's cookie, as it begins. */
function openTab(browser: { cookie: string }) {
  const preferences = createStore<Preferences>(readPreferences(browser.cookie))
  keepPreferences(browser, preferences)
  return {
    choose: (choice: Partial<Preferences>) => preferences.set({ ...preferences.get(), ...choice }),
    fold: (name: string) => preferences.set({ ...preferences.get(), unfolded: { [name]: false } }),
  }
}

test('what two tabs choose side by side is kept of both', () => {
  const browser = { cookie: '' }
  const [one, other] = [openTab(browser), openTab(browser)]
  one.choose({ theme: 'dark' })
  other.fold('Reports')
  one.fold('History')
  other.choose({ lists: { u1: 'plate~-at' } })
  expect(readPreferences(browser.cookie)).toEqual({
    theme: 'dark',
    unfolded: { Reports: false, History: false },
    lists: { u1: 'plate~-at' },
  })
})

test('keep the lists of the four users who chose last', () => {
  const browser = { cookie: '' }
  for (const [nth, user] of ['a', 'b', 'c', 'a', 'd', 'e'].entries())
    openTab(browser).choose({ lists: { [user]: `look ${nth}` } })
  expect(Object.keys(readPreferences(browser.cookie).lists ?? {})).toEqual(['c', 'a', 'd', 'e'])
})
