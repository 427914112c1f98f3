import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../scripts/running-app.ts'
import { type Databases, databasesAt } from './databases.ts'
import { ensurePostgres } from './packages.ts'
import { type Tended, tend } from './tended.ts'

/** How a standby is called by the primary that waits for it. */
const STANDBY = 'standby'
const PATIENCE_MS = 30_000

export type PostgresOptions = {
  /** a free one where left out */
  port?: number
  /** whether what is committed is on the disk, as in earnest; not where left out: a database to throw away */
  isDurable?: boolean
  /** further settings, e.g. `log_statement` */
  settings?: Readonly<Record<string, string>>
}

/** A server of PostgreSQL of our own, on the loopback address; its folder goes when it ends. */
export type PostgresServer = Databases & {
  /** where its database `postgres` is reached, with name and password of its superuser */
  url: string
  port: number
  /** of the process whose end ends all of it */
  pid: number
  isGone(): boolean
  gone: Promise<void>
  /** ends it in order, and deletes its folder */
  stop(): Promise<void>
  /** `kill -9`; the folder is deleted too */
  kill(): Promise<void>
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
  place.run(
    'initdb',
    '-D',
    place.data,
    '-U',
    'postgres',
    '-A',
    'scram-sha-256',
    `--pwfile=${passwordFile}`,
    '-E',
    'UTF8',
    '--locale=C',
    '--no-sync',
  )
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
  place.run('pg_basebackup', ...source, '-D', place.data, '-X', 'stream', '-c', 'fast', '--no-sync')
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
  let server: Tended
  try {
    server = await tend(join(place.programs, 'postgres'), ['-D', place.data, ...words], {
      user: place.user,
      env: { LC_ALL: 'C' },
      // backends are not waited for; nothing that was committed is lost by it
      endsOn: isDurable ? 'SIGINT' : 'SIGQUIT',
      folder: place.folder,
      isReady: /database system is ready to accept (read-only )?connections/,
    })
  } catch (error) {
    rmSync(place.folder, { recursive: true, force: true })
    throw error
  }
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
  const databases = databasesAt(url)
  const gone = server.gone.then(() => removed(place.folder))
  return {
    ...databases,
    url,
    port,
    pid: server.pid,
    isGone: server.isGone,
    gone,
    async stop() {
      await server.stop()
      await gone
    },
    async kill() {
      await server.kill()
      await gone
    },
    async promote() {
      await databases.ask(`SELECT pg_promote(true, ${PATIENCE_MS / 1000})`)
    },
  }
}

type Place = {
  programs: string
  /** all that is ours on the disk */
  folder: string
  /** where the database lies in it */
  data: string
  /** whose it is; PostgreSQL refuses to be root's */
  user: { uid: number; gid: number } | undefined
  give(path: string): void
  /** runs a program of PostgreSQL as that user */
  run(program: string, ...words: readonly string[]): void
}

function emptyPlace(env: Readonly<Record<string, string>> = {}): Place {
  const programs = ensurePostgres()
  const user = process.getuid?.() === 0 ? unprivileged() : undefined
  const folder = mkdtempSync(join(tmpdir(), 'frostline-postgres-'))
  const data = join(folder, 'data')
  const give = (path: string) => user && chownSync(path, user.uid, user.gid)
  mkdirSync(data, { mode: 0o700 })
  give(folder)
  give(data)
  return {
    programs,
    folder,
    data,
    user,
    give,
    run(program, ...words) {
      const { status, stderr, error } = spawnSync(join(programs, program), words, {
        ...user,
        cwd: folder,
        env: { ...process.env, LC_ALL: 'C', ...env },
        encoding: 'utf8',
      })
      if (status === 0) return
      rmSync(folder, { recursive: true, force: true })
      throw new Error(`${program}: ${error?.message ?? stderr.trim()}`)
    },
  }
}

/** The user Debian makes for PostgreSQL, or whoever owns nothing. */
function unprivileged(): { uid: number; gid: number } {
  const number = (flag: string, name: string) =>
    Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout)
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = [number('-u', name), number('-g', name)]
    if (uid > 0 && gid > 0) return { uid, gid }
  }
  throw new Error('PostgreSQL refuses to run as root, and there is no user postgres or nobody')
}

const passwordOf = ({ url }: PostgresServer): string => new URL(url).password

/** Children of a server that was killed write to its folder for a moment longer. */
async function removed(folder: string): Promise<void> {
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  for (let tries = 0; tries < 20; tries++) {
    try {
      return remove()
    } catch {
      await pause(100)
    }
  }
  remove()
}

async function until(isSo: () => Promise<boolean>, otherwise: string): Promise<void> {
  for (const began = performance.now(); !(await isSo()); await pause(50))
    if (performance.now() - began > PATIENCE_MS) throw new Error(`${otherwise} after ${PATIENCE_MS / 1000} s`)
}
