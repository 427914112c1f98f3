import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import { company, group, user } from '../../testing/facts.ts'
import { buildTestServer, PASSWORD, START, type TestServer } from './testing/test-app.ts'

const HOUR = 3_600_000
const nadia = user('u7', 'frostline', 'frostline', 'nadia')
const FACTS: NewFact[] = [
  company('frostline'),
  group('frostline', 'frostline', null),
  { ...nadia, data: { ...nadia.data, superAdmin: true } } as NewFact,
  {
    type: 'user.signed-in',
    at: START,
    companyId: 'frostline',
    data: { userId: 'u7', sessionId: 's-nadia', refreshHash: 'h', expiresAt: START + 30 * 24 * HOUR },
  },
]

let server: TestServer
let token: string
beforeEach(async () => {
  server = await buildTestServer({ facts: FACTS })
  const claims = { sub: 'u7', companyId: 'frostline', groupId: 'frostline', sid: 's-nadia', superAdmin: true }
  token = await server.access.tokens.sign({ ...claims, scope: 'full' }, 30 * 24 * 3600)
})
afterEach(() => server.close())

const lastFact = () => server.store.log.readFacts(0).at(-1)
const create = (name = 'Ravi Foods') =>
  server.answer('createCompany', { token, body: { name, timeZone: 'Asia/Karachi', retentionDays: 30 } })

describe('a company', () => {
  test('is made, changed by version, and each is a fact with who did it', async () => {
    const made = await create()
    expect(made).toMatchObject({ name: 'Ravi Foods', retentionDays: 30, suspended: false })
    const params = { companyId: made._id }
    const headers = { 'if-match': `"${made.version}"` }
    const body = { name: 'Ravi' }
    const changed = await server.answer('updateCompany', { token, params, body, headers })
    expect(changed).toMatchObject({ name: 'Ravi', timeZone: 'Asia/Karachi' })
    expect(lastFact()).toMatchObject({ type: 'company.settings-changed', by: 'u7', data: { name: 'Ravi' } })
    const late = await server.ask('updateCompany', { token, params, body: { name: 'R' }, headers })
    expect([late.statusCode, late.json().current.name]).toEqual([412, 'Ravi'])
    expect((await server.answer('companies', { token })).at(-1)).toEqual({
      _id: made._id,
      name: 'Ravi',
      suspended: false,
      suspendedBecause: null,
      devices: 0,
      users: 0,
      readingsAMinute: 0,
      lastWordAt: null,
    })
  })

  test('shuts everybody out with a reason when it is suspended, and lets them in again', async () => {
    const { access_token: ayesha } = await server.signIn('ayesha')
    const params = { companyId: 'indus' }
    const body = { reason: 'Not paid' }
    expect(await server.answer('suspendCompany', { token, params, body })).toMatchObject({
      suspended: true,
      suspendedBecause: 'Not paid',
    })
    expect(server.store.log.readFacts(0).slice(-2)).toMatchObject([
      { type: 'company.suspended', by: 'u7', data: { reason: 'Not paid' } },
      { type: 'session.ended', by: 'u7', data: { userId: 'u1', reason: 'suspended' } },
    ])
    const credentials = { body: { username: 'ayesha', password: PASSWORD } }
    expect((await server.ask('me', { token: ayesha })).statusCode).toBe(401)
    expect((await server.ask('login', credentials)).statusCode).toBe(403)
    const resumed = await server.answer('resumeCompany', { token, params, body: { reason: 'Paid' } })
    expect(resumed).toMatchObject({ suspended: false, suspendedBecause: null })
    expect(lastFact()).toMatchObject({ type: 'company.resumed', by: 'u7', data: { reason: 'Paid' } })
    expect((await server.ask('me', { token: ayesha })).statusCode, 'the old session stays over').toBe(401)
    expect((await server.ask('login', credentials)).statusCode).toBe(200)
  })

  test('tells what it has, sends and takes', async () => {
    const params = { companyId: 'indus' }
    const figures = await server.answer('companyFigures', { token, params })
    expect(figures).toMatchObject({ devices: 4, lastWordAt: null, storedBytes: 0, isEstimated: false })
    expect((await server.ask('companyFigures', { token, params: { companyId: 'nowhere' } })).statusCode).toBe(
      404,
    )
  })

  test('of the one who suspends stays as it is: they would shut themselves out', async () => {
    const params = { companyId: 'frostline' }
    expect((await server.ask('suspendCompany', { token, params, body: { reason: '' } })).statusCode).toBe(409)
  })

  test('gets its first manager at its top, with an activation link', async () => {
    const { _id, groupId } = await create()
    const body = { firstName: 'Sara', lastName: 'Khan', email: 'sara@ravi.example', phone: '03001234567' }
    const { user: made } = await server.answer('inviteManager', { token, params: { companyId: _id }, body })
    expect(made).toMatchObject({ type: 'Manager', activated: false, group: { _id: groupId } })
    expect(lastFact()).toMatchObject({
      type: 'link.issued',
      data: { userId: made?._id, purpose: 'activation' },
    })
  })
})

describe('a key', () => {
  const params = { companyId: 'indus' }
  const make = (scopes: string[]) =>
    server.answer('createDeviceKey', { token, params, body: { name: 'Gateway', scopes, expiresAt: null } })
  const read = (key: string) =>
    server.ask('thing', { params: { imei: '350000000000001' }, headers: { 'x-device-key': key } })

  test('is shown once, stored as its hash, and reads what its company has and no other', async () => {
    const { key, ...made } = await make(['read'])
    expect(JSON.stringify(server.store.log.readFacts(0))).not.toContain(key)
    expect(await server.answer('deviceKeys', { token, params })).toMatchObject([
      made,
      { name: 'first key', scopes: ['ingest'] },
    ])
    expect((await read(key)).statusCode).toBe(200)
    const foreign = { imei: '350000000000004' }
    expect(
      (await server.ask('thing', { params: foreign, headers: { 'x-device-key': key } })).statusCode,
    ).toBe(404)
    const change = { params: { imei: '350000000000001' }, body: { groupId: 'indus', name: 'x' } }
    expect(
      (await server.ask('updateThing', { ...change, headers: { 'x-device-key': key } })).statusCode,
    ).toBe(401)
    expect((await server.answer('deviceKeys', { token, params }))[0]?.lastUsedAt).not.toBeNull()
  })

  test('that was rotated goes on for the overlap and not after it; one that is revoked is over at once', async () => {
    const old = await make(['read'])
    const body = { overlapHours: 24 }
    const next = await server.answer('rotateDeviceKey', {
      token,
      params: { ...params, keyId: old._id },
      body,
    })
    expect([(await read(old.key)).statusCode, (await read(next.key)).statusCode]).toEqual([200, 200])
    server.clock.at += 24 * HOUR
    expect([(await read(old.key)).statusCode, (await read(next.key)).statusCode]).toEqual([401, 200])
    await server.answer('expireDeviceKey', { token, params: { ...params, keyId: next._id } })
    expect((await read(next.key)).statusCode).toBe(401)
  })
})
