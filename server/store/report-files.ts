import { createHash } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Where files of reports lie, and lists of devices that are being imported. `name`: of what it is kept under, not what people save it as. */
export type ReportFiles = {
  /** whole or not at all, and on the disk when it resolves; what was under that name is replaced */
  put(name: string, bytes: Uint8Array): Promise<void>
  /** undefined: there is none */
  get(name: string): Promise<Uint8Array | undefined>
  names(): Promise<string[]>
  remove(name: string): Promise<void>
}

/** Of a report's file number `n`, counted from 0. */
export const fileNameOf = (reportId: string, n: number): string => `${reportId}.${n}`

const IMPORT = 'import-'

/** Of a list of devices that was sent to be imported. `keptUntil`: epoch ms */
export const importFileName = (id: string, keptUntil: number): string => `${IMPORT}${id}-${keptUntil}`

const TRIAL = 'trial-'

/** How names begin of what came of limits that a company tried: a company is looked for without opening the files of others. */
const trialsOfCompany = (companyId: string): string =>
  `${TRIAL}${createHash('sha256').update(companyId).digest('hex').slice(0, 16)}-`

/** Of what came of limits that a company tried. `id` ends with a hyphen and until when it is kept, epoch ms */
export const trialFileName = (companyId: string, id: string): string => `${trialsOfCompany(companyId)}${id}`

/** The same by its name of before companies were in them; such files are there for 31 days after. */
export const trialFileNameBefore = (id: string): string => `${TRIAL}${id}`

/** Which trial of a company a file is of, where its name does not say that it is of another: undefined: it is. */
export function trialOfFile(name: string, companyId: string): string | undefined {
  const own = trialsOfCompany(companyId)
  if (name.startsWith(own)) return name.slice(own.length)
  return name.startsWith(TRIAL) && !/^trial-[0-9a-f]{16}-/.test(name) ? name.slice(TRIAL.length) : undefined
}

/** Until when a file is kept whose name says so, which a report's does not: epoch ms; undefined: it says nothing. */
export const keptUntilOf = (name: string): number | undefined =>
  name.startsWith(IMPORT) || name.startsWith(TRIAL)
    ? Number(name.slice(name.lastIndexOf('-') + 1))
    : undefined

/** @param dataDir the server's folder; `:memory:` keeps files in memory */
export const createReportFiles = (dataDir: string): ReportFiles =>
  dataDir === ':memory:' ? inMemory() : inFolder(join(dataDir, 'reports'))

function inMemory(): ReportFiles {
  const files = new Map<string, Uint8Array>()
  return {
    async put(name, bytes) {
      files.set(name, bytes)
    },
    get: async (name) => files.get(name),
    names: async () => [...files.keys()],
    async remove(name) {
      files.delete(name)
    },
  }
}

/** Ending of a file that is being written. */
const PART = '.part'

function inFolder(dir: string): ReportFiles {
  let emptied: Promise<void> | undefined
  const all = async (): Promise<string[]> => (await readdir(dir).catch(noneWhereMissing)) ?? []
  /** Once, before anything is written here: what the process before left half written is no use to anybody. */
  const removeParts = (): Promise<void> => {
    emptied ??= removePartsNow().catch((error: unknown) => {
      emptied = undefined
      throw error
    })
    return emptied
  }
  async function removePartsNow(): Promise<void> {
    for (const name of await all()) if (name.endsWith(PART)) await rm(join(dir, name), { force: true })
  }
  return {
    async put(name, bytes) {
      await removeParts()
      await mkdir(dir, { recursive: true })
      const part = join(dir, `${name}${PART}`)
      try {
        await writeFile(part, bytes, { flush: true })
        await rename(part, join(dir, name))
      } catch (error) {
        // a disk that is full has its room back
        await rm(part, { force: true })
        throw error
      }
      // the name is on the disk when the folder is
      const folder = await open(dir)
      await folder.sync().finally(() => folder.close())
    },
    get: (name) => readFile(join(dir, name)).catch(noneWhereMissing),
    async names() {
      await removeParts()
      return (await all()).filter((name) => !name.endsWith(PART))
    },
    remove: (name) => rm(join(dir, name), { force: true }),
  }
}

function noneWhereMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
}

/** Removes the files of a server that begins anew. */
export async function removeReportFiles(dataDir: string): Promise<void> {
  if (dataDir !== ':memory:') await rm(join(dataDir, 'reports'), { recursive: true, force: true })
}
