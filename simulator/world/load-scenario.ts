import { promises as fs } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { ContractError, decode, decodeJson } from '#machines/contracts/decode.ts'
import { CorridorsFile, PlacesFile, Scenario, ScenarioFile } from '#machines/contracts/scenario.ts'
import { checkReferences } from './check-scenario.ts'

/** Where the scenarios are that are shipped. */
export const SHIPPED_FOLDER = join(import.meta.dirname, '../../fixtures/scenarios')

/**
 * Reads a scenario and the files it names.
 * @throws ContractError naming the file and the path of the first thing wrong, also where a name refers to nothing
 */
export async function loadScenario(path: string): Promise<Scenario> {
  const { corridorFiles, placeFiles, ...rest } = decodeJson(
    await fs.readFile(path, 'utf8'),
    ScenarioFile,
    path,
  )
  const read = (field: string, names: readonly string[]) =>
    Promise.all(names.map((name, i) => readNamed(path, name, `${field}.${i}`)))
  const roads = await read('corridorFiles', corridorFiles)
  const towns = await read('placeFiles', placeFiles)
  const scenario = {
    ...rest,
    corridors: roads.flatMap((text, i) => decodeJson(text, CorridorsFile, `${corridorFiles[i]}`).corridors),
    places: towns.flatMap((text, i) => decodeJson(text, PlacesFile, `${placeFiles[i]}`).places),
  }
  checkReferences(scenario, path)
  return scenario
}

/** A file that a scenario names: beside its own, or as those that are shipped name theirs, so that one that was saved opens anywhere. */
async function readNamed(path: string, name: string, at: string): Promise<string> {
  for (const folder of [dirname(path), SHIPPED_FOLDER])
    try {
      return await fs.readFile(resolve(folder, name), 'utf8')
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENOENT' && code !== 'EISDIR' && code !== 'ENOTDIR') throw error
    }
  throw new ContractError(
    path,
    at,
    `there is no file ${name}, from here or from the scenarios that are shipped`,
  )
}

/** A scenario given as one value, e.g. by a test. @throws ContractError */
export function decodeScenario(value: unknown, what = 'scenario'): Scenario {
  const scenario = decode(value, Scenario, what)
  checkReferences(scenario, what)
  return scenario
}
