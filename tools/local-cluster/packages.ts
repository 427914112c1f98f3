import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { installPackages } from '../build/debian.ts'

/** The oldest release of PostgreSQL the server runs on. */
const OLDEST = 15
/** Where Debian keeps the programs of each release: not on the path. */
const RELEASES = '/usr/lib/postgresql'
/** Read by Debian when a release is installed: it shall not make a database of its own, which would take port 5432. */
const NO_DATABASE = '/etc/postgresql-common/createcluster.d'

/**
 * The folder of PostgreSQL's programs, 15 or later: `$POSTGRES_BIN`, else of the path, else Debian's newest.
 * @returns undefined where there is none
 * @throws Error where `$POSTGRES_BIN` is not such a folder: a wrong wish must not be overlooked
 */
export function findPostgres(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const wished = env.POSTGRES_BIN
  if (wished) {
    if (isNewEnough(wished)) return wished
    throw new Error(`POSTGRES_BIN names ${wished}, and there is no PostgreSQL ${OLDEST} or later`)
  }
  const releases = existsSync(RELEASES) ? readdirSync(RELEASES) : []
  const newest = releases.toSorted((a, b) => Number(b) - Number(a)).map((each) => join(RELEASES, each, 'bin'))
  return [...foldersOf(env), ...newest].find(isNewEnough)
}

/**
 * Where `nats-server` lies: `$NATS_SERVER`, else on the path.
 * @throws Error where `$NATS_SERVER` names no file
 */
export function findNats(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const wished = env.NATS_SERVER
  if (wished) {
    if (existsSync(wished)) return wished
    throw new Error(`NATS_SERVER names ${wished}, and there is no such file`)
  }
  return [...foldersOf(env), '/usr/sbin'].map((folder) => join(folder, 'nats-server')).find(existsSync)
}

/**
 * Like findPostgres, but installs Debian's package where there is none.
 * @throws Error that says what to do where none can be had
 */
export function ensurePostgres(): string {
  return ensured(
    findPostgres,
    `PostgreSQL ${OLDEST} or later`,
    'POSTGRES_BIN to the folder of its programs',
    () => {
      mkdirSync(NO_DATABASE, { recursive: true })
      const file = join(NO_DATABASE, 'frostline.conf')
      writeFileSync(file, 'create_main_cluster = false\n')
      try {
        return installPackages('postgresql')
      } finally {
        rmSync(file, { force: true })
      }
    },
  )
}

/**
 * Like findNats, but installs Debian's package where there is none.
 * @throws Error that says what to do where none can be had
 */
export function ensureNats(): string {
  return ensured(findNats, 'nats-server', 'NATS_SERVER to its file', () => installPackages('nats-server'))
}

function ensured(
  find: () => string | undefined,
  what: string,
  wish: string,
  install: () => string | undefined,
) {
  const found = find()
  if (found !== undefined) return found
  const why = install()
  const installed = find()
  if (installed !== undefined) return installed
  throw new Error(`There is no ${what} and it could not be installed (${why}). Install it, or set ${wish}.`)
}

const foldersOf = (env: NodeJS.ProcessEnv): string[] => (env.PATH ?? '').split(delimiter).filter(Boolean)

/** Whether a folder has what makes and runs a database, of a release the server can use. */
function isNewEnough(folder: string): boolean {
  if (!['postgres', 'initdb', 'pg_basebackup'].every((name) => existsSync(join(folder, name)))) return false
  const { stdout } = spawnSync(join(folder, 'postgres'), ['--version'], { encoding: 'utf8' })
  const [, release] = /\) (\d+)/.exec(stdout) ?? []
  return Number(release) >= OLDEST
}
