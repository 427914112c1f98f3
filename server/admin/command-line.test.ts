import { expect, test } from 'vitest'
import { IMPORT_COLUMNS } from '#machines/contracts/entities/device-records.ts'
import { readCommandLine, UsageError } from './command-line.ts'

test.each([
  [['create-admin'], 'Name an e-mail address'],
  [['create-admin', 'a@b.example', 'c@d.example'], 'nothing else'],
  [['list', '--wrong'], '--wrong'],
  [['set-clock', '12', '--ahead', 'UTC'], '12 is no IMEI'],
  [['set-clock', '356307042441013'], '--ahead UTC+05:00'],
  [['set-clock', '356307042441013', '--ahead', 'Asia/Karachi'], 'Asia/Karachi is no offset'],
  [['restore-days', 'backup'], 'Say from which day'],
  [['restore-days', 'backup', '--from', '14.6.'], 'is no day'],
  [['restore-days', 'backup', '--from', '2026-06-14', '--to', '2026-06-31'], '2026-06-31 is no day'],
])('%j is said to be wrong', (words, message) => {
  expect(() => readCommandLine(words)).toThrow(UsageError)
  expect(() => readCommandLine(words)).toThrow(message)
})

test('each command says what it takes', () => {
  const names = [...helpOf('--help').matchAll(/^ {2}([a-z-]+) /gm)].map(([, name = '']) => name)
  expect(names.length).toBeGreaterThan(5)
  for (const name of names) expect(helpOf(name, '--help')).toContain(`npm run admin -- ${name}`)
})

test('the columns of a list of devices are those that are read', () => {
  for (const column of IMPORT_COLUMNS) expect(helpOf('import-devices', '--help')).toContain(column)
})

function helpOf(...words: string[]): string {
  const typed = readCommandLine(words)
  return typed.is === 'help' ? typed.text : `${typed.is} is no help`
}
