import type { ReportFiles } from '../report-files.ts'
import type { Database } from './database.ts'
import type { Query } from './session.ts'

/** Bytes of a file that travel at a time. */
const PIECE = 1024 * 1024
/** Ms for all pieces of a file, some tens of them, over a slow network too. */
const PATIENCE = 60_000

/** Files in the database, for all nodes. Reject with StoreUnavailable. */
export const createSharedFiles = (
  database: Pick<Database, 'ask' | 'transaction'>,
  piece = PIECE,
): ReportFiles => ({
  put: (name, bytes) =>
    database.transaction(async (sql) => {
      // two who make the same file, as one took the other for dead, go one after the other
      await sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 4611))`
      await sql`DELETE FROM report_files WHERE name = ${name}`
      for (let at = 0; at === 0 || at < bytes.length; at += piece) {
        const part = Buffer.from(bytes.buffer, bytes.byteOffset + at, Math.min(piece, bytes.length - at))
        await sql`INSERT INTO report_files VALUES (${name}, ${at / piece}, ${part})`
      }
    }, PATIENCE),
  async get(name) {
    const parts = await database.ask(
      (sql) => sql<{ bytes: Buffer }[]>`SELECT bytes FROM report_files WHERE name = ${name} ORDER BY piece`,
      PATIENCE,
    )
    return parts.length === 0 ? undefined : Buffer.concat(parts.map(({ bytes }) => bytes))
  },
  async names() {
    const rows = await database.ask(
      (sql) => sql<{ name: string }[]>`SELECT name FROM report_files WHERE piece = 0`,
    )
    return rows.map(({ name }) => name)
  },
  async remove(name) {
    await database.ask((sql) => sql`DELETE FROM report_files WHERE name = ${name}`)
  },
})

/** Removes the files of a server that begins anew. */
export const forgetFiles = (sql: Query) => sql`TRUNCATE report_files`
