import { freePort } from '../build/running-app.ts'
import { type PostgresServer, startPostgres, startStandby } from './postgres.ts'

/** A primary of PostgreSQL and a standby that has all that was ever said to be committed. */
export type PrimaryAndStandby = {
  /** for `DATABASE_URL`: both hosts, whichever of them is the primary */
  url: string
  primary(): PostgresServer
  /** undefined: there is none at the moment */
  standby(): PostgresServer | undefined
  /** after one is gone: resolves when there is a primary again and a standby follows it */
  bothUp(): Promise<void>
  stop(): Promise<void>
}

export type PrimaryAndStandbyOptions = {
  database: string
  /** of the two servers; free ones where left out */
  ports?: readonly [number, number]
  /** what happened to them, in a line */
  onMessage?(line: string): void
  /** called when a standby has become the primary, with `performance.now()` of when it began to be made one */
  onPromoted?(began: number): void
}

/**
 * Starts both and sees to it that they stay two: a primary that is gone is followed by the standby, and a new standby takes
 * the place of whichever is gone. This is what Patroni and its like do for a server in earnest, between machines, where it
 * is harder: here a process that is gone is known to be gone.
 */
export async function startPrimaryAndStandby({
  database,
  ports,
  onMessage = () => {},
  onPromoted = () => {},
}: PrimaryAndStandbyOptions): Promise<PrimaryAndStandby> {
  const [one, other] = ports ?? [await freePort(), await freePort()]
  const durable = { isDurable: true }
  let primary = await startPostgres({ ...durable, port: one })
  let standby: PostgresServer | undefined
  let isClosing = false
  try {
    await primary.newDatabase(database)
    standby = await startStandby(primary, { ...durable, port: other })
  } catch (error) {
    await primary.stop()
    throw error
  }

  /** After a standby is gone the primary must not wait for it, or nobody could write. */
  async function goAlone(): Promise<void> {
    await primary.ask('ALTER SYSTEM RESET synchronous_standby_names')
    await primary.ask('SELECT pg_reload_conf()')
  }

  async function mended(gone: PostgresServer): Promise<void> {
    if (gone === primary) {
      const next = standby
      if (next === undefined || next.isGone()) throw new Error('both servers of PostgreSQL are gone')
      onMessage(`the primary of PostgreSQL (pid ${gone.pid}) is gone: its standby is made the primary`)
      const began = performance.now()
      await next.promote()
      primary = next
      onPromoted(began)
    } else {
      onMessage(`the standby of PostgreSQL (pid ${gone.pid}) is gone: the primary waits for it no longer`)
      await goAlone()
    }
    standby = undefined
    standby = await startStandby(primary, { ...durable, port: gone.port })
    onMessage(`PostgreSQL is two again: primary pid ${primary.pid}, a new standby pid ${standby.pid}`)
    watch(standby)
  }

  /** One mending after the other: what is gone meanwhile is looked at next. */
  let mending: Promise<void> = Promise.resolve()
  function watch(server: PostgresServer): void {
    void server.gone.then(() => {
      if (isClosing) return
      mending = mending.then(() => mended(server))
      mending.catch((error: unknown) => onMessage(`PostgreSQL cannot be mended: ${String(error)}`))
    })
  }
  watch(primary)
  watch(standby)

  const { username, password } = new URL(primary.url)
  return {
    url: `postgres://${username}:${password}@127.0.0.1:${one},127.0.0.1:${other}/${database}?target_session_attrs=primary`,
    primary: () => primary,
    standby: () => standby,
    async bothUp() {
      for (let last: Promise<void> | undefined; last !== mending; ) {
        last = mending
        await last
      }
    },
    async stop() {
      isClosing = true
      await mending.catch(() => {})
      await Promise.all([primary.stop(), standby?.stop()])
    },
  }
}
