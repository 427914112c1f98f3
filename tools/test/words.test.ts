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
]
/** What is stored keeps its name, and so do houses on a map and a compressor's duty cycle. */
const ALLOWED = ['house_keys', 'houses', 'deed', 'dutyCycle']

const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /^(machines|server|simulator|src|e2e|tools|fixtures)\//.test(file))
const scripts = tracked.filter((file) => /\.tsx?$/.test(file) && !file.endsWith('words.test.ts'))

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

test('no name and no message has a private word in it', () => {
  const found = scripts.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, i) =>
        (line.match(/\w+/g) ?? [])
          .filter((name) => isPrivate(name) && !ALLOWED.includes(name))
          .map((name) => `${file}:${i + 1} ${name}`),
      ),
  )
  expect(found).toEqual([])
})
