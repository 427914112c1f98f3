import { any, number, object, set, string } from 'superstruct'
import { beforeEach, describe, expect, test } from 'vitest'
import { createDrafts } from './drafts.ts'

const HOUR = 3_600_000

let page: string
let now: number
let stored: Map<string, string>
let isFull: (key: string) => boolean

beforeEach(() => {
  page = 'bilal /users'
  now = 0
  stored = new Map()
  isFull = () => false
})

/** As the next page has it: the same storage, nothing held. */
function nextPage() {
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem(key: string, text: string) {
      if (isFull(key)) throw new DOMException('full', 'QuotaExceededError')
      stored.set(key, text)
    },
    removeItem: (key: string) => stored.delete(key),
  }
  return createDrafts(
    new Proxy(storage, {
      ownKeys: () => [...stored.keys()],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    }) as unknown as Storage,
    () => page,
    () => now,
  )
}

const Name = object({ name: string(), of: set(number()) })
const typed = { name: 'Cold store 4', of: new Set([1, 2]) }

describe('what was typed', () => {
  test('is there on the next page, sets included', () => {
    const drafts = nextPage()
    drafts.hold('form', () => typed)
    expect(drafts.keep()).toBe(true)
    expect(nextPage().kept('form', Name)).toEqual(typed)
  })

  test('is no number still where it was none', () => {
    const drafts = nextPage()
    drafts.hold('form', () => [Number.NaN, null, 0])
    drafts.keep()
    expect(nextPage().kept('form', any())).toEqual([Number.NaN, null, 0])
  })

  test('is not written down before the page has to go', () => {
    nextPage().hold('form', () => typed)
    expect(stored.size).toBe(0)
  })

  test('outlives the form that the page took with it, and comes back once', () => {
    const drafts = nextPage()
    const letGo = drafts.hold('form', () => typed)
    drafts.keep()
    letGo()
    const next = nextPage()
    expect(next.kept('form', Name)).toEqual(typed)
    next.hold('form', () => typed)
    expect(nextPage().kept('form', Name)).toBeUndefined()
  })

  test('is not kept once its form is over', () => {
    const drafts = nextPage()
    drafts.hold('form', () => typed)()
    drafts.keep()
    expect(stored.size).toBe(0)
  })

  test('is another user’s or another page’s no more than it is older than an hour', () => {
    const drafts = nextPage()
    drafts.hold('form', () => typed)
    drafts.keep()
    page = 'sana /users'
    expect(nextPage().kept('form', Name)).toBeUndefined()
    page = 'bilal /groups'
    expect(nextPage().kept('form', Name)).toBeUndefined()
    page = 'bilal /users'
    now = HOUR - 1
    expect(nextPage().kept('form', Name)).toEqual(typed)
    now = HOUR
    expect(nextPage().kept('form', Name)).toBeUndefined()
    expect(stored.size).toBe(0)
  })

  test('is not taken where it is not what the form holds', () => {
    const drafts = nextPage()
    drafts.hold('form', () => ({ name: 4 }))
    drafts.keep()
    expect(nextPage().kept('form', Name)).toBeUndefined()
    stored.set('draft bilal /users form', '{')
    expect(nextPage().kept('form', Name)).toBeUndefined()
  })

  test('is gone when its user is', () => {
    const drafts = nextPage()
    drafts.hold('form', () => typed)
    drafts.keep()
    stored.set('director', '{}')
    nextPage().forget()
    expect([...stored.keys()]).toEqual(['director'])
  })
})

describe('the page must stay', () => {
  test('while something on it is never written down', () => {
    const drafts = nextPage()
    drafts.hold('form', () => typed)
    const letGo = drafts.holdSecret()
    expect(drafts.keep()).toBe(false)
    expect(stored.size).toBe(0)
    letGo()
    expect(drafts.keep()).toBe(true)
  })

  test('where the browser keeps no more, and nothing is left half kept', () => {
    isFull = (key) => key.endsWith('second')
    const drafts = nextPage()
    drafts.hold('form', () => typed)
    drafts.hold('second', () => typed)
    expect(drafts.keep()).toBe(false)
    expect(stored.size).toBe(0)
  })
})
