import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../build/running-app.ts'
import { type Databases, databasesAt } from './databases.ts'
import { type ManagedProcess, manageProcess } from './managed-process.ts'
import { emptyPlace, type Place } from './postgres-place.ts'

/** How a standby is called by the primary that waits for it. */
const STANDBY = 'standby'
const PATIENCE_MS = 300_000

export type PostgresOptions = {
  /** a free one where left out */
  port?: number
  /** whether what is committed is on the disk, as in earnest; not where left out: a database to throw away */
  isDurable?: boolean
  /** further settings, e.g. `log_statement` */
  settings?: Readonly<Record<string, string>>
}

/**
 * A server of PostgreSQL of our own, on the loopback address. The end of its process ends all of it, and its folder goes
 * then.
 */
export type PostgresServer = Databases &
  ManagedProcess & {
    /** where its database `postgres` is reached, with name and password of its superuser */
    url: string
    port: number
    /** makes a standby a primary; resolves when it takes writes */
    promote(): Promise<void>
  }

/**
 * Starts an empty PostgreSQL, installed where there is none.
 * @throws Error where none can be had, or it does not start
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const password = randomBytes(12).toString('hex')
  const place = emptyPlace()
  const passwordFile = join(place.folder, 'password')
  writeFileSync(passwordFile, password)
  place.give(passwordFile)
  const admin = ['-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`]
  await place.run('initdb', '-D', place.data, ...admin, '-E', 'UTF8', '--locale=C', '--no-sync')
  rmSync(passwordFile)
  return serve(place, password, options)
}

/**
 * Starts a copy of a running server that follows it, and has the primary wait for it from now on: what is committed is
 * on both.
 */
export async function startStandby(
  primary: PostgresServer,
  options: PostgresOptions = {},
): Promise<PostgresServer> {
  const password = passwordOf(primary)
  const place = emptyPlace({ PGPASSWORD: password })
  const source = ['-h', '127.0.0.1', '-p', `${primary.port}`, '-U', 'postgres']
  await place.run('pg_basebackup', ...source, '-D', place.data, '-X', 'stream', '-c', 'fast', '--no-sync')
  const signal = join(place.data, 'standby.signal')
  writeFileSync(signal, '')
  place.give(signal)
  const settings = {
    ...options.settings,
    cluster_name: STANDBY,
    primary_conninfo: `host=127.0.0.1 port=${primary.port} user=postgres password=${password} application_name=${STANDBY}`,
  }
  const standby = await serve(place, password, { ...options, settings })
  try {
    await primary.ask(`ALTER SYSTEM SET synchronous_standby_names = '${STANDBY}'`)
    await primary.ask('SELECT pg_reload_conf()')
    await until(async () => {
      const [row] = await primary.ask('SELECT sync_state FROM pg_stat_replication')
      return row?.sync_state === 'sync'
    }, 'the standby does not follow')
  } catch (error) {
    await standby.kill()
    throw error
  }
  return standby
}

async function serve(place: Place, password: string, options: PostgresOptions): Promise<PostgresServer> {
  const { isDurable = false } = options
  const port = options.port ?? (await freePort())
  const settings: Record<string, string> = {
    port: `${port}`,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    shared_buffers: '64MB',
    wal_level: 'replica',
    // what is kept for a standby that is a little behind
    wal_keep_size: '256MB',
    ...(isDurable ? {} : { fsync: 'off', full_page_writes: 'off' }),
    ...options.settings,
  }
  const words = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  let server: ManagedProcess
  try {
    server = await manageProcess(join(place.programs, 'postgres'), ['-D', place.data, ...words], {
      user: place.user,
      env: { LC_ALL: 'C' },
      // at once: what it would write in good order is deleted right after
      endsOn: 'SIGQUIT',
      folder: place.folder,
      isReady: /database system is ready to accept (read-only )?connections/,
    })
  } catch (error) {
    await place.remove()
    throw error
  }
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
  const databases = databasesAt(url)
  const tidied = server.gone.then(place.remove)
  return {
    ...databases,
    ...server,
    url,
    port,
    async stop() {
      await server.stop()
      await tidied
    },
    async kill() {
      await server.kill()
      await tidied
    },
    async promote() {
      await databases.ask(`SELECT pg_promote(true, ${PATIENCE_MS / 1000})`)
    },
  }
}

const passwordOf = ({ url }: PostgresServer): string => new URL(url).password

async function until(isSo: () => Promise<boolean>, otherwise: string): Promise<void> {
  for (const began = performance.now(); !(await isSo()); await pause(50))
    if (performance.now() - began > PATIENCE_MS) throw new Error(`${otherwise} after ${PATIENCE_MS / 1000} s`)
}
