/** Why a start cannot open the world it is asked for, and the ways on, for whoever reads it in a terminal. */
import { ContractError } from '#machines/contracts/decode.ts'
import { cannotStart } from '../server/ports.ts'
import { type ScenarioChoice, startOfOpened } from './active-scenario.ts'
import { readSimulatorConfig } from './config.ts'
import { isShipped, scenarioNameOf, scenariosShipped, scenarioTitled } from './director/scenario-files.ts'
import { OtherWorld } from './world/simulation.ts'

/** The scenario cannot be read. @returns the error to throw; the same where it is not for the operator to mend */
export function unreadable(error: unknown, { scenario }: ScenarioChoice): unknown {
  if (error instanceof ContractError)
    return cannotStart(
      `SCENARIO is not right: ${error.message}\nTo try it again: npm run scenarios -- --check ${scenario}`,
      error,
    )
  const { code } = error as NodeJS.ErrnoException
  if (code !== 'ENOENT' && code !== 'EISDIR') return error
  return cannotStart(
    `SCENARIO names ${scenario}, which is no file. It takes the path of one, or a name: ${scenariosShipped().join(', ')}`,
    error,
  )
}

/** The data folder holds another world. @returns the error to throw; the same where it is of something else */
export function heldByOther(error: unknown, choice: ScenarioChoice, dataDir: string): unknown {
  if (!(error instanceof OtherWorld)) return error
  const { held, requested } = error
  const name = scenarioNameOf(choice.scenario)
  const begun = startOfOpened(dataDir) ?? choiceOf(held)
  return cannotStart(
    [
      `The data folder ${dataDir} holds the world "${held}". Asked for is ${name}, "${requested}". Nothing was changed.`,
      `  To go on with the one it holds: ${begun === undefined ? 'npm start with the SCENARIO and SEED of then' : commandOf(begun)}`,
      `  To have ${name} beside it: DATA_DIR=${dataDir.replace(/\/+$/, '')}-${name} ${commandOf(choice)}`,
      `  To have ${name} in its place: open it in the panel of the one it holds (key D, World), or remove the folder`,
    ].join('\n'),
    error,
  )
}

/** The shipped scenario of a world, called `name, seed n`; undefined where it is of a file of somebody's own. */
function choiceOf(held: string): ScenarioChoice | undefined {
  const [, title = '', seed] = /^(.*), seed (\d+)$/.exec(held) ?? []
  const found = scenarioTitled(title)
  if (found === undefined) return undefined
  return {
    scenario: found.path,
    seed: found.seed === Number(seed) ? undefined : Number(seed),
    devices: undefined,
  }
}

/** What to type for it. */
function commandOf({ scenario, seed, devices }: ScenarioChoice): string {
  const isDefault = scenario === readSimulatorConfig({}).scenario
  const given = {
    SCENARIO: isDefault ? undefined : isShipped(scenario) ? scenarioNameOf(scenario) : scenario,
    SEED: seed,
    DEVICES: devices,
  }
  const variables = Object.entries(given).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${value}`],
  )
  return [...variables, 'npm start'].join(' ')
}
