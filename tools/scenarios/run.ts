/** The scenarios of `fixtures/scenarios`: what there is, whether the files are right, and whether what must happen happens: `npm run scenarios`. */
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Scenario } from '#machines/contracts/scenario.ts'
import { openScenarioRun } from '../../simulator/scenarios/run-scenario.ts'
import { loadScenario } from '../../simulator/world/load-scenario.ts'
import { argumentsOf, flag, number, whole } from '../build/arguments.ts'

const FOLDER = new URL('../../fixtures/scenarios/', import.meta.url)

const { values, words } = argumentsOf({
  command: 'npm run scenarios',
  says: 'Lists the scenarios; plays those that are named, each on a server of its own, and looks at the outcomes. Ends with 1 where a file is wrong or an outcome is not met.',
  words: { takes: 'name or file' },
  options: {
    check: flag('reads the files, and says what is wrong in them'),
    run: flag('plays them, all of them where none is named'),
    speed: number(0.1, 10_000, 'plays them by the clock, so much faster'),
    for: number(1, 44_640, 'minutes to play, to the last outcome where left out'),
    seed: whole(0, Number.MAX_SAFE_INTEGER, 'another world'),
    devices: whole(1, 1_000_000, 'in the fleet'),
    verbose: flag('what was found for each outcome'),
  },
})
const { speed, for: minutes, seed, devices } = values

const isPlaying =
  values.run || speed !== undefined || minutes !== undefined || (words.length > 0 && !values.check)

for (const name of words.length > 0 ? words : namesThere()) {
  const scenario = await read(name)
  if (scenario === undefined) continue
  if (isPlaying) await play(name)
  else list(name, scenario)
}
// a server that is closed may leave a connection that is kept alive
process.exit()

async function play(name: string): Promise<void> {
  const run = await openScenarioRun({
    scenario: name,
    seed,
    devices,
    ...(speed !== undefined && { speed }),
  })
  const findings = await run.outcomes(minutes ?? run.lastMinute, speed !== undefined)
  const met = findings.filter(({ isMet }) => isMet).length
  const { messages, facts, messageHash, logHash } = run.standing()
  console.log(
    `${met === findings.length ? '✓' : '✗'} ${name.padEnd(15)} seed ${run.seed}  ${run.devices} devices  ${run.now()} min  ${messages} messages ${messageHash}  ${facts} facts ${logHash}  outcomes ${met} of ${findings.length}`,
  )
  for (const { isMet, expected, found } of findings)
    if (!isMet || values.verbose) console.log(`    ${isMet ? '✓' : '✗'} ${expected}\n        found: ${found}`)
  if (met < findings.length) process.exitCode = 1
  await run.close()
}

function namesThere(): string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort()
}

/** The scenario where its file is right; says what is wrong where it is not. */
async function read(name: string): Promise<Scenario | undefined> {
  const isName = /^[a-z0-9-]+$/.test(name)
  try {
    return await loadScenario(isName ? fileURLToPath(new URL(`${name}.json`, FOLDER)) : name)
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    console.error(`✗ ${isMissing ? `${name}: there is no such scenario` : String(error)}`)
    process.exitCode = 1
    return undefined
  }
}

function list(name: string, { name: title, story, fleets, outcomes }: Scenario): void {
  const size = fleets.reduce((sum, { count }) => sum + count, 0).toLocaleString('en')
  console.log(`${name.padEnd(15)} ${size.padStart(7)} devices, ${outcomes.length} outcomes: ${title}`)
  if (!values.check) console.log(`    ${story}`)
}
