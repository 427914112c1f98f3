import { afterAll, beforeAll, expect, test } from 'vitest'
import { A_SERVER_STARTS, emptyDatabase } from '../../../tools/local-cluster/test-database.ts'
import { CannotStart } from '../../config/variables.ts'
import { type Database, openDatabase } from './database.ts'
import { type Migration, migrate, migrationsOf } from './migrations.ts'

let database: Database
beforeAll(async () => {
  database = await openDatabase(await emptyDatabase())
}, A_SERVER_STARTS)
afterAll(() => database.close())

const step = (number: number, sql: string): Migration => ({ number, name: `00${number}-step.sql`, sql })
const one = step(1, 'CREATE TABLE counted (n int); INSERT INTO counted VALUES (1)')
const counted = () =>
  database.ask(async (sql) => [...(await sql`SELECT n FROM counted ORDER BY n`)].map(({ n }) => n as number))

test('each step is taken once, however many nodes start at a time', async () => {
  const two = step(2, 'INSERT INTO counted VALUES (2)')
  await Promise.all([migrate(database, [one]), migrate(database, [one]), migrate(database, [one])])
  expect(await counted()).toEqual([1])
  await Promise.all([migrate(database, [one, two]), migrate(database, [one, two])])
  expect(await counted()).toEqual([1, 2])
})

test('of steps that fail nothing stays', async () => {
  const two = step(2, 'SELECT 1')
  const three = step(3, 'INSERT INTO counted VALUES (3)')
  const broken = step(4, 'INSERT INTO counted VALUES (4); SELECT nothing FROM nowhere')
  await expect(migrate(database, [one, two, three, broken])).rejects.toThrow(/nowhere/)
  expect(await counted()).toEqual([1, 2])
  await migrate(database, [one, two, three])
  expect(await counted()).toEqual([1, 2, 3])
})

test('a database of a later release is left alone', async () => {
  const opened = migrate(database, [one])
  await expect(opened).rejects.toThrow(/has had 00\d-step.sql, .* start the later release on it/)
  await expect(opened).rejects.toBeInstanceOf(CannotStart)
  expect(await counted()).toEqual([1, 2, 3])
})

test('those of this release are numbered from 1 on without a gap', () => {
  const numbers = migrationsOf().map(({ number }) => number)
  expect(numbers).toEqual(numbers.map((_, i) => i + 1))
})
