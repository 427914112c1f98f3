/** Which world was opened in place of the one the environment names, kept beside what is stored of it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type Infer, is, number, object, optional, string } from 'superstruct'
import type { Env } from '../server/config/config.ts'

const Kept = object({ scenario: string(), seed: optional(number()), devices: optional(number()) })
/** `instead`: of what the environment said then. */
const Opened = object({ opened: Kept, instead: Kept })
type Opened = Infer<typeof Opened>
/** What a world is made of; what is undefined is the scenario's. */
export type World = Pick<Env, 'scenario' | 'seed' | 'devices'>

const FILE = 'opened.json'
const keptOf = ({ scenario, seed, devices }: World): Infer<typeof Kept> => ({
  scenario,
  ...(seed !== undefined && { seed }),
  ...(devices !== undefined && { devices }),
})

/** What is to be remembered of it for the next start. */
export const openedOf = (env: World, opened: World): Opened => ({
  opened: keptOf(opened),
  instead: keptOf(env),
})

/**
 * The world to begin with: what was opened here, unless the environment asks for another than it did then.
 * @param kept what was remembered; undefined, or anything else: nothing
 */
export function openedIn(env: World, kept: unknown): World {
  const isMeant = is(kept, Opened) && isDeepStrictEqual(kept.instead, keptOf(env))
  const { scenario, seed, devices } = isMeant ? kept.opened : env
  return { scenario, seed, devices }
}

/** Remembers it in the folder of the store. */
export function keepOpened(dataDir: string, kept: Opened): void {
  if (dataDir === ':memory:') return
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(join(dataDir, FILE), JSON.stringify(kept))
}

/** What is remembered there; undefined: nothing that can be read. */
export function keptOpened(dataDir: string): unknown {
  if (dataDir === ':memory:') return undefined
  try {
    return JSON.parse(readFileSync(join(dataDir, FILE), 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
