import { type Databases, databasesAt } from '../local-cluster/databases.ts'

const FOUND_FIRST = 'CREATE OR REPLACE FUNCTION public.pg_notify(text, text) RETURNS void LANGUAGE sql AS'

/** A database whose `NOTIFY` can be taken from it, as a pooler between takes it: what is told is taken and reaches nobody. */
export type Silencing = {
  /** where to connect to */
  url: string
  silence(): Promise<void>
  letPublish(): Promise<void>
}

/** Makes an empty one, in which a function of our own is found before the server's. */
export async function databaseToSilence(server: Databases): Promise<Silencing> {
  const url = await server.newDatabase()
  const { ask } = databasesAt(url)
  const letPublish = async () => void (await ask(`${FOUND_FIRST} 'SELECT pg_catalog.pg_notify($1, $2)'`))
  await letPublish()
  await ask(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET search_path = public, pg_catalog`)
  return { url, letPublish, silence: async () => void (await ask(`${FOUND_FIRST} 'SELECT'`)) }
}
