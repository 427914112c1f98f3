import { inject } from 'vitest'

/** ms: the first who asks for a database waits for the server to start */
export const A_SERVER_STARTS = 300_000

/**
 * The address of an empty PostgreSQL database of the test's own, there until the run is over.
 * @throws Error where there is no PostgreSQL and none can be had: the test fails, it is not skipped
 */
export async function emptyDatabase(): Promise<string> {
  return answerTo('POST')
}

/** An empty database for as long as the work takes; whoever is still connected then is cut off. */
export async function withDatabase<T>(work: (url: string) => Promise<T>): Promise<T> {
  const url = await emptyDatabase()
  try {
    return await work(url)
  } finally {
    await answerTo('DELETE', url)
  }
}

async function answerTo(method: string, body?: string): Promise<string> {
  const answer = await fetch(inject('databases'), { method, ...(body === undefined ? {} : { body }) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`There is no database to test with: ${text}`)
  return text
}
