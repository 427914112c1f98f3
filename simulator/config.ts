import { type Kind, readVariables, text, whole } from '../server/ports.ts'

/** What the environment says of the simulated world. */
export type SimulatorConfig = {
  /** path of the scenario */
  scenario: string
  /** whether somebody named it, or it is the default */
  isScenarioGiven: boolean
  /** undefined: the scenario's */
  seed: number | undefined
  /** undefined: the scenario's */
  devices: number | undefined
  simSpeed: number
  simToken: string | undefined
}

/**
 * Reads the variables of the simulator; an empty one counts as not set.
 * @throws EnvError that names every bad variable
 */
export const readSimulatorConfig = (source: Readonly<Record<string, string | undefined>>): SimulatorConfig =>
  readVariables(source, (read) => ({
    scenario: read('SCENARIO', scenario, 'fixtures/scenarios/demo.json'),
    isScenarioGiven: (source.SCENARIO ?? '') !== '',
    seed: read('SEED', whole(0, Number.MAX_SAFE_INTEGER), undefined),
    devices: read('DEVICES', whole(1, 1_000_000), undefined),
    simSpeed: read('SIM_SPEED', speed, 1),
    simToken: read('SIM_TOKEN', text(8, 1024), undefined),
  }))

const speed: Kind<number> = {
  takes: 'a speed of more than 0, at most 10000',
  read: (value) =>
    /^\d+(\.\d+)?$/.test(value) && Number(value) > 0 && Number(value) <= 10_000 ? Number(value) : undefined,
}

/** One of ours by its name alone, or any file. */
const scenario: Kind<string> = {
  takes: 'the name of a scenario, e.g. dairy-dawn, or the path of a file',
  read(value) {
    if (value.length > 1024) return undefined
    return /^[a-z0-9-]+$/.test(value) ? `fixtures/scenarios/${value}.json` : value
  },
}
