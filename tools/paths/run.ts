/**
 * Lists the state machines, generates paths over them, prints and exports these, and walks them in a browser:
 * `npm run paths -- --help`. A machine is a folder `machines/<name>` with its samples, `<name>.samples.ts`.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { prose } from '#machines/testing/prose.ts'
import { driven } from '../../e2e/drivers/driven.ts'
import { formatted } from './formats.ts'
import { complaintsOf, isWalked, type Unwalked, type Walked, walked } from './machines.ts'
import { HELP, Misuse, type Options, optionsOf } from './options.ts'
import { tableOf } from './table.ts'

try {
  const options = optionsOf(process.argv.slice(2))
  process.exitCode = options.help ? print(`${HELP}\n`) : await done(options)
} catch (error) {
  if (!(error instanceof Misuse)) throw error
  console.error(error.message)
  process.exitCode = 2
}

async function done(options: Options): Promise<number> {
  const found = await walked(options)
  const isWhole = found.every((one) => complaintsOf(one).length === 0)
  if (options.run) return (await ran(found, options)) && isWhole ? 0 : 1
  if (options.write) record(found, options.in)
  if (options.isBare) print(tableOf(found, driven()))
  else given(options, formatted(options, found))
  return isWhole ? 0 : 1
}

/** @returns whether all went well */
async function ran(found: (Walked | Unwalked)[], options: Options): Promise<boolean> {
  // a browser's tools take their time to load: who only reads needs none
  const browser = await import('./browser.ts')
  const runs = await browser.walkInBrowser(found.filter(isWalked), options)
  if (options.format === 'json') given(options, browser.runsAsJson(found, runs))
  const words = browser.afterwords(found, runs)
  if (options.format === 'json') process.stderr.write(words)
  else print(words)
  return browser.didPass(runs)
}

function record(found: (Walked | Unwalked)[], folder: string): void {
  for (const one of found.filter(isWalked))
    writeFileSync(join(folder, one.name, `${one.name}.paths.txt`), prose(one.model, one.whole))
}

/** Printed, or written where `--output` says. */
function given({ output }: Options, text: string): void {
  if (output === undefined) {
    print(text)
    return
  }
  try {
    writeFileSync(output, text)
  } catch (error) {
    throw new Misuse(`--output: ${(error as Error).message}`)
  }
}

function print(text: string): 0 {
  process.stdout.write(text)
  return 0
}
