import { expect, test } from 'vitest'
import { createReadings, encodeReadings } from '#machines/contracts/readings.ts'
import { OTHER_THAN_WRITTEN, sumOfBatch } from './checksums.ts'
import { createDamageRegister, type DamagedPart } from './damage.ts'
import { type CheckedRow, checkRows, HAS_NO_SUM } from './record-check.ts'

const bytes = encodeReadings(createReadings(0))
const sum = sumOfBatch(bytes)
const batch = (seq: number, fields: { bytes?: Uint8Array; sum?: Uint8Array | null } = {}): CheckedRow => ({
  table: 'batches',
  row: { seq, recorded_at: 1000 * seq, bytes, sum, ...fields },
})
const check = (rows: CheckedRow[], sealed: boolean, damage = createDamageRegister()) => {
  const lacking = checkRows(rows, { table: 'batches', position: '', sealed }, damage)
  return { lacking, found: damage.list() }
}
const damaged = (seq: number, reason = OTHER_THAN_WRITTEN): DamagedPart => ({
  table: 'batches',
  key: String(seq),
  device: null,
  from: 1000 * seq,
  to: 1000 * seq,
  reason,
})

test('a damaged batch is noted with the time it was received', () => {
  expect(check([batch(1), batch(2, { bytes: Uint8Array.of(0) })], true)).toEqual({
    lacking: [],
    found: [damaged(2)],
  })
})

test('a row without a checksum is to be given one, until each has one: then it is damaged', () => {
  const row = batch(3, { sum: null })
  expect(check([row], false)).toEqual({ lacking: [{ checked: row, sum }], found: [] })
  expect(check([row], true)).toEqual({ lacking: [], found: [damaged(3, HAS_NO_SUM)] })
})

test('one that is found whole is damaged no more; what was not looked at stays', () => {
  const damage = createDamageRegister([damaged(1), damaged(2), { ...damaged(1), table: 'facts' }])
  const { found } = check([batch(1)], true, damage)
  expect(found.map(({ table, key }) => `${table} ${key}`)).toEqual(['batches 2', 'facts 1'])
})
