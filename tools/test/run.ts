/** `npm test`: all checks and tests, and how many held. Leaves no process and no file, also when interrupted. */
import { randomInt } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { argumentsOf, flag, whole } from '../build/arguments.ts'
import { ensureChromium } from '../build/chromium.ts'
import { ensureNats, ensurePostgres } from '../local-cluster/packages.ts'
import { openProgramGroups } from './program-groups.ts'
import { type Tally, tallyFaults, tallyPlaywright, tallyRun, tallyVitest } from './tally.ts'

const root = resolve(import.meta.dirname, '../..')
const reports = join(root, '.cache/reports')
const totals: ({ name: string } & Tally)[] = []
const FAILURES_SHOWN = 20
const FIXED_SEED = 20_261_121
const { values } = argumentsOf({
  command: 'npm test',
  says: 'Runs all checks and tests, and says how many held. Ends with 1 where one did not.',
  options: {
    nightly: flag('also what takes long, with random values'),
    seed: whole(0, Number.MAX_SAFE_INTEGER, 'takes the random values of another run, which told it'),
  },
})
const seed = values.seed ?? (values.nightly ? randomInt(2 ** 31) : FIXED_SEED)
const programs = openProgramGroups()
let env: NodeJS.ProcessEnv = {
  ...process.env,
  // some thirty apps are started: types stripped and scripts compiled once are not again
  NODE_COMPILE_CACHE: join(root, '.cache/compiled'),
  PLAYWRIGHT_TRANSFORM_CACHE_DIR: join(root, '.cache/playwright'),
  // a run of Playwright beside this one deletes the results of its own
  TEST_RESULTS: 'test-results/suite',
  TEST_SEED: `${seed}`,
  ...(values.nightly && { TEST_NIGHTLY: 'yes' }),
}
console.log(`Random values are those of seed ${seed}`)

await check('types', 'typescript/bin/tsc')
await check('format, lint, import zones', '@biomejs/biome/bin/biome', 'check', '--error-on-warnings')
await check('nothing unused', 'knip/bin/knip.js')

there('a browser to test with', () => {
  env = { ...env, CHROMIUM_PATH: ensureChromium() }
})
there('a database to test with', () => void (process.env.TEST_DATABASE_URL || ensurePostgres()))
there('a message bus to test with', () => void ensureNats())

const vitestReport = report('vitest.json')
const vitest = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`]
const vitestCode = await run('unit, property and path tests', 'vitest/vitest.mjs', ...vitest)
totals.push({ name: 'vitest', ...tallyRun(vitestReport, vitestCode, tallyVitest) })

const playwrightReport = report('playwright.json')
env = { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport }
await checkScript('the portal builds and is small enough', 'tools/build/bundle-size.ts')
const faultsReport = report('faults.json')
const faults = ['--quick', '--seed', `${seed}`, '--report', faultsReport]
// faults wait most of the time, and a browser test does half of it
const [playwrightCode, faultsCode] = await Promise.all([
  run('the app in a browser', '@playwright/test/cli.js', 'test', '--reporter=list,json'),
  runHeld('what really happens to a server, in short', '../tools/faults/run.ts', ...faults),
])
totals.push({ name: 'playwright', ...tallyRun(playwrightReport, playwrightCode, tallyPlaywright) })
totals.push({ name: 'faults', ...tallyRun(faultsReport, faultsCode, tallyFaults) })
await checkScript('charts of what is covered: .cache/reports/charts.html', 'tools/charts/run.ts')

await programs.end()

console.log('')
for (const { name, passed, failed, skipped, failures } of totals) {
  console.log(
    `${failed ? '✗' : '✓'} ${name}: ${passed} passed, ${failed} failed${skipped ? ` (${skipped} skipped)` : ''}`,
  )
  // the last lines are what is looked at first, and all that some keep of a run
  for (const line of failures.slice(0, FAILURES_SHOWN)) console.log(`    ${line.replace(`${root}/`, '')}`)
  if (failures.length > FAILURES_SHOWN) console.log(`    and ${failures.length - FAILURES_SHOWN} more`)
}
const sum = (key: 'passed' | 'failed') => totals.reduce((all, tally) => all + tally[key], 0)
process.exitCode = sum('failed') > 0 ? 1 : 0
console.log(`${sum('passed')} passed, ${sum('failed')} failed`)

/** A check is one test: it holds or it does not. */
async function check(name: string, bin: string, ...args: string[]): Promise<void> {
  const code = await run(name, bin, ...args)
  totals.push({ name, passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0, failures: [] })
}

/** What tests cannot do without is looked for, or installed: where it cannot be had, that is a test that failed. */
function there(name: string, ensure: () => void): void {
  try {
    ensure()
    totals.push({ name, passed: 1, failed: 0, skipped: 0, failures: [] })
  } catch (error) {
    console.error(String(error))
    totals.push({ name, passed: 0, failed: 1, skipped: 0, failures: [String(error)] })
  }
}

function checkScript(name: string, script: string): Promise<void> {
  return check(name, join('..', script))
}

/** Runs a package's program on this very Node, its output passed through, and answers its exit code. */
function run(name: string, bin: string, ...args: string[]): Promise<number> {
  return timed(name, false, bin, args)
}

/** Runs it beside others: its output comes when it has ended. */
function runHeld(name: string, bin: string, ...args: string[]): Promise<number> {
  return timed(name, true, bin, args)
}

async function timed(name: string, isHeld: boolean, bin: string, args: string[]): Promise<number> {
  const began = Date.now()
  console.log(`\n── ${name}`)
  const words = [join(root, 'node_modules', bin), ...args]
  const code = await programs.run(process.execPath, words, { cwd: root, env, isHeld })
  const took = ((Date.now() - began) / 1000).toFixed(1)
  console.log(`   ${isHeld ? `${name}: ` : ''}${code === 0 ? 'ok' : 'failed'} after ${took} s`)
  return code
}

/** A report of an earlier run must not be taken for this one's. */
function report(name: string): string {
  mkdirSync(reports, { recursive: true })
  const file = join(reports, name)
  rmSync(file, { force: true })
  return file
}
