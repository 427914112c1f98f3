import { parseArgs } from 'node:util'
import type { RandomOptions } from '#machines/testing/path-model.ts'

export const FORMATS = ['text', 'json', 'markdown', 'gherkin'] as const
export type Format = (typeof FORMATS)[number]

export const GENERATORS = ['shortest', 'transitions', 'random', 'all'] as const

/** What is to be done, checked. */
export type Options = {
  help: boolean
  /** all where there are none */
  machines: string[]
  /** nothing but machines' names, if any, was said */
  isBare: boolean
  by: 'shortest' | 'transitions' | RandomOptions | undefined
  /** a transition or a state */
  to: string | undefined
  fewest: boolean
  format: Format
  output: string | undefined
  write: boolean
  run: boolean
  url: string | undefined
  headed: boolean
  /** where the machines are */
  in: string
}

/** It was called wrongly; the message is one line that says how. */
export class Misuse extends Error {}

export const HELP = `npm run paths                              the machines in a table
npm run paths -- <machine>…                their paths as sentences

What paths (of all machines where none is named):
  --generate shortest|transitions|random|all
                       the shortest path to each situation, a path over each transition, walks at random;
                       all (if not said) is the first two
  --walks N --length L --seed S
                       of random: so many walks (10), of so many steps (20); the same seed (1) gives the same walks
  --to '<transition or state>'
                       the shortest path to one; a part of its name will do where only one has it
  --fewest             no more paths than it takes to be on every transition

What becomes of them:
  --format text|json|markdown|gherkin
  --output <file>      into a file
  --write              renews the record of paths beside each machine, <machine>.paths.txt, for review
  --run                walks them in a browser, on an app started for it; --headed shows the window
  --url <address>      on an app that runs already, e.g. http://127.0.0.1:4000

Ends with 1 where a machine, state or transition is reached by no path, or a path failed in the browser; with 2 where
it was called wrongly.`

/** @throws Misuse */
export function optionsOf(args: string[]): Options {
  const { values, positionals: machines } = parsed(args)
  const { generate, walks, length, seed, to, run = false, url, headed = false, write = false } = values
  const { output, fewest = false, help = false } = values
  const format = oneOf('--format', values.format ?? 'text', FORMATS)
  const by = generate === undefined ? 'all' : oneOf('--generate', generate, GENERATORS)
  const random = { '--walks': walks, '--length': length, '--seed': seed }
  for (const [name, value] of Object.entries(random))
    if (value !== undefined && by !== 'random') throw new Misuse(`${name} is for --generate random`)
  if (to !== undefined && machines.length !== 1)
    throw new Misuse('--to needs the name of one machine before it')
  if (to?.trim() === '') throw new Misuse('--to takes the name of a transition or a state')
  if (to !== undefined && (generate !== undefined || fewest))
    throw new Misuse('--to finds one path: it goes without --generate and --fewest')
  if (write && (generate !== undefined || fewest || to !== undefined || run))
    throw new Misuse('--write records all paths: it goes without --generate, --fewest, --to and --run')
  if (url !== undefined && !isAddress(url))
    throw new Misuse(`--url takes an address like http://127.0.0.1:4000, not ${url}`)
  if (!run && (url !== undefined || headed)) throw new Misuse(`${headed ? '--headed' : '--url'} is for --run`)
  if (run && (format === 'markdown' || format === 'gherkin'))
    throw new Misuse(`--run reports as text or json, not ${format}`)
  return {
    help,
    machines,
    isBare: machines.length === 0 && Object.keys(values).every((name) => name === 'in'),
    by:
      by === 'random'
        ? {
            walks: whole('--walks', walks ?? '10', 1, 1000),
            length: whole('--length', length ?? '20', 1, 1000),
            seed: whole('--seed', seed ?? '1', 0, 4_294_967_295),
          }
        : by === 'all'
          ? undefined
          : by,
    to,
    fewest,
    format,
    output,
    write,
    run,
    url: url === undefined ? undefined : new URL(url).origin,
    headed,
    in: values.in ?? 'machines',
  }
}

function parsed(args: string[]) {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  const options = {
    generate: text,
    walks: text,
    length: text,
    seed: text,
    to: text,
    format: text,
    output: text,
    url: text,
    in: text,
    fewest: flag,
    write: flag,
    run: flag,
    headed: flag,
    help: { type: 'boolean', short: 'h' },
  } as const
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    const [first = ''] = String((error as Error).message).split(/\. |\n/)
    throw new Misuse(`${first.replace(/\.$/, '')}; --help tells what there is`)
  }
}

function oneOf<T extends string>(name: string, value: string, known: readonly T[]): T {
  const found = known.find((one) => one === value)
  if (found === undefined)
    throw new Misuse(`${name} takes ${known.slice(0, -1).join(', ')} or ${known.at(-1)}, not ${value}`)
  return found
}

function whole(name: string, value: string, least: number, most: number): number {
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN
  if (!(number >= least && number <= most))
    throw new Misuse(`${name} takes a whole number from ${least} to ${most}, not ${value}`)
  return number
}

function isAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
