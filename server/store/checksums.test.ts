import { expect, test } from 'vitest'
import { sumOfBatch, sumOfFact } from './checksums.ts'
import { createDamageRegister } from './damage.ts'
import { appendedFact, checkFact } from './fact-rows.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

test('what is hashed of bytes is a leaf of RFC 9162', () => {
  expect(hex(sumOfBatch(new Uint8Array(0)))).toBe(
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  )
  expect(hex(sumOfBatch(Uint8Array.of(0)))).toBe(
    '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
  )
})

test('a fact is hashed with its place, as canonical JSON: the order of its fields says nothing', () => {
  const fact = checkFact({ type: 'group.deleted', at: 1, companyId: 'c1', data: { groupId: 'g' } }, 'a fact')
  const place = { seq: 3, stream: 'group-g', version: 2, recordedAt: 9 }
  const { row } = appendedFact(fact, place)
  // sha256 of 0x00 and the text in RFC 8785, made by another program
  expect(hex(row.sum as Uint8Array)).toBe('c4fae35063b684697069cc66c62abc7dcce879b3398de6ef028ed68db7654979')
  expect(sumOfFact({ ...row, seq: 4 })).not.toEqual(row.sum)
  expect(sumOfFact({ ...row, data: '{"name":"\\ud800"}' })).toHaveLength(32)
  expect(sumOfFact({ ...row, data: '{"b":1,"a":2}' })).toEqual(sumOfFact({ ...row, data: '{"a":2, "b":1}' }))
})

test('spans of damage that touch are one, and other devices have none', () => {
  const damage = createDamageRegister()
  const heard: string[] = []
  damage.onNoted(({ key }) => heard.push(key))
  for (const [key, device, from, to] of [
    ['a', 1, 10, 20],
    ['b', 1, 15, 30],
    ['b', 1, 15, 30],
    ['c', 2, 5, 6],
  ] as const)
    damage.note({ table: 'chunks', key, device, from, to, reason: 'r' })
  expect(heard).toEqual(['a', 'b', 'c'])
  expect(damage.spansOf(1, 0, 100)).toEqual([{ from: 10, to: 30 }])
  expect(damage.spansOf(1, 31, 100)).toEqual([])
  expect(damage.spansOf(3, 0, 100)).toEqual([])
  damage.clear(({ key }) => key === 'a')
  expect(damage.spansOf(1, 0, 100)).toEqual([{ from: 15, to: 30 }])
})
