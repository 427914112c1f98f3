/**
 * The scenarios of `fixtures/scenarios`: what there is, whether the files are right, and whether what must happen happens.
 *
 *     npm run scenarios                            lists them
 *     npm run scenarios -- --check [name|path …]   reads the files, and says what is wrong in them
 *     npm run scenarios -- --run [name|path …]     plays them on a server of their own, one after the other, and looks at the outcomes
 *     npm run scenarios -- dairy-dawn --speed 1000 --for 20     plays 20 minutes of it by the world's clock, at a speed
 *
 * `--seed`, `--devices`: another world. `--verbose`: what was found for each outcome. Ends with 1 when a file is wrong or an
 * outcome is not met.
 */
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Scenario } from '#machines/contracts/scenario.ts'
import { openScenarioRun } from '../../simulator/scenarios/run-scenario.ts'
import { loadScenario } from '../../simulator/world/load-scenario.ts'

const FOLDER = new URL('../../fixtures/scenarios/', import.meta.url)

const { values, positionals } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    run: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    speed: { type: 'string' },
    for: { type: 'string' },
    seed: { type: 'string' },
    devices: { type: 'string' },
  },
  allowPositionals: true,
})
const speed = numberOf('speed', 0.1, 10_000)
const minutes = numberOf('for', 1, 44_640)
const seed = numberOf('seed', 0, Number.MAX_SAFE_INTEGER)
const devices = numberOf('devices', 1, 1_000_000)

const isPlaying =
  values.run || speed !== undefined || minutes !== undefined || (positionals.length > 0 && !values.check)

for (const name of positionals.length > 0 ? positionals : namesThere()) {
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

function numberOf(
  option: 'speed' | 'for' | 'seed' | 'devices',
  low: number,
  high: number,
): number | undefined {
  const text = values[option]
  if (text === undefined) return undefined
  const value = Number(text)
  if (text.trim() !== '' && value >= low && value <= high) return value
  console.error(`--${option} takes a number from ${low} to ${high}, not ${text}`)
  process.exit(1)
}
