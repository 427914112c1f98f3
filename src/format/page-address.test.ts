import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Id, Imei } from '#machines/contracts/scalars.ts'
import { idList, idOrNone, oneOf, pageAddress, picks, span, typed } from './page-address.ts'

const WEEK_MS = 604_800_000
const address = pageAddress<{
  words: string
  view: 'all' | 'open'
  device: string | null
  compared: readonly string[]
  groups: 'all' | ReadonlySet<string>
  date: { from: number; to: number } | null
}>({
  words: typed('q', 20),
  view: oneOf('view', ['all', 'open'], 'all'),
  device: idOrNone('device', Imei),
  compared: idList('with', Imei, 3),
  groups: picks('groups', Id, 3),
  date: span('date', WEEK_MS),
})
const opened = address.read('')

const imei = fc.stringMatching(/^\d{15}$/)
const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/)
const states = fc.record({
  words: fc.string({ maxLength: 20 }),
  view: fc.constantFrom<'all' | 'open'>('all', 'open'),
  device: fc.option(imei),
  compared: fc.uniqueArray(imei, { maxLength: 3 }),
  groups: fc.oneof(
    fc.constant('all' as const),
    fc.uniqueArray(id, { maxLength: 3 }).map((ids) => new Set(ids)),
  ),
  date: fc.option(
    fc
      .tuple(fc.integer({ min: 0, max: 4e12 }), fc.integer({ min: 0, max: WEEK_MS }))
      .map(([from, ms]) => ({ from, to: from + ms })),
  ),
})

test('what was written is read', () => {
  fc.assert(
    fc.property(states, (state) => {
      expect(address.read(address.write(state))).toEqual(state)
    }),
  )
})

test('whatever stands in an address, a state is read that reads the same again', () => {
  const names = fc.constantFrom('q', 'view', 'device', 'with', 'groups', 'date')
  const query = fc
    .array(fc.tuple(names, fc.oneof(fc.string(), fc.string({ unit: 'binary' }), id)))
    .map((pairs) => pairs.map(([name, text]) => `${name}=${text}`).join('&'))
  fc.assert(
    fc.property(fc.oneof(query, fc.string({ unit: 'binary' })), (search) => {
      const state = address.read(search)
      expect(address.read(address.write(state))).toEqual(state)
    }),
  )
})

test('a page as it opens has no query, and what others wrote stays', () => {
  expect(address.write(opened)).toBe('')
  expect(address.write(opened, '?view=open&wall=1')).toBe('wall=1')
})

test('a choice of nothing is not all', () => {
  const none = { ...opened, groups: new Set<string>() }
  expect(address.write(none)).toBe('groups=')
  expect(address.read('groups=')).toEqual(none)
})

test('what is too long or too much stays out', () => {
  expect(address.write({ ...opened, words: 'x'.repeat(21) })).toBe('')
  const compared = [1, 2, 3, 4].map((last) => `35000000000000${last}`)
  expect(address.write({ ...opened, compared })).toBe('')
  expect(address.write({ ...opened, groups: new Set(['a', 'b', 'c', 'd']) })).toBe('')
  expect(address.read('groups=a,b,c,d')).toEqual(opened)
  expect(address.read('date=2026-01-01T00:00:00Z..2026-02-01T00:00:00Z')).toEqual(opened)
})
