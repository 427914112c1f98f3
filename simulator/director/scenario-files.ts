import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { ScenarioName, type SimScenario } from '#machines/contracts/calls/sim-calls.ts'
import { ContractError, decodeJson } from '#machines/contracts/decode.ts'
import { ScenarioFile } from '#machines/contracts/scenario.ts'

/** Where the scenarios are that can be opened by name. */
const FOLDER = join(import.meta.dirname, '../../fixtures/scenarios')

/** The name a scenario's file gives it. */
export const scenarioNameOf = (file: string): string => basename(file, '.json')

/** The file of a scenario by its name; undefined where there is none of that name. */
export function namedScenario(name: string): string | undefined {
  const named = join(FOLDER, `${name}.json`)
  return ScenarioName.is(name) && existsSync(named) ? named : undefined
}

/** A scenario as it is written. @throws ContractError */
export const readScenarioFile = async (file: string): Promise<ScenarioFile> =>
  decodeJson(await readFile(file, 'utf8'), ScenarioFile, scenarioNameOf(file))

/** All that can be opened, by name; a file that is no scenario is left out: whoever opens it is told what is wrong with it. */
export async function scenariosThere(): Promise<SimScenario[]> {
  const names = (await readdir(FOLDER))
    .filter((file) => file.endsWith('.json'))
    .map(scenarioNameOf)
    .filter((name) => ScenarioName.is(name))
    .sort()
  const found = await Promise.all(
    names.map(async (name): Promise<SimScenario[]> => {
      try {
        const { name: title, story, fleets, start } = await readScenarioFile(join(FOLDER, `${name}.json`))
        const devices = fleets.reduce((sum, { count }) => sum + count, 0)
        return [{ name, title, story, devices, start: Date.parse(start) }]
      } catch (error) {
        if (error instanceof ContractError) return []
        throw error
      }
    }),
  )
  return found.flat()
}

/** A path that a scenario's file says, as one in the folder of scenarios would say it. */
export const asWrittenInFolder = (file: string, path: string): string =>
  relative(FOLDER, resolve(dirname(file), path)).replaceAll('\\', '/')
