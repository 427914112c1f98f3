import { once } from 'node:events'
import { createServer } from 'node:http'
import type { TestProject } from 'vitest/node'
import { type Databases, databasesAt } from './databases.ts'
import { type PostgresServer, startPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** where a test asks for a database: `POST` answers the address of an empty one, `DELETE` drops it */
    databases: string
  }
}

/**
 * One PostgreSQL for all files of a run, started when the first of them asks: that of `TEST_DATABASE_URL`, or one of
 * our own. Vitest calls this before a run and what it answers after it.
 */
export default async function open({ provide }: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL
  let ours: Promise<PostgresServer> | undefined
  const wanted = async (): Promise<Databases> => {
    if (given) return databasesAt(given)
    ours ??= startPostgres()
    return ours
  }
  const made = new Set<string>()
  const desk = createServer((request, answer) => {
    void (async () => {
      try {
        const body = (await Array.fromAsync(request)).join('')
        const { newDatabase, dropDatabase } = await wanted()
        const url = request.method === 'DELETE' ? body : await newDatabase()
        if (request.method === 'DELETE') await dropDatabase(url)
        if (request.method === 'DELETE') made.delete(url)
        else made.add(url)
        answer.end(url)
      } catch (error) {
        answer.writeHead(500).end(error instanceof Error ? error.message : String(error))
      }
    })()
  })
  desk.listen(0, '127.0.0.1')
  await once(desk, 'listening')
  const address = desk.address()
  if (address === null || typeof address === 'string') throw new Error('The system gave no port')
  provide('databases', `http://127.0.0.1:${address.port}/`)
  return async () => {
    desk.close()
    desk.closeAllConnections()
    if (given) for (const url of made) await databasesAt(given).dropDatabase(url)
    await (await ours?.catch(() => undefined))?.stop()
  }
}
