import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
/** Words that only Frostline had, where the field has its own (docs/architecture.md). */
const PRIVATE = [
  'house',
  'pretend',
  'cast',
  'deed',
  'duty',
  'witness',
  'shelf',
  'doubtful',
  'prelude',
  'tended',
  'rehearsing',
  'backbone',
  'directing',
  'seeing',
  'pulse',
  'owed',
  'fate',
  'twin',
  'twins',
  'judges',
  'judged',
  'judging',
  'verdict',
  'verdicts',
]
/** What is stored keeps its name, and so do houses on a map, a compressor's duty cycle and a word of SQL. */
const ALLOWED = ['house_keys', 'houses', 'deed', 'dutyCycle', 'CAST']

/** Metrics and rules keep their names, where documents have `judge` nowhere else; a stream of facts is called by it too. */
const WATCHED = ['judge_lag', 'judge_failing_devices', 'JudgeBehind', 'DevicesNotJudged']

const all = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
}).split('\n')
const tracked = all.filter((file) => /^(machines|server|simulator|src|e2e|tools|fixtures)\//.test(file))
const scripts = tracked.filter((file) => /\.tsx?$/.test(file) && !file.endsWith('words.test.ts'))
/** Decisions keep the words of their time. */
const documents = all.filter((file) => /^(docs\/[^/]+|[^/]+)\.(md|json|yml)$/.test(file))

/** The words a name is made of: `openHouse` has `open` and `house`. */
const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
const isPrivate = (name: string): boolean => wordsOf(name).some((word) => PRIVATE.includes(word))

test('no file or folder is called by a private word', () => {
  expect(tracked.filter((file) => isPrivate(file))).toEqual([])
})

/** Each word of a file that `isWrong` says, with its line. */
const found = (file: string, text: string, isWrong: (name: string) => boolean): string[] =>
  text
    .split('\n')
    .flatMap((line, i) =>
      (line.match(/\w+/g) ?? [])
        .filter((name) => isWrong(name) && !ALLOWED.includes(name))
        .map((name) => `${file}:${i + 1} ${name}`),
    )
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

test('no name and no message has a private word in it', () => {
  expect(scripts.flatMap((file) => found(file, read(file), isPrivate))).toEqual([])
})

test('no document has a private word in it but where it names those that are not to be used', () => {
  const isWrong = (name: string): boolean =>
    !WATCHED.includes(name) && (isPrivate(name) || wordsOf(name).includes('judge'))
  /** without links and the table of words */
  const written = (file: string): string =>
    read(file)
      .replaceAll(/\]\([^)]*\)/g, ']')
      .replace(/(?<=\n## Words\n)[\s\S]*?(?=\n## )/, (table) => table.replaceAll(/[^\n]/g, ''))
  expect(documents.flatMap((file) => found(file, written(file), isWrong))).toEqual([])
})
