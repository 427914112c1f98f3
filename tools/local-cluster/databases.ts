import postgres from 'postgres'

/** Makes and drops databases of a server. */
export type Databases = {
  /** makes an empty one and answers its address */
  newDatabase(name?: string): Promise<string>
  /** whoever is connected to it is cut off */
  dropDatabase(url: string): Promise<void>
  /** one statement, on a connection of its own */
  ask(statement: string): Promise<Record<string, unknown>[]>
}

/** @param url of any database of the server, with a user that may make others */
export function databasesAt(url: string): Databases {
  let made = 0
  const ask = async (statement: string) => {
    const sql = postgres(url, { max: 1, onnotice: () => {} })
    try {
      return [...(await sql.unsafe(statement))]
    } finally {
      await sql.end({ timeout: 1 })
    }
  }
  return {
    ask,
    async newDatabase(name = `empty_${process.pid}_${Date.now().toString(36)}_${++made}`) {
      await ask(`CREATE DATABASE ${name} TEMPLATE template0`)
      const address = new URL(url)
      address.pathname = `/${name}`
      return address.href
    },
    async dropDatabase(address) {
      await ask(`DROP DATABASE IF EXISTS ${new URL(address).pathname.slice(1)} WITH (FORCE)`)
    },
  }
}
