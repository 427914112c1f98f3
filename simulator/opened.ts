/** Which world was opened in place of the one the environment names, kept beside what is stored of it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Infer, number, object, optional, string } from 'superstruct'
import { ContractError, decodeJson } from '#machines/contracts/decode.ts'
import type { Env } from './env.ts'

const World = object({ scenario: string(), seed: optional(number()), devices: optional(number()) })
/** `instead`: of what the environment said then. */
const Opened = object({ opened: World, instead: World })
type World = Infer<typeof World>
type Asked = Pick<Env, 'dataDir' | 'scenario' | 'seed' | 'devices'>

const FILE = 'opened.json'
const worldOf = ({ scenario, seed, devices }: Omit<Asked, 'dataDir'>): World => ({
  scenario,
  ...(seed !== undefined && { seed }),
  ...(devices !== undefined && { devices }),
})

/** Remembers it for the next start. */
export function keepOpened(env: Asked, opened: Omit<Asked, 'dataDir'>): void {
  if (env.dataDir === ':memory:') return
  mkdirSync(env.dataDir, { recursive: true })
  writeFileSync(join(env.dataDir, FILE), JSON.stringify({ opened: worldOf(opened), instead: worldOf(env) }))
}

/** The world to begin with: what was opened here, unless the environment asks for another than it did then. */
export function openedIn(env: Asked): Pick<Env, 'scenario' | 'seed' | 'devices'> {
  const { scenario, seed, devices } = kept(env) ?? env
  return { scenario, seed, devices }
}

function kept(env: Asked): World | undefined {
  if (env.dataDir === ':memory:') return undefined
  try {
    const { opened, instead } = decodeJson(readFileSync(join(env.dataDir, FILE), 'utf8'), Opened, FILE)
    return JSON.stringify(instead) === JSON.stringify(worldOf(env)) ? opened : undefined
  } catch (error) {
    if (error instanceof ContractError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
