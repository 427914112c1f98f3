import { object, string } from 'superstruct'
import { expect, test } from 'vitest'
import { ContractError } from '#machines/contracts/decode.ts'
import { factContract } from '#machines/contracts/facts.ts'
import { type FactFormat, upcast } from './upcast.ts'

const stored = (v: number, data: unknown) => ({
  seq: 7,
  id: 'f7',
  type: 'group.deleted' as const,
  v,
  at: 1,
  recordedAt: 2,
  companyId: 'c1',
  data,
})

const inVersion = (version: number, upcasts: FactFormat['upcasts'] = {}): FactFormat => {
  const versions = { 'group.deleted': version }
  const shapes = { 'group.deleted': object({ groupId: string(), reason: string() }) as never }
  return { versions, upcasts, contract: factContract(versions, shapes) }
}

test('a fact in its current version is left as it is', () => {
  expect(upcast(stored(1, { groupId: 'g1' }))).toEqual(stored(1, { groupId: 'g1' }))
})

test('an old fact goes through every step to the current version', () => {
  const steps = {
    'group.deleted': {
      1: (data: unknown) => ({ groupId: (data as { id: string }).id }),
      2: (data: unknown) => ({ ...(data as object), reason: 'unknown' }),
    },
  }
  const fact = upcast(stored(1, { id: 'g1' }), inVersion(3, steps))
  expect(fact).toEqual(stored(3, { groupId: 'g1', reason: 'unknown' }))
})

test('where the steps do not lead to the shape of today, the fact and the place are named', () => {
  const upcasts = { 'group.deleted': { 1: (data: unknown) => data } }
  const read = () => upcast(stored(1, { groupId: 'g1' }), inVersion(2, upcasts))
  expect(read).toThrow(ContractError)
  expect(read).toThrow(/group\.deleted 7: at data\.reason/)
})

test('a missing step and a later release are errors that name the fact type', () => {
  expect(() => upcast(stored(1, {}), inVersion(2))).toThrow(/group\.deleted 7.*from version 1 to 2/)
  expect(() => upcast(stored(2, {}))).toThrow(/group\.deleted.*later release/)
})
