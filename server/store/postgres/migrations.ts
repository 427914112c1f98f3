import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CannotStart } from '../../config/variables.ts'
import type { Database } from './database.ts'
import { LOCKS } from './locks.ts'

export type Migration = { number: number; name: string; sql: string }

const FOLDER = join(import.meta.dirname, 'migrations')
/** Ms: a step may have to go through all there is. */
const PATIENCE = 600_000

/** The numbered steps of this release, from an empty database on. A step that shipped is never changed: add the next. */
export function migrationsOf(folder: string = FOLDER): Migration[] {
  return readdirSync(folder)
    .toSorted()
    .map((name) => {
      const [, number] = /^(\d{3})-[a-z0-9-]+\.sql$/.exec(name) ?? []
      if (number === undefined) throw new Error(`${name} is not named as a migration is`)
      return { number: Number(number), name, sql: readFileSync(join(folder, name), 'utf8') }
    })
}

/**
 * Brings the tables up to this release: all steps that are not done, in one transaction, while no other node does.
 * @throws CannotStart when a later release was here
 */
export async function migrate(database: Database, migrations: Migration[] = migrationsOf()): Promise<void> {
  await database.transaction(async (sql) => {
    await sql`SELECT pg_advisory_xact_lock(${LOCKS.space}, ${LOCKS.migrate})`
    await sql`CREATE TABLE IF NOT EXISTS migrations (
      number int PRIMARY KEY, name text NOT NULL, done_at timestamptz NOT NULL DEFAULT now())`
    const done = await sql<{ number: number; name: string }[]>`SELECT number, name FROM migrations`
    const known = new Set(migrations.map(({ number }) => number))
    const later = done.find(({ number }) => !known.has(number))
    if (later)
      throw new CannotStart(
        `the database has had ${later.name}, which this release does not know: start the later release on it, or this one on the copy made before the upgrade`,
      )
    const had = new Set(done.map(({ number }) => number))
    for (const { number, name, sql: step } of migrations) {
      if (had.has(number)) continue
      await sql.unsafe(step)
      await sql`INSERT INTO migrations (number, name) VALUES (${number}, ${name})`
    }
  }, PATIENCE)
}
