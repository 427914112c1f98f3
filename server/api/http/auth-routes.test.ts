import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildTestServer, PASSWORD, type TestServer } from './testing/test-app.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

/** Each test comes from an address of its own: one's wrong passwords are not the other's. */
let addresses = 0
const address = () => `10.1.0.${++addresses}`
const login = (username: string, password: string, from: string) =>
  server.ask('login', { body: { username, password }, from })

describe('signing in', () => {
  test('answers tokens, the user, their group and whether they have devices', async () => {
    const answer = await server.signIn('ayesha@indus.example')
    expect(answer).toMatchObject({
      user: { _id: 'u1', name: 'ayesha Malik', userName: 'ayesha', groupId: 'indus', companyId: 'indus' },
      groupInfo: { depthLevel: 1, groupImage: null, name: 'indus' },
      companyInfo: { groupId: 'indus', companyId: 'indus', timeZone: 'Asia/Karachi' },
      hasThings: true,
      expires_in: 3600,
    })
    const me = await server.answer('me', { token: answer.access_token })
    expect(me).toEqual({
      ...answer.user,
      companyName: 'indus',
      timeZone: 'Asia/Karachi',
      superAdmin: false,
      handoff: false,
      keepsKeys: true,
      newUserType: 'Manager',
    })
  })

  test('takes the user name as well as the address, whatever their case', async () => {
    for (const name of ['danish', ' DANISH@indus.example ', 'Danish'])
      expect((await server.signIn(name)).user._id).toBe('u2')
    expect((await server.signIn('danish')).groupInfo.depthLevel).toBe(2)
  })

  test('says so when no device is visible', async () => {
    expect((await server.signIn('noor')).hasThings).toBe(false)
  })

  test('says the same of a wrong password and of a name nobody has', async () => {
    const from = address()
    const wrong = await login('ayesha', 'guess', from)
    const nobody = await login('nobody', 'guess', from)
    expect(wrong.statusCode).toBe(401)
    expect(wrong.json()).toEqual({ code: 401, message: 'Invalid username or password' })
    expect([nobody.statusCode, nobody.body]).toEqual([wrong.statusCode, wrong.body])
  })

  test('to a suspended company tells whom to call, but only who knows the password', async () => {
    const from = address()
    const right = await login('tahir', PASSWORD, from)
    expect(right.statusCode).toBe(403)
    expect(right.json()).toEqual({
      code: 403,
      message: 'Company is Suspended. Please Contact Business Account Manager!',
      bam: { firstName: 'Bilal', lastName: 'Khan', email: 'bilal@thar.example', phone: '0300' },
    })
    expect((await login('tahir', 'guess', from)).json()).toEqual({
      code: 401,
      message: 'Invalid username or password',
    })
  })

  test('of one who must set a new password answers a token that is good for nothing else', async () => {
    const response = await login('rabia', PASSWORD, address())
    expect(response.statusCode).toBe(200)
    const { messageKey, token } = response.json()
    expect(messageKey).toBe('USER_RESET_PASSWORD')
    expect((await server.ask('me', { token })).statusCode).toBe(401)
    expect(await server.access.verifyToken(token)).toBeUndefined()
    expect((await server.access.visitorOf(token))?.scope).toBe('reset')
  })

  test('with wrong passwords is slowed down, even when a right one follows', async () => {
    for (let i = 0; i < 5; i++) expect((await login('karim', 'guess', address())).statusCode).toBe(401)
    const slowed = await login('karim', PASSWORD, address())
    expect(slowed.statusCode).toBe(429)
    expect(slowed.headers['retry-after']).toBe('5')
    expect(slowed.json()).toEqual({ code: 429, message: 'Too many attempts, try again in 5 s' })
    server.uptime.at += 5_000
    expect((await login('karim', PASSWORD, address())).statusCode).toBe(200)
  })

  test('leaves a fact of who came in, and none of the password', async () => {
    const { identityId } = await server.signIn('ayesha')
    const facts = server.store.log.readStream('user-u1')
    expect(facts.at(-1)).toMatchObject({
      type: 'user.signed-in',
      data: { userId: 'u1', sessionId: identityId },
    })
    expect(JSON.stringify(server.store.log.readFacts(0))).not.toContain(PASSWORD)
  })
})

describe('staying in', () => {
  test('a refresh token brings new access tokens, as often as asked', async () => {
    const { refresh_token, identityId } = await server.signIn('ayesha')
    for (let i = 0; i < 3; i++) {
      const { data } = await server.answer('refreshToken', { query: { token: refresh_token } })
      expect(data.identityId).toBe(identityId)
      expect(data.refreshToken).toBeUndefined()
      expect((await server.ask('me', { token: data.token })).statusCode).toBe(200)
    }
  })

  test('a session ends for good after thirty days, however often it is refreshed', async () => {
    const { refresh_token: token } = await server.signIn('ayesha')
    const day = 86_400_000
    const refresh = () => server.ask('refreshToken', { query: { token } })
    for (let passed = 6; passed < 30; passed += 6) {
      server.clock.at += 6 * day
      expect((await refresh()).statusCode).toBe(200)
    }
    server.clock.at += 6 * day - 1000
    const last = await server.answer('refreshToken', { query: { token } })
    expect(last.data.exp).toBe((server.clock.at + 1000) / 1000)
    server.clock.at += 1000
    expect((await refresh()).statusCode).toBe(401)
  })

  test('what is answered about somebody is kept nowhere', async () => {
    const { access_token } = await server.signIn('ayesha')
    const { headers } = await server.ask('me', { token: access_token })
    expect(headers['cache-control']).toBe('no-store')
  })

  test('with rotation an old token ends the session after an hour, for the new one too', async () => {
    const { refresh_token: first } = await server.signIn('ayesha')
    const { data } = await server.answer('refreshToken', { query: { token: first, rotate: 'true' } })
    expect(data.refreshToken).not.toBe(first)
    server.clock.at += 3_600_001
    const late = await server.answer('refreshToken', { query: { token: data.refreshToken } })
    expect((await server.ask('me', { token: late.data.token })).statusCode).toBe(200)
    expect((await server.ask('refreshToken', { query: { token: first, rotate: 'true' } })).statusCode).toBe(
      401,
    )
    expect((await server.ask('me', { token: late.data.token })).statusCode).toBe(401)
    expect((await server.ask('refreshToken', { query: { token: data.refreshToken } })).statusCode).toBe(401)
  })

  test('two who exchange the same token at once get the same one, and it is told once', async () => {
    const { refresh_token: token } = await server.signIn('ayesha')
    const before = server.store.log.head()
    const ask = () => server.answer('refreshToken', { query: { token, rotate: 'true' } })
    const [one, two] = await Promise.all([ask(), ask()])
    server.clock.at += 60_000
    const three = await ask()
    expect(one.data.refreshToken).toBeDefined()
    expect(two.data.refreshToken).toBe(one.data.refreshToken)
    expect(three.data.refreshToken).toBe(one.data.refreshToken)
    expect(server.store.log.readFacts(before).map(({ type }) => type)).toEqual(['session.refreshed'])
    for (const { data } of [one, two, three])
      expect((await server.ask('me', { token: data.token })).statusCode).toBe(200)
    const next = { query: { token: one.data.refreshToken, rotate: 'true' } }
    expect((await server.answer('refreshToken', next)).data.refreshToken).not.toBe(one.data.refreshToken)
    expect((await server.ask('refreshToken', { query: { token, rotate: 'true' } })).statusCode).toBe(401)
  })

  test.each(['nonsense', 'u1.s-1.secret', 'u1..', 'nobody.s-1.x'])(
    '%s is no refresh token',
    async (token) => {
      const response = await server.ask('refreshToken', { query: { token } })
      expect(response.json()).toEqual({ code: 401, message: 'Session expired, please login again' })
    },
  )

  test('one address may refresh often, but not without end', async () => {
    const { refresh_token: token } = await server.signIn('ayesha')
    const from = address()
    const statuses = new Map<number, number>()
    for (let i = 0; i < 601; i++) {
      const { statusCode } = await server.ask('refreshToken', { query: { token: `${token}x` }, from })
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
    }
    expect([...statuses]).toEqual([
      [401, 600],
      [429, 1],
    ])
    const refused = await server.ask('refreshToken', { query: { token }, from })
    expect(refused.json()).toEqual({ code: 429, message: 'Too many requests, try again shortly' })
    expect((await server.ask('refreshToken', { query: { token }, from: address() })).statusCode).toBe(200)
  })

  test('an access token runs out on the clock of the server; the refresh token outlives it', async () => {
    const other = await buildTestServer()
    const { access_token: token, refresh_token } = await other.signIn('ayesha')
    other.clock.at += 3_600_000
    expect((await other.ask('me', { token })).json()).toEqual({ code: 401, message: 'Please login first' })
    const { data } = await other.answer('refreshToken', { query: { token: refresh_token } })
    expect((await other.ask('me', { token: data.token })).statusCode).toBe(200)
    other.clock.at += 8 * 24 * 3_600_000
    expect((await other.ask('refreshToken', { query: { token: refresh_token } })).statusCode).toBe(401)
    await other.close()
  })

  test('a token of before its holder was moved is good for nothing but another, which says where they are', async () => {
    const other = await buildTestServer()
    const { access_token: token, refresh_token } = await other.signIn('danish')
    await other.store.log.append('x', [
      {
        type: 'user.updated',
        at: other.clock.now(),
        companyId: 'indus',
        data: { userId: 'u2', groupId: 'sindh' },
      },
    ])
    await other.readModels.settled(other.store.log.head())
    expect((await other.ask('me', { token })).statusCode).toBe(401)
    const { data } = await other.answer('refreshToken', { query: { token: refresh_token } })
    expect(data).toMatchObject({
      user: { _id: 'u2', groupId: 'sindh', companyId: 'indus' },
      groupInfo: { depthLevel: 2, name: 'sindh' },
      companyInfo: { groupId: 'sindh', companyId: 'indus' },
    })
    expect(await other.answer('me', { token: data.token })).toMatchObject({ groupId: 'sindh' })
    await other.close()
  })

  test('who is of a company in another zone is told its times in that, from the next refresh on too', async () => {
    const other = await buildTestServer()
    const moveTo = async (timeZone: string) => {
      const data = { companyId: 'karakoram', timeZone }
      await other.store.log.append('x', [
        { type: 'company.settings-changed', at: other.clock.now(), companyId: 'karakoram', data },
      ])
      await other.readModels.settled(other.store.log.head())
    }
    await moveTo('Europe/London')
    const { companyInfo, access_token: token, refresh_token } = await other.signIn('karim')
    expect(companyInfo.timeZone).toBe('Europe/London')
    expect((await other.signIn('danish')).companyInfo.timeZone).toBe('Asia/Karachi')
    await moveTo('America/New_York')
    const { data } = await other.answer('refreshToken', { query: { token: refresh_token } })
    expect(data.companyInfo.timeZone).toBe('America/New_York')
    expect(await other.answer('me', { token })).toMatchObject({ timeZone: 'America/New_York' })
    await other.close()
  })

  test('a company that is suspended is out at once, and back in when it is let', async () => {
    const other = await buildTestServer()
    const { access_token: token, refresh_token } = await other.signIn('karim')
    const append = async (type: 'company.suspended' | 'company.resumed') => {
      await other.store.log.append('x', [
        { type, at: other.clock.now(), companyId: 'karakoram', data: { companyId: 'karakoram' } },
      ])
      await other.readModels.settled(other.store.log.head())
    }
    await append('company.suspended')
    expect((await other.ask('me', { token })).json()).toMatchObject({ code: 403, bam: { phone: '0300' } })
    expect((await other.ask('refreshToken', { query: { token: refresh_token } })).statusCode).toBe(403)
    await append('company.resumed')
    expect((await other.ask('me', { token })).statusCode).toBe(200)
    await other.close()
  })
})

describe('going out', () => {
  test.each(['logout', 'logoutByGet'] as const)(
    '%s ends the session of the access token at once',
    async (name) => {
      const { access_token: token, refresh_token } = await server.signIn('ayesha')
      expect((await server.ask(name, { token })).statusCode).toBe(200)
      expect((await server.ask('me', { token })).statusCode).toBe(401)
      expect((await server.ask('refreshToken', { query: { token: refresh_token } })).statusCode).toBe(401)
    },
  )

  test('the refresh token alone is proof enough, as the access token may have run out', async () => {
    const { access_token, refresh_token } = await server.signIn('ayesha')
    expect((await server.ask('logout', { headers: { token: refresh_token } })).statusCode).toBe(200)
    expect((await server.ask('me', { token: access_token })).statusCode).toBe(401)
  })

  test('nobody ends the session of another', async () => {
    const { access_token, identityId } = await server.signIn('ayesha')
    const forged = await server.ask('logout', { headers: { token: `u1.${identityId}.guessed` } })
    expect(forged.statusCode).toBe(401)
    expect((await server.ask('me', { token: access_token })).statusCode).toBe(200)
  })

  test('one of two sessions leaves the other', async () => {
    const one = await server.signIn('ayesha')
    const two = await server.signIn('ayesha')
    await server.ask('logout', { token: one.access_token })
    expect((await server.ask('me', { token: two.access_token })).statusCode).toBe(200)
  })
})
