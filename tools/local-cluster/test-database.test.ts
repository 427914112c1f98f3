import postgres from 'postgres'
import { expect, test } from 'vitest'
import { emptyDatabase, withDatabase } from './test-database.ts'

test('each test has an empty database of its own', async () => {
  const [one, other] = await Promise.all([emptyDatabase(), emptyDatabase()])
  const sql = postgres(one)
  await sql`CREATE TABLE kept (a int)`
  await sql.end()
  const otherSql = postgres(other)
  expect(await otherSql`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`).toEqual([])
  await otherSql.end()
})

test('it is of a release the server runs on', () =>
  withDatabase(async (url) => {
    const sql = postgres(url)
    const [row] = await sql`SELECT current_setting('server_version_num')::int AS version`
    expect(row?.version).toBeGreaterThanOrEqual(150_000)
    await sql.end()
  }))

test('it is gone after the work, with whoever was still connected', async () => {
  const connected = await withDatabase(async (url) => {
    const sql = postgres(url, { max: 1, onnotice: () => {} })
    await sql`SELECT 1`
    return sql
  })
  await expect(connected`SELECT 1`).rejects.toThrow()
  await connected.end()
})
