import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { migrate } from './schema.ts'

test('readings kept aside that were received long ago are found without a look at all there are', () => {
  const db = new DatabaseSync(':memory:')
  migrate(db)
  const plan = db.prepare('EXPLAIN QUERY PLAN DELETE FROM aside WHERE received_at < ?').all(1)
  db.close()
  expect(plan).toMatchObject([{ detail: expect.stringContaining('INDEX aside_received') }])
})
