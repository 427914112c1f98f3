import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findNats, findPostgres } from './packages.ts'

const folder = mkdtempSync(join(tmpdir(), 'packages-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a PostgreSQL of the path is taken where it is new enough, the wished one before it', () => {
  const [old, fair, fresh] = ['14.9', '15.18 (Debian 15.18-0+deb12u1)', '18.1'].map(release)
  expect(findPostgres({ PATH: `${old}:${fair}:${fresh}` })).toBe(fair)
  expect(findPostgres({ PATH: fair, POSTGRES_BIN: fresh })).toBe(fresh)
})

test('a wish for what is too old or not there is an error, not a reason to take another', () => {
  expect(() => findPostgres({ POSTGRES_BIN: release('14.0') })).toThrow('no PostgreSQL 15 or later')
  expect(() => findPostgres({ POSTGRES_BIN: join(folder, 'gone') })).toThrow('POSTGRES_BIN')
  expect(() => findNats({ NATS_SERVER: join(folder, 'gone') })).toThrow('no such file')
})

test('nats-server is found on the path, the wished one before it', () => {
  const [wished, found] = [join(folder, 'wished'), join(folder, 'nats-server')]
  for (const file of [wished, found]) writeFileSync(file, '')
  expect(findNats({ PATH: folder })).toBe(found)
  expect(findNats({ PATH: folder, NATS_SERVER: wished })).toBe(wished)
})

/** A folder with programs of a PostgreSQL that only says what it is. */
function release(version: string): string {
  const programs = join(folder, version.slice(0, 2))
  mkdirSync(programs, { recursive: true })
  for (const name of ['postgres', 'initdb', 'pg_basebackup'])
    writeFileSync(join(programs, name), `#!/bin/sh\necho 'postgres (PostgreSQL) ${version}'\n`, {
      mode: 0o755,
    })
  return programs
}
