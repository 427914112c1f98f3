import { expect, test } from 'vitest'
import { createCommandKeys } from './command-keys.ts'

const CREATE = 'POST /api/groups {"name":"Cold store"}'
const HOUR = 3_600_000

/** A tab whose pages share their storage; `full`: the browser keeps nothing more. */
function tab({ full = false } = {}) {
  const kept = new Map<string, string>()
  const clock = { at: 0 }
  const page = () =>
    createCommandKeys(
      {
        getItem: (name) => kept.get(name) ?? null,
        setItem(name, value) {
          if (full) throw new DOMException('full', 'QuotaExceededError')
          kept.set(name, value)
        },
      },
      () => clock.at,
    )
  return { page, clock, kept }
}

test('a command without an answer keeps its name, on the next page too, within the hour', () => {
  const { page, clock } = tab()
  const name = page().of(CREATE)
  expect(name).toMatch(/^[\x21-\x7e]{8,128}$/)
  clock.at = HOUR - 1
  expect(page().of(CREATE)).toBe(name)
  clock.at = HOUR
  expect(page().of(CREATE)).not.toBe(name)
})

test('another command, and the same one after its answer, has another name', () => {
  const keys = tab().page()
  const name = keys.of(CREATE)
  expect(keys.of(`${CREATE} `)).not.toBe(name)
  keys.ended(CREATE, 200)
  expect(keys.of(CREATE)).not.toBe(name)
})

test('one that had no answer is another after one that begins like it was done, unless it is still waited for', () => {
  const { page } = tab()
  const keys = page()
  const lost = keys.of(CREATE)
  keys.ended(CREATE, 0)
  const waiting = keys.of('POST /api/groups waiting')
  expect(keys.of(CREATE), 'pressed again').toBe(lost)
  keys.ended(CREATE, 0)
  keys.ended('POST /api/loads {}', 200)
  keys.ended('POST /api/groups another', 422)
  expect(page().of(CREATE), 'another was done elsewhere, or refused').toBe(lost)
  keys.ended('POST /api/groups another', 200)
  expect(keys.of('POST /api/groups waiting')).toBe(waiting)
  expect(page().of(CREATE)).not.toBe(lost)
})

test('in a tab that keeps nothing more the page knows its own, and what is there of another making is no harm', () => {
  const keys = tab({ full: true }).page()
  expect(keys.of(CREATE)).toBe(keys.of(CREATE))
  const { page, kept } = tab()
  for (const foreign of ['{', '7', '[1,["a"]]']) {
    kept.set('draft command-keys', foreign)
    expect(page().of(CREATE)).toBeTypeOf('string')
  }
})

test('while they are held nothing may be changed, and why is said', () => {
  const keys = tab().page()
  keys.hold('Go back to now to change something')
  expect(keys.check).toThrow('Go back to now to change something')
  keys.hold(undefined)
  expect(keys.check).not.toThrow()
})
