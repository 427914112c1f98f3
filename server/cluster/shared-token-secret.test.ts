import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { emptyDatabase } from '../../tools/local-cluster/test-database.ts'
import { type Database, openDatabase } from '../store/postgres/database.ts'
import { migrate } from '../store/postgres/migrations.ts'
import { OtherSecret, sharedTokenSecret } from './shared-token-secret.ts'

const GIVEN = 'a secret of the tests, long enough to sign with'
const OTHER = 'another secret of the tests, also long enough'

describe('the key that signs tokens, with a database', () => {
  let database: Database
  beforeEach(async () => {
    database = await openDatabase(await emptyDatabase())
    await migrate(database)
  })
  afterEach(async () => {
    await database.close()
  })
  /** whether a node leads */
  const leads = (does: boolean) =>
    database.ask((sql) => sql`UPDATE lead SET until = ${does ? 'infinity' : '-infinity'}::text::timestamptz`)
  const secretOf = (given?: string) => sharedTokenSecret(given, database)

  test('is made once, whoever starts first, and found again by the next start', async () => {
    const secrets = await Promise.all([secretOf(), secretOf(), secretOf()])
    expect(new Set(secrets).size).toBe(1)
    expect(secrets[0]).toMatch(/^[\w-]{43}$/)
    await leads(true)
    expect(await secretOf()).toBe(secrets[0])
  })

  test('is the one that all were given, and in no table then', async () => {
    expect(await Promise.all([secretOf(GIVEN), secretOf(GIVEN)])).toEqual([GIVEN, GIVEN])
    const rows = await database.ask((sql) => sql`SELECT * FROM house_keys`)
    expect(JSON.stringify([...rows])).not.toContain(GIVEN)
  })

  test('is refused to a node that was given another, or none, while others are up; and changed when none is', async () => {
    await secretOf(GIVEN)
    await leads(true)
    await expect(secretOf(OTHER)).rejects.toThrow(OtherSecret)
    await expect(secretOf(OTHER)).rejects.toThrow('TOKEN_SECRET is not the one the other nodes have')
    await expect(secretOf()).rejects.toThrow('give this one the same')
    expect(await secretOf(GIVEN)).toBe(GIVEN)
    await leads(false)
    expect(await secretOf(OTHER)).toBe(OTHER)
  })
})
