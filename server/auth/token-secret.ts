import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FILE = 'token-secret'

/**
 * The key that signs access tokens: the given one, else one made at the first start and kept in `dataDir`, readable to its
 * owner alone. `:memory:` keeps none. One process at a time may ask, which the store sees to.
 * @throws Error where the directory cannot be written
 */
export function tokenSecret(given: string | undefined, dataDir: string): string {
  if (given !== undefined) return given
  const made = randomBytes(32).toString('base64url')
  if (dataDir === ':memory:') return made
  const path = join(dataDir, FILE)
  const kept = read(path)
  if (kept === undefined) {
    keep(dataDir, path, made)
    return made
  }
  if (kept.length < 32) throw new Error(`${path} holds no key: delete it to have one made`)
  return kept
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return undefined
  }
}

/** It gets its name when it is on the disk: a power cut leaves a whole key or none. */
function keep(dir: string, path: string, made: string): void {
  mkdirSync(dir, { recursive: true })
  const part = openSync(`${path}.part`, 'w', 0o600)
  writeFileSync(part, made)
  sync(part)
  renameSync(`${path}.part`, path)
  sync(openSync(dir, 'r'))
}

function sync(file: number): void {
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
