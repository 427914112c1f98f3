import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Database } from '../store/postgres/database.ts'

/** Where the key lies that heads of the record are signed with: PKCS #8 in PEM, Ed25519. */
export type SealKeyPlace = {
  /** undefined: there is none yet. Rejects where what is there is no such key, or the place cannot be read */
  read(): Promise<KeyObject | undefined>
  /** whole or not at all */
  write(key: KeyObject): Promise<void>
  /** where it is, for operators */
  readonly name: string
}

const FILE = 'seal-key.pem'
const IN_DATABASE = 'seal-key'

type Where = { sealKeyFile: string | undefined; dataDir: string }

/**
 * `SEAL_KEY_FILE` where it is given, so that the key can be kept apart from the record; else the database, for all nodes; else a file
 * beside the store, readable to its owner alone. `:memory:` keeps none.
 */
export function sealKeyPlace(
  { sealKeyFile, dataDir }: Where,
  database: Pick<Database, 'ask'> | undefined,
): SealKeyPlace {
  if (sealKeyFile !== undefined) return inFile(sealKeyFile)
  if (database !== undefined) return inDatabase(database)
  return dataDir === ':memory:' ? inMemory() : inFile(join(dataDir, FILE))
}

export const newSealKey = (): KeyObject => generateKeyPairSync('ed25519').privateKey

function inMemory(): SealKeyPlace {
  let kept: KeyObject | undefined
  return {
    name: 'memory',
    read: async () => kept,
    async write(key) {
      kept = key
    },
  }
}

/** It gets its name when it is on the disk: a power cut leaves a whole key or none. */
function inFile(path: string): SealKeyPlace {
  return {
    name: path,
    async read() {
      try {
        return keyOf(readFileSync(path, 'utf8'), path)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
        return undefined
      }
    },
    async write(key) {
      mkdirSync(dirname(path), { recursive: true })
      const part = openSync(`${path}.part`, 'w', 0o600)
      writeFileSync(part, pemOf(key))
      sync(part)
      renameSync(`${path}.part`, path)
      sync(openSync(dirname(path), 'r'))
    },
  }
}

const inDatabase = (database: Pick<Database, 'ask'>): SealKeyPlace => ({
  name: 'the database',
  async read() {
    const [row] = await database.ask(
      (sql) => sql<{ value: string }[]>`SELECT value FROM house_keys WHERE name = ${IN_DATABASE}`,
    )
    return row && keyOf(row.value, 'the database')
  },
  async write(key) {
    await database.ask(
      (sql) => sql`INSERT INTO house_keys VALUES (${IN_DATABASE}, ${pemOf(key)})
        ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    )
  },
})

const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }) as string

function keyOf(pem: string, place: string): KeyObject {
  let key: KeyObject | undefined
  try {
    key = createPrivateKey(pem)
  } catch {
    key = undefined
  }
  if (key?.asymmetricKeyType !== 'ed25519')
    throw new Error(`${place} holds no Ed25519 key in PEM: put back the one that was there`)
  return key
}

function sync(file: number): void {
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
