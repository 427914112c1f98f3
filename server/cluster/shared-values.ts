import { isDeepStrictEqual } from 'node:util'
import type { Database } from '../store/postgres/database.ts'
import type { Query } from '../store/postgres/session.ts'
import type { SharedValues } from './cluster.ts'

const CHANNEL = 'shared_values'
/** Ms until the next try where what changed could not be fetched. */
const RETRY = 500
type Row = { name: string; value: unknown; revision: number }

/** Values in the database, and a copy of all of them here. Resolves when there is one. */
export async function openSharedValues(
  database: Pick<Database, 'ask' | 'listen' | 'onReconnect'>,
): Promise<SharedValues & { close(): void }> {
  const values = new Map<string, { value: unknown; revision: number }>()
  const listeners = new Set<(name: string, value: unknown) => void>()

  function take({ name, value, revision }: Row): void {
    const known = values.get(name)
    if (revision <= (known?.revision ?? 0)) return
    values.set(name, { value, revision })
    if (known?.revision === 0 && isDeepStrictEqual(known.value, value)) return
    for (const listener of [...listeners]) listener(name, value)
  }
  function drop(name: string): void {
    values.delete(name)
    for (const listener of [...listeners]) listener(name, undefined)
  }
  const refresh = async (): Promise<void> => {
    const rows = await database.ask((sql) => sql<Row[]>`SELECT name, value, revision FROM shared_values`)
    for (const row of rows) take(row)
    const names = new Set(rows.map(({ name }) => name))
    for (const [name, { revision }] of values) if (revision === 0 && !names.has(name)) drop(name)
  }
  let retry: ReturnType<typeof setTimeout> | undefined
  let isClosed = false
  /** fetches what changed, as often as it takes: nobody says it twice */
  const hear = (): void => {
    clearTimeout(retry)
    if (isClosed) return
    refresh().catch(() => {
      clearTimeout(retry)
      retry = setTimeout(hear, RETRY)
    })
  }
  // another server may answer from now on, which lacks the last changes: what it has counts, whatever its revision
  const reconnected = (): void => {
    for (const known of values.values()) known.revision = 0
    hear()
  }
  // what changed between the first look and the first notice is fetched too
  const stops = [database.listen(CHANNEL, hear, hear), database.onReconnect(reconnected)]
  await refresh()

  return {
    get: (name) => values.get(name)?.value,
    async set(name, value) {
      const revision = await database.ask((sql) => setValue(sql, name, value))
      take({ name, value, revision })
    },
    refresh,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      isClosed = true
      clearTimeout(retry)
      for (const stop of stops) stop()
    },
  }
}

/** As a part of something larger. @returns its revision */
export async function setValue(sql: Query, name: string, value: unknown): Promise<number> {
  const [row] = await sql<{ revision: number }[]>`
    SELECT set_shared_value(${name}, ${JSON.stringify(value)}::text::jsonb) AS revision`
  return row?.revision ?? 0
}
