/** Which scenario was opened in place of the one the environment names, kept beside what is stored of it. */
import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type Infer, is, number, object, optional, string } from 'superstruct'
import type { Infrastructure } from '../server/ports.ts'
import { foundPathOf, keptPathOf } from './director/scenario-files.ts'
import { BEGUN } from './shared-world.ts'

const Kept = object({ scenario: string(), seed: optional(number()), devices: optional(number()) })
/** `instead`: of what the environment said then. */
const Opened = object({ opened: Kept, instead: Kept })
type Opened = Infer<typeof Opened>
/** What a world is made of; what is undefined is the scenario's. */
export type ScenarioChoice = { scenario: string; seed: number | undefined; devices: number | undefined }

const FILE = 'opened.json'
/** The value all nodes share of which scenario was opened. */
const OPENED = 'opened'

type Named = Partial<ScenarioChoice> & Pick<ScenarioChoice, 'scenario'>

/** A shipped one by its name, as the environment has it: the folder it is shipped in may lie elsewhere at the next start. */
const keptOf = ({ scenario, seed, devices }: Named): Infer<typeof Kept> => ({
  scenario: keptPathOf(scenario),
  ...(seed !== undefined && { seed }),
  ...(devices !== undefined && { devices }),
})

/** Whether both are of one world: a shipped scenario may be named by several paths. */
export const isSameChoice = (one: Named, other: Named): boolean =>
  isDeepStrictEqual(keptOf(one), keptOf(other))

/**
 * The scenario to begin with, as it is known by now on all nodes: what was opened here, unless the environment asks for
 * another than it did then.
 * @param now what is active in this process; without a database nobody else changes it
 */
export async function activeScenario(
  configured: ScenarioChoice,
  { cluster, database, dataDir }: Infrastructure,
  now: ScenarioChoice | undefined,
): Promise<ScenarioChoice> {
  if (database === undefined) return now ?? chosen(configured, readKept(dataDir))
  await cluster.values.refresh()
  return chosen(configured, cluster.values.get(OPENED))
}

function chosen(configured: ScenarioChoice, kept: unknown): ScenarioChoice {
  const isMeant = is(kept, Opened) && isSameChoice(kept.instead, configured)
  const { scenario, seed, devices } = isMeant ? kept.opened : configured
  return { scenario: isMeant ? foundPathOf(scenario) : scenario, seed, devices }
}

/** What a start of this folder must be asked for so that it goes on with what was opened here; undefined: nothing was opened. */
export function startOfOpened(dataDir: string): ScenarioChoice | undefined {
  const kept = readKept(dataDir)
  if (!is(kept, Opened)) return undefined
  const { scenario, seed, devices } = kept.instead
  return { scenario, seed, devices }
}

/** Forgets the whole record, for a start with this scenario; no store of this node may be open. */
export async function forgetRecord(
  configured: ScenarioChoice,
  infrastructure: Infrastructure,
  choice: ScenarioChoice,
): Promise<void> {
  const opened: Opened = { opened: keptOf(choice), instead: keptOf(configured) }
  await infrastructure.forget({ [OPENED]: opened, [BEGUN]: randomUUID() })
  if (infrastructure.database === undefined) keep(infrastructure.dataDir, opened)
}

function keep(dataDir: string, opened: Opened): void {
  if (dataDir === ':memory:') return
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(join(dataDir, FILE), JSON.stringify(opened))
}

/** Undefined: nothing that can be read. */
function readKept(dataDir: string): unknown {
  if (dataDir === ':memory:') return undefined
  try {
    return JSON.parse(readFileSync(join(dataDir, FILE), 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
