import { promises as fs } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { decode, decodeJson } from '#machines/contracts/decode.ts'
import { CorridorsFile, PlacesFile, Scenario, ScenarioFile } from '#machines/contracts/scenario.ts'
import { checkReferences } from './check-scenario.ts'

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
  const beside = (file: string) => resolve(dirname(path), file)
  const corridors = await Promise.all(
    corridorFiles.map(
      async (file) => decodeJson(await fs.readFile(beside(file), 'utf8'), CorridorsFile, file).corridors,
    ),
  )
  const places = await Promise.all(
    placeFiles.map(
      async (file) => decodeJson(await fs.readFile(beside(file), 'utf8'), PlacesFile, file).places,
    ),
  )
  const scenario = { ...rest, corridors: corridors.flat(), places: places.flat() }
  checkReferences(scenario, path)
  return scenario
}

/** A scenario given as one value, e.g. by a test. @throws ContractError */
export function decodeScenario(value: unknown, what = 'scenario'): Scenario {
  const scenario = decode(value, Scenario, what)
  checkReferences(scenario, what)
  return scenario
}
