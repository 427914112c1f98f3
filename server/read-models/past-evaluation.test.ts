import { expect, test } from 'vitest'
import { lackingFrom, PAST_EVALUATION } from './past-evaluation.ts'

const from = (value: unknown, at: number) =>
  lackingFrom({ get: (name) => (name === PAST_EVALUATION ? value : undefined) }, at)

test('a range that begins before what is evaluated lacks what is still to come', () => {
  const half = { recordFrom: 1000, before: 800, done: 3, of: 8 }
  expect(from(half, 799)).toEqual({ pending: { done: 3, of: 8 } })
  expect(from(half, 800)).toEqual({})
  expect(from({ ...half, before: null }, 0)).toEqual({})
})

test('a past that is not going to be evaluated is named by where counting begins', () => {
  expect(from({ recordFrom: 1000, before: 1000, done: 0, of: 0 }, 999)).toEqual({
    countedFrom: '1970-01-01T00:00:01.000Z',
  })
})

test('what is no such value lacks nothing', () => {
  for (const value of [undefined, null, 5, { before: 'soon' }]) expect(from(value, 0)).toEqual({})
})
