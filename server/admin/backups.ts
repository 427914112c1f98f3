import { type Dirent, readdirSync } from 'node:fs'
import { copyFile, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { STORE_FILE } from '../store/sqlite/database.ts'
import type { Store } from '../store/store.ts'

export type Backups = {
  /**
   * Copies all that a start needs, while the server goes on, into a folder named by the time, and answers its path. Who asks
   * for it twice at a time gets the same one. Rejects where the disk or the store says no; what was begun is removed, also by a
   * process that was killed meanwhile.
   */
  make(): Promise<string>
  /** `lastAt`: of the newest whole one there is, epoch ms; 0: there is none */
  stats(): { made: number; failed: number; lastAt: number }
}

type Parts = {
  store: Pick<Store, 'copyTo'>
  dataDir: string
  /** where copies are put; undefined: nowhere */
  backupDir: string | undefined
  /** real time: the server's own may be that of a simulated world */
  now?: () => number
}

/** Ending of a copy that is not whole. */
const PART = '.part'

/** Copies of the embedded store, beside which a start needs the key that signs tokens and the files of reports. */
export function createBackups({ store, dataDir, backupDir, now = Date.now }: Parts): Backups {
  let making: Promise<string> | undefined
  const stats = { made: 0, failed: 0, lastAt: newestIn(backupDir) }

  async function make(): Promise<string> {
    if (backupDir === undefined) throw new Error('BACKUP_DIR does not say where to')
    if (dataDir === ':memory:') throw new Error('DATA_DIR keeps nothing')
    if (store.copyTo === undefined) throw new Error('the record is in a database, which has ways of its own')
    const at = now()
    const whole = join(backupDir, nameOf(at))
    const part = `${whole}${PART}`
    try {
      await removeParts(backupDir)
      // it holds the key that signs tokens
      await mkdir(part, { recursive: true, mode: 0o700 })
      await store.copyTo(part)
      for (const file of await readdir(part)) await sync(join(part, file))
      // after the record: what it speaks of is there
      await copyFolder(dataDir, part, (name) => name !== 'reports' && !name.startsWith(STORE_FILE))
      await copyFolder(join(dataDir, 'reports'), join(part, 'reports'), () => true)
      await rename(part, whole)
      await sync(backupDir)
    } catch (error) {
      stats.failed++
      await rm(part, { recursive: true, force: true })
      throw error
    }
    stats.made++
    stats.lastAt = at
    return whole
  }

  return {
    make() {
      making ??= make().finally(() => {
        making = undefined
      })
      return making
    },
    stats: () => stats,
  }
}

/** E.g. `2026-11-21T02-00-00.000Z`: as names of files may be everywhere, and in order. */
const nameOf = (at: number): string => new Date(at).toISOString().replaceAll(':', '-')

const IS_PART = /^\d{4}-\d\d-\d\dT[\d-]{8}\.\d{3}Z\.part$/

/** What an earlier process had begun and was cut off at. */
async function removeParts(dir: string): Promise<void> {
  const names = await readdir(dir).catch(noneWhereMissing)
  const parts = names.filter((name) => IS_PART.test(name))
  await Promise.all(parts.map((name) => rm(join(dir, name), { recursive: true, force: true })))
}

function newestIn(dir: string | undefined): number {
  if (dir === undefined) return 0
  let names: string[]
  try {
    names = readdirSync(dir)
  } catch (error) {
    names = noneWhereMissing(error)
  }
  const times = names.map((name) => Date.parse(name.replace(/T(\d\d)-(\d\d)-(.*Z)$/, 'T$1:$2:$3')))
  return Math.max(0, ...times.filter((at) => !Number.isNaN(at)))
}

/** Files that are whole, on the disk when it resolves. Those that go meanwhile are no longer needed. */
async function copyFolder(from: string, to: string, isWanted: (name: string) => boolean): Promise<void> {
  const entries: Dirent[] = await readdir(from, { withFileTypes: true }).catch(noneWhereMissing)
  await mkdir(to, { recursive: true })
  for (const entry of entries) {
    if (!entry.isFile() || entry.name.endsWith(PART) || !isWanted(entry.name)) continue
    await copyFile(join(from, entry.name), join(to, entry.name)).catch(noneWhereMissing)
    await sync(join(to, entry.name)).catch(noneWhereMissing)
  }
  await sync(to)
}

async function sync(path: string): Promise<void> {
  const opened = await open(path, 'r')
  await opened.sync().finally(() => opened.close())
}

function noneWhereMissing(error: unknown): [] {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  return []
}
