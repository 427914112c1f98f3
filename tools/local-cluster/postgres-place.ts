import { execFile, spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ensurePostgres } from './packages.ts'

/** An empty folder for a database, whose it is, and the programs that make one there. */
export type Place = {
  programs: string
  /** all that is ours on the disk */
  folder: string
  /** where the database lies in it */
  data: string
  /** whose it is; PostgreSQL refuses to be root's */
  user: { uid: number; gid: number } | undefined
  /** makes a file of ours that user's */
  give(path: string): void
  /** runs a program of PostgreSQL as that user; where it fails, the folder goes */
  run(program: string, ...words: readonly string[]): Promise<void>
  /** deletes the folder */
  remove(): Promise<void>
}

/** @param env further variables for the programs */
export function emptyPlace(env: Readonly<Record<string, string>> = {}): Place {
  const programs = ensurePostgres()
  const user = process.getuid?.() === 0 ? unprivileged() : undefined
  const folder = mkdtempSync(join(tmpdir(), 'frostline-postgres-'))
  const data = join(folder, 'data')
  const give = (path: string) => user && chownSync(path, user.uid, user.gid)
  // children of a server that was killed write there for a moment longer
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  mkdirSync(data, { mode: 0o700 })
  give(folder)
  give(data)
  return {
    programs,
    folder,
    data,
    user,
    give,
    remove,
    async run(program, ...words) {
      const options = { ...user, cwd: folder, env: { ...process.env, LC_ALL: 'C', ...env } }
      try {
        await promisify(execFile)(join(programs, program), words, options)
      } catch (error) {
        await remove()
        throw error
      }
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
