import { expect, test } from 'vitest'
import { upcast } from './upcast.ts'

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
  const fact = upcast(stored(1, { id: 'g1' }), () => 3, steps)
  expect(fact).toEqual(stored(3, { groupId: 'g1', reason: 'unknown' }))
})

test('a missing step and a later release are errors that name the fact type', () => {
  expect(() => upcast(stored(1, {}), () => 2, {})).toThrow(/group\.deleted.*from version 1 to 2/)
  expect(() => upcast(stored(2, {}))).toThrow(/group\.deleted.*later release/)
})
