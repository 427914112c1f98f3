import { beforeEach, expect, test } from 'vitest'
import type { KeyScope } from '#machines/contracts/entities/device-keys.ts'
import type { Fact, NewFact } from '#machines/contracts/facts.ts'
import { emptyDirectory, evolve } from '#machines/projections/directory.ts'
import { company } from '../testing/facts.ts'
import { createAttempts } from './attempts.ts'
import { createKeyOf, hashOfKey, type KeyOf } from './key-of.ts'

const clock = { at: 1000, now: () => clock.at }
const uptime = { at: 0 }
let directory = emptyDirectory()
let used: string[] = []
let keyOf: KeyOf
beforeEach(() => {
  clock.at = 1000
  uptime.at = 0
  directory = emptyDirectory()
  used = []
  for (const fact of [company('indus'), key('right', ['ingest'], null), key('short', ['read'], 2000)])
    apply(fact)
  keyOf = createKeyOf({
    directory,
    clock,
    tried: createAttempts(() => uptime.at),
    uses: { note: (keyId) => used.push(keyId) },
  })
})

const apply = (fact: NewFact) => evolve(directory, { ...fact, seq: 1, id: 'f', v: 1, recordedAt: 1 } as Fact)
const key = (secret: string, scopes: KeyScope[], expiresAt: number | null): NewFact => ({
  type: 'device-key.created',
  at: 1,
  companyId: 'indus',
  data: { companyId: 'indus', keyId: secret, name: secret, scopes, hash: hashOfKey(secret), expiresAt },
})
const status = (secret: string | undefined, scope: KeyScope = 'ingest', address = '10.0.0.1') => {
  const found = keyOf(secret, scope, address)
  return 'refused' in found ? found.refused.status : 'let in'
}

test('a key opens what it is for, and its use is noted', () => {
  expect(keyOf('right', 'ingest', '10.0.0.1')).toEqual({ companyId: 'indus', keyId: 'right' })
  expect(used).toEqual(['right'])
  expect([status(undefined), status('wrong'), status('right', 'read'), status('right', 'events')]).toEqual([
    401, 401, 403, 403,
  ])
  expect(used).toEqual(['right'])
})

test('it is good until its time', () => {
  clock.at = 1999
  expect(status('short', 'read')).toBe('let in')
  clock.at = 2000
  expect(status('short', 'read')).toBe(401)
})

test('while its company is suspended it opens nothing', () => {
  apply({ type: 'company.suspended', at: 1, companyId: 'indus', data: { companyId: 'indus' } })
  expect(status('right')).toBe(403)
  apply({ type: 'company.resumed', at: 1, companyId: 'indus', data: { companyId: 'indus' } })
  expect(status('right')).toBe('let in')
})

test('who guesses from one address waits; whoever has a right key does not, there or elsewhere', () => {
  for (let n = 0; n < 10; n++) expect(status(`guess-${n}`)).toBe(401)
  expect([status('guess-11'), status('right')]).toEqual([429, 'let in'])
  expect(status('right', 'ingest', '10.0.0.2')).toBe('let in')
  uptime.at = 60_001
  expect(status('guess-11')).toBe(401)
})
