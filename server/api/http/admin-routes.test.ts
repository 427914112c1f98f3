import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import { changeSuspension } from '../../commands/access/companies.ts'
import { company, group, user } from '../../testing/facts.ts'
import { loggerOptions } from './logging.ts'
import { buildTestServer, START, type TestServer } from './testing/test-app.ts'

const nadia = user('u7', 'frostline', 'frostline', 'nadia')
const FACTS: NewFact[] = [
  company('frostline'),
  group('frostline', 'frostline', null),
  { ...nadia, data: { ...nadia.data, superAdmin: true } } as NewFact,
]

let server: TestServer
let admin: string
const lines: string[] = []
beforeEach(async () => {
  lines.length = 0
  const stream = { write: (line: string) => void lines.push(line) }
  server = await buildTestServer({
    facts: FACTS,
    publicUrl: 'https://fleet.example',
    logger: loggerOptions('trace', stream),
  })
  // as if she had a password: its hash takes long
  const sessionId = 's-nadia'
  const refreshHash = 'h'
  await append({
    type: 'user.signed-in',
    at: START,
    companyId: 'frostline',
    data: { userId: 'u7', sessionId, refreshHash, expiresAt: START + 86_400_000 },
  })
  const claims = { sub: 'u7', companyId: 'frostline', groupId: 'frostline', sid: sessionId, superAdmin: true }
  admin = await server.access.tokens.sign({ ...claims, scope: 'full' }, 3600)
})
afterEach(() => server.close())

async function append(fact: NewFact) {
  await server.store.log.append('x', [fact])
  await server.readModels.settled(server.store.log.head())
}
const suspend = (companyId: string) =>
  server.execute(
    `company-${companyId}`,
    { type: 'company.suspend', by: null, data: { companyId } },
    changeSuspension,
  )
const enter = async (companyId: string) =>
  new URL((await server.answer('handoff', { params: { companyId }, token: admin })).link)
const handedToken = (link: URL) => link.searchParams.get('token') as string

describe('a super admin', () => {
  test('sees every company', async () => {
    expect(await server.answer('companies', { token: admin })).toMatchObject([
      { _id: 'indus', name: 'indus', suspended: false, devices: 4, users: 4 },
      { _id: 'karakoram', name: 'karakoram', suspended: false },
      { _id: 'thar', name: 'thar', suspended: true },
      { _id: 'frostline', name: 'frostline', suspended: false },
    ])
    expect(await server.answer('me', { token: admin })).toMatchObject({
      companyName: 'frostline',
      superAdmin: true,
      handoff: false,
    })
  })

  test('is given a link with all that the portal needs', async () => {
    const link = await enter('indus')
    expect(`${link.origin}${link.pathname}`).toBe('https://fleet.example/adminLogin')
    const query = Object.fromEntries(link.searchParams)
    expect(query).toEqual({
      group: 'indus',
      company: 'indus',
      groupName: 'indus',
      depthLevel: '1',
      groupImage: '',
      refreshToken: expect.stringMatching(/^u7\.s-/),
      token: expect.any(String),
      identityId: expect.stringMatching(/^s-/),
      user: expect.any(String),
    })
    const me = await server.answer('me', { token: handedToken(link) })
    expect(me).toEqual({
      ...JSON.parse(query.user ?? ''),
      companyName: 'indus',
      timeZone: 'Asia/Karachi',
      superAdmin: true,
      handoff: true,
      keepsKeys: true,
      newUserType: 'Manager',
    })
    expect(me).toMatchObject({ _id: 'u7', name: 'nadia Malik', groupId: 'indus', companyId: 'indus' })
  })

  test('is inside that company, and in no other, until the session is over', async () => {
    const link = await enter('indus')
    const token = handedToken(link)
    expect((await server.ask('group', { params: { id: 'punjab' }, token })).statusCode).toBe(200)
    for (const id of ['karakoram', 'frostline'])
      expect((await server.ask('group', { params: { id }, token })).statusCode).toBe(404)
    expect((await server.ask('group', { params: { id: 'indus' }, token: admin })).statusCode).toBe(404)

    await server.ask('logout', { token })
    expect((await server.ask('me', { token })).statusCode).toBe(401)
    expect((await server.ask('me', { token: admin })).statusCode).toBe(200)
  })

  test('stays inside by refreshing, and is out after a working day without it', async () => {
    const link = await enter('indus')
    const rotate = (token: string) => server.ask('refreshToken', { query: { token, rotate: 'true' } })
    server.clock.at += 7 * 3_600_000
    const { data } = (await rotate(link.searchParams.get('refreshToken') as string)).json()
    expect(await server.answer('me', { token: data.token })).toMatchObject({
      companyId: 'indus',
      groupId: 'indus',
      superAdmin: true,
      handoff: true,
    })
    server.clock.at += 8 * 3_600_000
    expect((await rotate(data.refreshToken)).statusCode).toBe(401)
  })

  test('leaves in the company’s history that they came in', async () => {
    const link = await enter('indus')
    expect(server.store.log.readFacts(0).at(-1)).toMatchObject({
      type: 'session.handed-off',
      companyId: 'indus',
      by: 'u7',
      data: { sessionId: link.searchParams.get('identityId'), companyId: 'indus', groupId: 'indus' },
    })
  })

  test('does not enter what is suspended, and is out of what becomes it', async () => {
    const refused = await server.ask('handoff', { params: { companyId: 'thar' }, token: admin })
    expect(refused.json()).toMatchObject({ code: 403, bam: { email: 'bilal@thar.example' } })
    const link = await enter('indus')
    await suspend('indus')
    expect((await server.ask('me', { token: handedToken(link) })).statusCode).toBe(401)
    const query = { token: link.searchParams.get('refreshToken'), rotate: 'true' }
    expect((await server.ask('refreshToken', { query })).statusCode).toBe(401)
    expect((await server.ask('me', { token: admin })).statusCode).toBe(200)
  })

  test('does another thing under the same key in the next company', async () => {
    const body = {
      ...{ name: 'Cold store', description: '', parentId: 'indus', companyId: 'indus' },
      ...{ lowTemperatureThreshold: 2, highTemperatureThreshold: 8 },
      ...{ lowHumidityThreshold: 20, highHumidityThreshold: 80 },
    }
    const headers = { 'idempotency-key': '6f1f2b1e-0c7a-4a5e-9b39-1f2f3c4d5e6f' }
    const create = async (companyId: string) =>
      server.ask('createGroup', { body, headers, token: handedToken(await enter(companyId)) })
    const first = await create('indus')
    expect(first.statusCode).toBe(201)
    expect((await create('karakoram')).statusCode).toBe(404)
    // and what was cut off is answered the same, from within it again
    expect((await create('indus')).json()).toEqual(first.json())
  })

  test('enters another company from within one', async () => {
    const token = handedToken(await enter('indus'))
    const { link } = await server.answer('handoff', { params: { companyId: 'karakoram' }, token })
    expect(await server.answer('me', { token: handedToken(new URL(link)) })).toMatchObject({
      companyId: 'karakoram',
    })
  })
})

describe('nobody else', () => {
  test('finds these calls, whatever their headers say', async () => {
    const { access_token: token } = await server.signIn('ayesha')
    const headers = { issuperadminuser: 'true' }
    const tries = [
      server.ask('companies', { token, headers }),
      server.ask('handoff', { params: { companyId: 'indus' }, token, headers }),
      server.ask('handoff', { params: { companyId: 'nowhere' }, token, headers }),
    ]
    for (const { statusCode, body } of await Promise.all(tries))
      expect([statusCode, body]).toEqual([404, '{"code":404,"message":"Not found"}'])
  })

  test('keeps a hand-off whose token does not say super admin', async () => {
    const link = await enter('indus')
    const sid = link.searchParams.get('identityId') as string
    const claims = { sub: 'u7', companyId: 'indus', groupId: 'indus', sid, scope: 'full' as const }
    const token = await server.access.tokens.sign(claims, 3600)
    expect((await server.ask('me', { token })).statusCode).toBe(401)
  })
})

test('nothing of a hand-off stands in the log, not even when the portal is opened with it', async () => {
  const link = await enter('indus')
  await server.app.inject({ url: `${link.pathname}${link.search}`, headers: { accept: 'text/html' } })
  const logged = lines.join('')
  expect(logged).toContain('/adminLogin?…')
  for (const name of ['token', 'refreshToken', 'identityId'])
    expect(logged).not.toContain(link.searchParams.get(name))
  expect(JSON.stringify(server.store.log.readFacts(0))).not.toContain(handedToken(link))
})
