import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { decode } from '#machines/contracts/decode.ts'
import { CHOICE, type Choice, chosenPaths, type Result, Results } from '../../e2e/chosen/choice.ts'
import { missingOn } from '../../e2e/chosen/fit.ts'
import { driven, driverOf } from '../../e2e/drivers/driven.ts'
import type { Driver } from '../../e2e/drivers/driver.ts'
import { ensureChromium, findWindowedChromium } from '../build/chromium.ts'
import { asJson } from './formats.ts'
import { complaintsOf, targetOf, type Unwalked, type Walked } from './machines.ts'
import { Misuse, type Options } from './options.ts'

const root = resolve(import.meta.dirname, '../..')

/** What became of a machine in the browser. */
type Run = {
  of: Walked
  results: Result[]
  /** why none of its paths was walked */
  skipped: string | null
  /** transitions nobody can take there, and why */
  cannot: Readonly<Record<string, string>>
}

/** What became of all of them. `broken`: why the walk as a whole came to nothing. */
type Runs = { runs: Run[]; broken: string | null }

/** Walks the chosen paths in a browser, telling of each; where JSON is asked for, on the error output. */
export async function walkInBrowser(found: Walked[], options: Options): Promise<Runs> {
  const planned = await Promise.all(found.map((one) => plan(one, options)))
  const machines = planned.filter(({ skipped }) => skipped === null).map(({ of }) => of.name)
  if (machines.length === 0) return { runs: planned, broken: null }
  const missing = options.url === undefined ? undefined : await missingOn(options.url)
  if (missing !== undefined) return { runs: planned, broken: missing }
  const folder = mkdtempSync(join(tmpdir(), 'frostline-paths-'))
  try {
    const results = join(folder, 'results.json')
    const choice = { machines, ...choiceOf(options, found), headed: options.headed, results }
    const code = await playwright(choice, options.format === 'json')
    const known = decode(JSON.parse(readFileSync(results, 'utf8')), Results, results)
    const runs = planned.map((run) => ({
      ...run,
      results: known.filter(({ machine }) => machine === run.of.name),
    }))
    const isOdd = code !== 0 && known.every(({ ok }) => ok)
    return { runs, broken: isOdd ? 'the walk ended with an error that is no path’s; it is told above' : null }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Whether all went well. */
export function didPass({ runs, broken }: Runs): boolean {
  return (
    broken === null && runs.every(({ results, skipped }) => skipped === null && results.every(({ ok }) => ok))
  )
}

/** As `asJson`, with what became of each path. */
export function runsAsJson(found: (Walked | Unwalked)[], { runs, broken }: Runs): string {
  const machines = found.map((one) => {
    const run = runs.find(({ of }) => of === one)
    return { ...asJson(one), ...(run && { runs: run.results, skipped: run.skipped, cannot: run.cannot }) }
  })
  return `${JSON.stringify({ machines, broken }, null, 2)}\n`
}

/** What there is to say beside what was told of each path. */
export function afterwords(found: (Walked | Unwalked)[], { runs, broken }: Runs): string {
  const lines = runs.flatMap(({ of, skipped, cannot }) => [
    ...(skipped === null ? [] : [`${of.name} was not walked: ${skipped}`]),
    ...leftOut(of.name, cannot),
  ])
  const all = [
    ...lines,
    ...found.flatMap(complaintsOf),
    ...(broken === null ? [] : [`Not walked: ${broken}`]),
  ]
  return all.map((line) => `${line}\n`).join('')
}

/** Once for each reason. */
function leftOut(machine: string, cannot: Run['cannot']): string[] {
  const reasons = Map.groupBy(Object.entries(cannot), ([, why]) => why)
  return [...reasons].map(
    ([why, all]) => `${machine} leaves out ${all.map(([name]) => name).join('; ')}. ${why}`,
  )
}

async function plan(of: Walked, options: Options): Promise<Run> {
  const run = { of, results: [], cannot: {} }
  if (!driven().includes(of.name))
    return {
      ...run,
      skipped: `it has no driver, e2e/drivers/${of.name}.driver.ts: nobody has said what it looks like`,
    }
  const driver = await driverOf(of.name)
  const choice = choiceOf(options, [of])
  const isWalkable = driver.ways.some((way) => chosenPaths(way, choice).length > 0)
  if (isWalkable) return { ...run, skipped: null, cannot: options.to === undefined ? cannotBe(driver) : {} }
  return {
    ...run,
    skipped: (choice.to !== null && cannotBe(driver)[choice.to]) || 'no path of its driver goes there',
  }
}

/** What cannot be taken in any of the places. */
function cannotBe({ ways }: Driver): Record<string, string> {
  const [first, ...others] = ways.map(({ cannot = {} }) => cannot)
  const everywhere = Object.entries(first ?? {}).filter(([name]) => others.every((cannot) => name in cannot))
  return Object.fromEntries(everywhere)
}

function choiceOf(
  { by, to, fewest, url }: Options,
  [first]: Walked[],
): Omit<Choice, 'machines' | 'headed' | 'results'> {
  return {
    by: by ?? null,
    to: to === undefined || first === undefined ? null : targetOf(first.whole, to),
    fewest,
    url: url ?? null,
  }
}

function playwright(choice: Choice, isQuiet: boolean): Promise<number> {
  const cli = join(root, 'node_modules/@playwright/test/cli.js')
  const args = [cli, 'test', '--config', join(root, 'e2e/chosen/playwright.config.ts')]
  const env = { ...process.env, CHROMIUM_PATH: chromium(choice.headed), [CHOICE]: JSON.stringify(choice) }
  return new Promise((ended) => {
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', isQuiet ? 2 : 1, 2] })
    // whoever ends this ends the walk too: it tells what came of the paths so far, and closes its browser
    process.once('SIGTERM', () => child.kill('SIGINT'))
    child.on('error', () => ended(1))
    child.on('exit', (code) => ended(code ?? 1))
  })
}

/** @throws Misuse where a window is wanted and no Chromium has one */
function chromium(isHeaded: boolean): string {
  const found = isHeaded ? findWindowedChromium() : ensureChromium()
  if (found === undefined)
    throw new Misuse('--headed needs a Chromium with a window; install one, or set CHROMIUM_PATH to its file')
  return found
}
