import { expect, test } from 'vitest'
import { fileToWrite, flag, helpOf, names, number, readArguments, whole } from './arguments.ts'

const TAKEN = {
  command: 'npm run bench',
  says: 'Measures.',
  options: {
    quick: flag('in short'),
    only: names(['ingest', 'small'], 'this alone'),
    seconds: number(0.5, 300, 'of ingest'),
    seed: whole(0, 9, 'other values'),
    report: fileToWrite('what came of it'),
  },
}
const read = (...typed: string[]) => readArguments(TAKEN, typed)

test('what is typed is read, and what is left out is not there', () => {
  const typed = ['--quick', '--only', 'small', '--only=ingest', '--seconds', '1.5', '--seed', '7']
  expect(read(...typed)).toEqual({
    values: { quick: true, only: ['small', 'ingest'], seconds: 1.5, seed: 7, report: undefined },
    words: [],
  })
  expect(read()?.values).toEqual({ quick: false, only: [] })
})

test.each([
  [['--only', 'nosuch'], 'There is no nosuch: ingest, small'],
  [['--seconds', 'abc'], '--seconds takes a number from 0.5 to 300, not abc'],
  [['--seconds', ''], '--seconds takes a number'],
  [['--seconds', '301'], '--seconds takes a number'],
  [['--seed', '1.5'], '--seed takes a whole number from 0 to 9, not 1.5'],
  [['--secnods', '3'], "Unknown option '--secnods'"],
  [['--report'], "Option '--report <value>' argument missing"],
  [['--report', '/dev/null/report.json'], '--report: ENOTDIR'],
  [['small'], "Unexpected argument 'small'"],
])('%j is refused: %s', (typed, why) => {
  expect(() => read(...typed)).toThrow(why)
})

test('words are taken where they may stand, known ones alone where they are named', () => {
  const faults = { ...TAKEN, words: { takes: 'fault', known: ['kill', 'fsync'] } }
  expect(readArguments(faults, ['kill', '--quick'])?.words).toEqual(['kill'])
  expect(() => readArguments(faults, ['kil'])).toThrow('There is no kil: kill, fsync')
  expect(readArguments({ ...TAKEN, words: { takes: 'file' } }, ['any.json'])?.words).toEqual(['any.json'])
})

test('help is of the same options', () => {
  expect(read('--help', '--quick')).toBeUndefined()
  const help = helpOf({ ...TAKEN, words: { takes: 'fault', known: ['kill'] } })
  expect(help).toContain('npm run bench -- [options] [fault …]')
  expect(help).toMatch(/--only <name> +this alone, may be repeated: ingest, small/)
})
