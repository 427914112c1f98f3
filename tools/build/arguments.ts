import { openSync } from 'node:fs'
import { parseArgs } from 'node:util'

/** `takes`: what stands behind it, undefined of one that stands alone. `read`: throws Misuse */
export type Option<T> = { takes?: string; says: string; read(texts: readonly string[], name: string): T }

/** What may be typed behind a command. */
export type Arguments<O extends Record<string, Option<unknown>>> = {
  /** e.g. `npm run bench` */
  command: string
  says: string
  options: O
  /** words that may stand behind it, any or one of those that are known; left out: none may */
  words?: { takes: string; known?: readonly string[] }
}

export type Typed<O extends Record<string, Option<unknown>>> = {
  values: { [N in keyof O]: O[N] extends Option<infer T> ? T : never }
  words: string[]
}

/** It was called wrongly; the message is one line that says how. */
export class Misuse extends Error {}

export const flag = (says: string): Option<boolean> => ({ says, read: (texts) => texts.length > 0 })

/** A file, open before the work begins: a folder that is missing is told now, and not after hours. @returns its descriptor */
export const fileToWrite = (says: string): Option<number | undefined> => ({
  ...{ takes: 'file', says },
  read(texts, name) {
    const path = texts.at(-1)
    try {
      return path === undefined ? undefined : openSync(path, 'w')
    } catch (error) {
      throw new Misuse(`--${name}: ${(error as Error).message}`)
    }
  },
})

/** A number, both ends included. */
export const number = (low: number, high: number, says: string): Option<number | undefined> =>
  numeric(/\S/, `a number from ${low} to ${high}`, { low, high, says })

/** A whole number, both ends included. */
export const whole = (low: number, high: number, says: string): Option<number | undefined> =>
  numeric(/^\d+$/, `a whole number from ${low} to ${high}`, { low, high, says })

/** Names that are known, none where it is left out. */
export const names = (known: readonly string[], says: string): Option<readonly string[]> => ({
  ...{ takes: 'name', says: `${says}, may be repeated: ${known.join(', ')}` },
  read(texts) {
    for (const each of texts) refuseUnknown(each, known)
    return texts
  },
})

function numeric(
  form: RegExp,
  takes: string,
  { low, high, says }: { low: number; high: number; says: string },
): Option<number | undefined> {
  return {
    ...{ takes: 'number', says },
    read(texts, name) {
      const typed = texts.at(-1)
      if (typed === undefined) return undefined
      const value = form.test(typed) ? Number(typed) : Number.NaN
      if (!(value >= low && value <= high)) throw new Misuse(`--${name} takes ${takes}, not ${typed}`)
      return value
    },
  }
}

function refuseUnknown(word: string, known: readonly string[]): void {
  if (!known.includes(word)) throw new Misuse(`There is no ${word}: ${known.join(', ')}`)
}

/**
 * What was typed behind a command.
 * @returns undefined where help is asked for
 * @throws Misuse
 */
export function readArguments<O extends Record<string, Option<unknown>>>(
  { options, words }: Arguments<O>,
  typed: string[],
): Typed<O> | undefined {
  const { values, positionals } = parsed(options, typed, words !== undefined)
  if (values.help) return undefined
  for (const word of words?.known ? positionals : []) refuseUnknown(word, words?.known ?? [])
  const read = Object.entries(options).map(([name, option]) => {
    const texts = [values[name] ?? []].flat().map(String)
    return [name, option.read(texts, name)]
  })
  return { values: Object.fromEntries(read), words: positionals }
}

type Parsed = {
  values: Record<string, string | boolean | (string | boolean)[] | undefined>
  positionals: string[]
}

function parsed(options: Record<string, Option<unknown>>, args: string[], allowPositionals: boolean): Parsed {
  const known = Object.entries(options).map(
    ([name, { takes }]) =>
      [name, takes === undefined ? { type: 'boolean' } : { type: 'string', multiple: true }] as const,
  )
  try {
    const all = { ...Object.fromEntries(known), help: { type: 'boolean', short: 'h' } } as const
    return parseArgs({ args, options: all, allowPositionals })
  } catch (error) {
    // its second sentence is about something else
    throw new Misuse(String((error as Error).message).split(/\. |\n/)[0])
  }
}

/** What the command takes, for people. */
export function helpOf({
  command,
  says,
  options,
  words,
}: Arguments<Record<string, Option<unknown>>>): string {
  const rows = Object.entries(options).map(
    ([name, { takes, says }]) => [`--${name}${takes === undefined ? '' : ` <${takes}>`}`, says] as const,
  )
  const width = Math.max(...rows.map(([option]) => option.length))
  return [
    `${command} -- [options]${words === undefined ? '' : ` [${words.takes} …]`}`,
    '',
    says,
    ...(words?.known ? [`${words.takes}: ${words.known.join(', ')}`] : []),
    '',
    ...rows.map(([option, says]) => `  ${option.padEnd(width)}  ${says}`),
  ].join('\n')
}

/** What was typed behind this process; ends it with the help, or with 2 and a line where it was called wrongly. */
export function argumentsOf<O extends Record<string, Option<unknown>>>(taken: Arguments<O>): Typed<O> {
  try {
    const typed = readArguments(taken, process.argv.slice(2))
    if (typed !== undefined) return typed
  } catch (error) {
    if (!(error instanceof Misuse)) throw error
    console.error(`${error.message}\n${taken.command} -- --help tells what it takes`)
    process.exit(2)
  }
  console.log(helpOf(taken))
  process.exit(0)
}
