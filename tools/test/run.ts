import { spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ensureChromium } from '../build/chromium.ts'
import { ensureNats, ensurePostgres } from '../local-cluster/packages.ts'
import { type Tally, tallyFaults, tallyPlaywright, tallyRun, tallyVitest } from './tally.ts'

const root = resolve(import.meta.dirname, '../..')
const reports = join(root, '.cache/reports')
const totals: ({ name: string } & Tally)[] = []
/** Some thirty apps are started: types stripped and scripts compiled once are not again. */
let env: NodeJS.ProcessEnv = { ...process.env, NODE_COMPILE_CACHE: join(root, '.cache/compiled') }

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
const playwrightCode = await run(
  'the app in a browser',
  '@playwright/test/cli.js',
  'test',
  '--reporter=list,json',
)
totals.push({ name: 'playwright', ...tallyRun(playwrightReport, playwrightCode, tallyPlaywright) })
const faultsReport = report('faults.json')
const faultsCode = await run(
  'what really happens to a house, in short',
  '../faults/run.ts',
  '--quick',
  '--report',
  faultsReport,
)
totals.push({ name: 'faults', ...tallyRun(faultsReport, faultsCode, tallyFaults) })
await checkScript('charts of what is covered: .cache/reports/charts.html', 'tools/charts/run.ts')

console.log('')
for (const { name, passed, failed, skipped } of totals) {
  console.log(
    `${failed ? '✗' : '✓'} ${name}: ${passed} passed, ${failed} failed${skipped ? ` (${skipped} skipped)` : ''}`,
  )
}
const sum = (key: 'passed' | 'failed') => totals.reduce((all, tally) => all + tally[key], 0)
process.exitCode = sum('failed') > 0 ? 1 : 0
console.log(`${sum('passed')} passed, ${sum('failed')} failed`)

/** A check is one test: it holds or it does not. */
async function check(name: string, bin: string, ...args: string[]): Promise<void> {
  const code = await run(name, bin, ...args)
  totals.push({ name, passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 })
}

/** What tests cannot do without is looked for, or installed: where it cannot be had, that is a test that failed. */
function there(name: string, ensure: () => void): void {
  try {
    ensure()
    totals.push({ name, passed: 1, failed: 0, skipped: 0 })
  } catch (error) {
    console.error(String(error))
    totals.push({ name, passed: 0, failed: 1, skipped: 0 })
  }
}

function checkScript(name: string, script: string): Promise<void> {
  return check(name, join('../..', script))
}

/** Runs a package's program on this very Node, its output passed through, and answers its exit code. */
function run(name: string, bin: string, ...args: string[]): Promise<number> {
  const began = Date.now()
  console.log(`\n── ${name}`)
  return new Promise((ended) => {
    const child = spawn(process.execPath, [join(root, 'node_modules', bin), ...args], {
      cwd: root,
      env,
      stdio: 'inherit',
    })
    child.on('error', () => ended(1))
    child.on('exit', (code) => {
      console.log(`   ${code === 0 ? 'ok' : 'failed'} after ${((Date.now() - began) / 1000).toFixed(1)} s`)
      ended(code ?? 1)
    })
  })
}

/** A report of an earlier run must not be taken for this one's. */
function report(name: string): string {
  mkdirSync(reports, { recursive: true })
  const file = join(reports, name)
  rmSync(file, { force: true })
  return file
}
