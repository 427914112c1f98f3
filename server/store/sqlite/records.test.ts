import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { columnsOf } from '../testing/telemetry-model.ts'
import { FACT_FORMAT } from '../upcast.ts'
import { STORE_FILE } from './database.ts'
import { openSqliteStore } from './open.ts'
import { createRecords } from './records.ts'

const FACTS = 20
const BATCHES = 10

/** A record of facts, and of readings after the first half of them; how many batches were read from it. */
async function filled() {
  const dir = await mkdtemp(join(tmpdir(), 'frostline-records-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const store = openSqliteStore({ dir, clock: { now: () => 1 } })
  const fact = (i: number) => ({
    ...{ type: 'group.deleted' as const, at: 1, companyId: 'c1', data: { groupId: `g${i}` } },
  })
  for (let i = 0; i < FACTS; i++) {
    await store.log.append(`group-${i}`, [fact(i)])
    if (i >= FACTS - BATCHES)
      await store.telemetry.append(columnsOf([{ device: 1, at: i * 1000, temperature: 1 }]), i * 1000)
  }
  await store.close()
  const db = new DatabaseSync(join(dir, STORE_FILE), { readOnly: true })
  onTestFinished(() => db.close())
  let batches = 0
  const prepare = db.prepare.bind(db)
  db.prepare = (sql) => {
    const statement = prepare(sql)
    if (!/SELECT .* FROM batches WHERE seq > /.test(sql)) return statement
    const all = statement.all.bind(statement) as (
      ...values: (number | string)[]
    ) => Record<string, SQLOutputValue>[]
    statement.all = ((...values: (number | string)[]) => {
      const rows = all(...values)
      batches += rows.length
      return rows
    }) as typeof statement.all
    return statement
  }
  return { records: createRecords(db, FACT_FORMAT), batchesRead: () => batches }
}

test('whoever follows facts of long ago reads no batch of later for them', async () => {
  const { records, batchesRead } = await filled()
  const half = FACTS - BATCHES
  expect(records.read(0, half).map(({ kind }) => kind)).toEqual(Array(half).fill('fact'))
  expect(batchesRead()).toBe(0)
})

test.each([1, 3, 7, FACTS + BATCHES, 100])(
  'read %d at a time, the record is the same, in its order and without a gap',
  async (limit) => {
    const { records } = await filled()
    const seqs: number[] = []
    for (;;) {
      const found = records.read(seqs.at(-1) ?? 0, limit)
      expect(found.length).toBeLessThanOrEqual(limit)
      if (found.length === 0) break
      seqs.push(...found.map(({ seq }) => seq))
    }
    expect(seqs).toEqual(Array.from({ length: FACTS + BATCHES }, (_, i) => i + 1))
  },
)
