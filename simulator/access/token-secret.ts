import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FILE = 'token-secret'

/**
 * The key that signs access tokens: the given one, else one made at the first start and kept in `dataDir`, readable to its
 * owner alone. `:memory:` keeps none.
 * @throws Error where the directory cannot be written
 */
export function tokenSecret(given: string | undefined, dataDir: string): string {
  if (given !== undefined) return given
  const made = randomBytes(32).toString('base64url')
  if (dataDir === ':memory:') return made
  const path = join(dataDir, FILE)
  mkdirSync(dataDir, { recursive: true })
  try {
    // `wx`: of two processes that start at once, one writes and the other reads
    writeFileSync(path, made, { mode: 0o600, flag: 'wx' })
    return made
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const kept = readFileSync(path, 'utf8').trim()
    if (kept.length < 32) throw new Error(`${path} holds no key: delete it to have one made`)
    return kept
  }
}
