import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { ScenarioName, type SimScenario } from '#machines/contracts/calls/sim-calls.ts'
import { ContractError, decode, decodeJson } from '#machines/contracts/decode.ts'
import { ScenarioFile } from '#machines/contracts/scenario.ts'
import { SHIPPED_FOLDER as FOLDER } from '../world/load-scenario.ts'

/** The name a scenario's file gives it. */
export const scenarioNameOf = (file: string): string => basename(file, '.json')

/** A name by which what is saved of a scenario can be opened: a file may be called anything. */
export function directedNameOf(name: string): string {
  const base = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 48)
    .replace(/-$/, '')
  return `${base || 'scenario'}-directed`
}

/** Names of those that are shipped. */
export const scenariosShipped = (): string[] =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .map(scenarioNameOf)
    .sort()

/** Whether the file is one of those that are opened by their name. */
export const isShipped = (file: string): boolean => resolve(dirname(file)) === resolve(FOLDER)

/** A shipped scenario as the environment names its file: it is found wherever this installation lies. */
const shippedPath = (name: string): string => `fixtures/scenarios/${name}.json`

/** The path by which a scenario is found again, also once this installation lies elsewhere. */
export const keptPathOf = (file: string): string =>
  isShipped(file) ? shippedPath(scenarioNameOf(file)) : file

/**
 * Where what was kept is now: a shipped scenario in this installation, whatever folder the start is made from, also one
 * kept by the absolute path of an installation that is not there any more.
 */
export function foundPathOf(file: string): string {
  const name = scenarioNameOf(file)
  const isLeft = dirname(file).endsWith('/fixtures/scenarios') && !existsSync(file)
  const isOurs = (isLeft || file === shippedPath(name)) && scenariosShipped().includes(name)
  return isOurs ? join(FOLDER, `${name}.json`) : file
}

/** A shipped scenario by its title, as the environment names its file, and the seed it gives. */
export function scenarioTitled(title: string): { path: string; seed: number } | undefined {
  for (const name of scenariosShipped()) {
    const file = decodeJson(readFileSync(join(FOLDER, `${name}.json`), 'utf8'), ScenarioFile, name)
    if (file.name === title) return { path: shippedPath(name), seed: file.seed }
  }
  return undefined
}

/** The file of a scenario by its name, also of one saved in a folder; undefined where there is none of that name. */
export function namedScenario(name: string, saved: string | undefined): string | undefined {
  if (!ScenarioName.is(name)) return undefined
  return foldersOf(saved)
    .map((folder) => join(folder, `${name}.json`))
    .find((file) => existsSync(file))
}

const foldersOf = (saved: string | undefined): string[] =>
  saved !== undefined && existsSync(saved) ? [FOLDER, saved] : [FOLDER]

/** A scenario as it is written. @throws ContractError */
export const readScenarioFile = async (file: string): Promise<ScenarioFile> =>
  decodeJson(await readFile(file, 'utf8'), ScenarioFile, scenarioNameOf(file))

/** All that can be opened, by name, then what was saved here; a file that is no scenario is left out: whoever opens it is told what is wrong with it. */
export async function scenariosThere(saved: string | undefined): Promise<SimScenario[]> {
  return (await Promise.all(foldersOf(saved).map(scenariosIn))).flat()
}

async function scenariosIn(folder: string): Promise<SimScenario[]> {
  const names = (await readdir(folder))
    .filter((file) => file.endsWith('.json'))
    .map(scenarioNameOf)
    .filter((name) => ScenarioName.is(name))
    .sort()
  const found = await Promise.all(
    names.map(async (name): Promise<SimScenario[]> => {
      try {
        return [listed(name, await readScenarioFile(join(folder, `${name}.json`)))]
      } catch (error) {
        if (error instanceof ContractError) return []
        throw error
      }
    }),
  )
  return found.flat()
}

function listed(name: string, { name: title, story, fleets, start }: ScenarioFile): SimScenario {
  const devices = fleets.reduce((sum, { count }) => sum + count, 0)
  return { name, title, story, devices, start: Date.parse(start) }
}

/** Letters of a scenario's title. */
const LONGEST_TITLE = 200

/** A title with something after it, cut where both together are too long. */
export const titleWith = (title: string, after: string): string =>
  `${title.slice(0, LONGEST_TITLE - after.length)}${after}`

/**
 * Keeps a scenario as another one of the present one's, under the next name that is free.
 * @throws ContractError where it could not be opened again: more than a year has been played, say
 */
export async function saveScenario(saved: string, present: string, file: ScenarioFile): Promise<SimScenario> {
  await mkdir(saved, { recursive: true })
  const base = directedNameOf(scenarioNameOf(present))
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}-${number}`
    if (namedScenario(name, saved) !== undefined) continue
    const kept = {
      ...file,
      ...(file.$schema !== undefined && { $schema: pathFrom(saved, resolve(FOLDER, file.$schema)) }),
      name: number === 1 ? file.name : titleWith(file.name, ` ${number}`),
    }
    decode(kept, ScenarioFile, name)
    await writeFile(join(saved, `${name}.json`), `${JSON.stringify(kept, null, 2)}\n`, { flag: 'wx' })
    return listed(name, kept)
  }
}

/** A path that a scenario's file says, as one in the folder of scenarios would say it: it may say it so already. */
export function asWrittenInFolder(file: string, path: string): string {
  const beside = resolve(dirname(file), path)
  return existsSync(beside) ? pathFrom(FOLDER, beside) : path
}

const pathFrom = (folder: string, path: string): string => relative(folder, path).replaceAll('\\', '/')
