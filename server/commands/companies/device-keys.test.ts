import { describe, expect, test } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import { keysOfCompany } from '#machines/projections/device-keys.ts'
import { company } from '../../testing/facts.ts'
import { given } from '../testing/given.ts'
import { createDeviceKey, expireDeviceKey, KEY_OVER, rotateDeviceKey, TOO_MANY_KEYS } from './device-keys.ts'

const HOUR = 3_600_000
const command = <T extends string, D>(type: T, data: D, at = 1000) => ({ type, at, by: 'u1', data })
const create = (keyId: string, more: object = {}) =>
  command('device-key.create', {
    companyId: 'indus',
    keyId,
    name: ' Gateway ',
    scopes: ['ingest' as const, 'ingest' as const, 'read' as const],
    hash: `hash-${keyId}`,
    expiresAt: null,
    ...more,
  })
const rotate = (overlapHours: 1 | 24 | 168, at = 2000) =>
  command(
    'device-key.rotate',
    { companyId: 'indus', keyId: 'k1', newKeyId: 'k2', hash: 'hash-k2', overlapHours },
    at,
  )
const withKey = (more: object = {}) => {
  const record = given(company('indus'), company('karakoram'))
  record.store(record.when(createDeviceKey, create('k1', more)))
  return record
}

describe('a key', () => {
  test('is made by name, scopes and hash, and by whom', () => {
    const { directory, stored } = withKey()
    expect(stored.at(-1)).toMatchObject({
      type: 'device-key.created',
      companyId: 'indus',
      by: 'u1',
      data: { keyId: 'k1', name: 'Gateway', scopes: ['ingest', 'read'], hash: 'hash-k1', expiresAt: null },
    })
    expect(keysOfCompany(directory.keys, 'indus')).toMatchObject([{ keyId: 'k1', createdBy: 'u1' }])
  })

  test('that a company was registered with is the first, for readings alone', () => {
    const registered = company('thar')
    const fact = { ...registered, data: { ...registered.data, deviceKeyHash: 'hash' } } as NewFact
    expect(keysOfCompany(given(fact).directory.keys, 'thar')).toMatchObject([
      { keyId: 'thar', name: 'first key', scopes: ['ingest'], hash: 'hash', expiresAt: null },
    ])
  })

  test.each([
    [{ name: ' ' }, 'name'],
    [{ scopes: [] }, 'scopes'],
    [{ expiresAt: 1000 }, 'expiresAt'],
  ])('%j is refused with its path', (more, path) => {
    const { facts, refused } = given(company('indus')).when(createDeviceKey, create('k1', more))
    expect(facts).toEqual([])
    expect(refused).toMatchObject({ status: 422, extra: { path } })
  })

  test('is one of fifty; those that are over do not count', () => {
    const record = given(company('indus'))
    for (let n = 0; n < 50; n++) record.store(record.when(createDeviceKey, create(`n${n}`)))
    expect(record.when(createDeviceKey, create('k1')).refused?.message).toBe(TOO_MANY_KEYS)
    record.store(
      record.when(expireDeviceKey, command('device-key.expire', { companyId: 'indus', keyId: 'n3' })),
    )
    expect(record.when(createDeviceKey, create('k1')).facts).toHaveLength(1)
  })

  test('is revoked now, once, and by its own company alone', () => {
    const record = withKey()
    const expire = (companyId: string) =>
      record.when(expireDeviceKey, command('device-key.expire', { companyId, keyId: 'k1' }, 5000))
    expect(expire('karakoram').refused?.status).toBe(404)
    const decision = expire('indus')
    expect(decision.facts).toMatchObject([
      { type: 'device-key.expiry-set', by: 'u1', data: { keyId: 'k1', expiresAt: 5000 } },
    ])
    record.store(decision)
    expect(expire('indus')).toEqual({ facts: [] })
  })

  test.each([1, 24, 168] as const)('rotates: the old one goes on for %i h', (hours) => {
    const record = withKey()
    record.store(record.when(rotateDeviceKey, rotate(hours)))
    expect(keysOfCompany(record.directory.keys, 'indus')).toMatchObject([
      { keyId: 'k1', expiresAt: 2000 + hours * HOUR },
      { keyId: 'k2', name: 'Gateway', scopes: ['ingest', 'read'], hash: 'hash-k2', expiresAt: null },
    ])
  })

  test('goes on no longer by rotating than it would have, nor does the next, and one that is over does not rotate', () => {
    const record = withKey({ expiresAt: 9000 })
    expect(record.when(rotateDeviceKey, rotate(24)).facts).toMatchObject([
      { type: 'device-key.created', data: { keyId: 'k2', expiresAt: 9000 } },
      { type: 'device-key.expiry-set', data: { keyId: 'k1', expiresAt: 9000 } },
    ])
    expect(record.when(rotateDeviceKey, rotate(24, 9000)).refused?.message).toBe(KEY_OVER)
  })
})
