import { any, array, define, number, object, string } from 'superstruct'
import { expect, test, vi } from 'vitest'
import { fromJson } from './calls/call.ts'
import { ContractError, decode, printable } from './decode.ts'

const Person = object({ name: string(), pets: array(object({ age: number() })) })
const deep = (): unknown => JSON.parse('['.repeat(10_000) + ']'.repeat(10_000))

const pathOf = (value: unknown, struct = Person as never): string => {
  try {
    decode(value, struct)
  } catch (error) {
    if (error instanceof ContractError) return error.path
    throw error
  }
  return 'nothing is wrong'
}

test('what cannot be made a text is still told by its place', () => {
  const name = 'Ayesha'
  expect(pathOf({ name: { toString: 1 }, pets: [] })).toBe('name')
  expect(pathOf({ name: deep(), pets: [] })).toBe('name')
  expect(pathOf({ name, pets: [{ age: 1 }, { age: { valueOf: null, toString: null } }] })).toBe('pets.1.age')
  expect(pathOf({ name, pets: [{ age: deep() }] })).toBe('pets.0.age')
  expect(pathOf(deep())).toBe('')
})

test('and nothing in it is made a text for that', () => {
  const leaf = { toString: vi.fn(() => '') }
  const value = Array.from({ length: 40 }).reduce((inner) => [inner, { toString: 1 }], leaf)
  expect(printable([value])).toMatchObject([[{}, {}]])
  expect(leaf.toString).not.toHaveBeenCalled()
})

test('in a query as well, where it comes as JSON', () => {
  const Query = object({ data: fromJson(Person) }) as never
  expect(pathOf({ data: '['.repeat(10_000) + ']'.repeat(10_000) }, Query)).toBe('data')
  expect(pathOf({ data: '{"name":{"toString":1},"pets":[]}' }, Query)).toBe('data.name')
  expect(pathOf({ data: '{"name":"x","pets":[]}' }, Query)).toBe('nothing is wrong')
})

test('where anything goes, it goes', () => {
  const value = { any: { toString: 1 }, deep: deep() }
  expect(decode(value, object({ any: any(), deep: any() }))).toEqual(value)
})

test('hundreds of fields nobody knows are refused before a value is looked at', () => {
  const looked: unknown[] = []
  const Noting = object({ name: define<unknown>('noted', (value) => looked.push(value) > 0) })
  const sent = { name: 1, ...Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`key${i}`, 1])) }
  expect(pathOf(sent, Noting as never)).toContain('key0')
  expect(looked).toEqual([])
})
