import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hashPassword, passwordsHashed } from '../../auth/passwords.ts'
import { StoreUnavailable } from '../../store/store.ts'
import { user, violationOpened } from '../../testing/facts.ts'
import { buildTestServer, PASSWORD, START, type TestServer } from './testing/test-app.ts'

let server: TestServer
let addresses = 0
/** An address nobody came from yet. */
const elsewhere = () => `10.2.${(++addresses >> 8) & 255}.${addresses & 255}`
beforeEach(async () => {
  server = await buildTestServer()
})
afterEach(() => server.close())

const login = (username: string, password: string, from = elsewhere()) =>
  server.ask('login', { body: { username, password }, from })
const secondsToWait = ({ headers }: Awaited<ReturnType<typeof login>>) => Number(headers['retry-after'])

/** How many passwords were hashed while this ran. */
async function hashesOf(work: () => Promise<unknown>): Promise<number> {
  const before = passwordsHashed()
  await work()
  return passwordsHashed() - before
}

describe('fifty wrong passwords for one account', () => {
  test('never disturb another, nor who is signed in already', async () => {
    const { access_token: token } = await server.signIn('ayesha')
    const office = elsewhere()
    for (let i = 0; i < 50; i++) {
      expect([401, 429]).toContain((await login('ayesha', `Guess#${i}`)).statusCode)
      if (i % 5 === 0) expect((await login('danish', PASSWORD, office)).statusCode).toBe(200)
    }
    expect((await server.ask('me', { token })).statusCode).toBe(200)
  })

  test('cost the server no more than five hashes, one after the other or at once', async () => {
    const guesses = Array.from({ length: 50 }, (_, i) => `Guess#${i}`)
    expect(await hashesOf(() => Promise.all(guesses.map((guess) => login('ayesha', guess))))).toBe(5)
    const one = async () => {
      for (const guess of guesses) await login('danish', guess)
    }
    expect(await hashesOf(one)).toBe(5)
  })

  test('are slowed down more and more, and the right one is let in after the wait it was told', async () => {
    const waits: number[] = []
    for (let i = 0; i < 50; i++) {
      const answer = await login('ayesha', `Guess#${i}`)
      if (answer.statusCode !== 429) continue
      waits.push(secondsToWait(answer))
      server.uptime.at += secondsToWait(answer) * 1000
    }
    expect(waits.slice(0, 6)).toEqual([5, 10, 20, 40, 80, 160])
    expect(Math.max(...waits)).toBeLessThanOrEqual(300)
    while ((await login('ayesha', 'Guess')).statusCode !== 429);
    const right = await login('ayesha', PASSWORD)
    expect(right.statusCode).toBe(429)
    server.uptime.at += secondsToWait(right) * 1000
    expect((await login('ayesha', PASSWORD)).statusCode).toBe(200)
    // and whoever is in again begins anew
    for (let i = 0; i < 5; i++) expect((await login('ayesha', 'Guess')).statusCode).toBe(401)
  })

  test('are forgotten after five minutes, whoever goes on trying', async () => {
    for (let i = 0; i < 50; i++) {
      await login('ayesha', `Guess#${i}`)
      server.uptime.at += 1000
    }
    server.uptime.at += 5 * 60_000
    expect((await login('ayesha', PASSWORD)).statusCode).toBe(200)
  })

  test('are as slow for a name nobody has', async () => {
    const seen = async (name: string) => {
      const answers = []
      for (let i = 0; i < 8; i++) {
        const { statusCode, headers, body } = await login(name, `Guess#${i}`)
        answers.push([statusCode, { ...headers, date: '' }, body])
      }
      return answers
    }
    expect(await seen('nobody')).toEqual(await seen('ayesha'))
  })
})

describe('wrong passwords for one account by two names', () => {
  const email = 'ayesha@indus.example'

  test('are five in all, and nobody learns that the names belong together', async () => {
    for (let i = 0; i < 5; i++) expect((await login('ayesha', 'Guess')).statusCode).toBe(401)
    // the sixth by another name is answered like any wrong one, though the password is right
    const held = await login(email, PASSWORD)
    const wrong = await login('nobody@indus.example', PASSWORD)
    expect([held.statusCode, held.body]).toEqual([wrong.statusCode, wrong.body])
    server.uptime.at += 5_000
    expect((await login(email, PASSWORD)).statusCode).toBe(200)
  })

  test('do not keep who is signed in from signing, whatever the guesses are called and wherever they come from', async () => {
    const { access_token: token } = await server.signIn('danish')
    const imei = '350000000000001'
    const { facts } = await server.store.log.append('violation', [
      violationOpened(imei, START, {}, 'indus'),
      {
        ...{ type: 'violation.cleared', at: START + 60_000, companyId: 'indus' },
        data: {
          ...{ violationId: `${imei}-${START}`, imei, type: 'HIGH_TEMPERATURE_DETECTED' },
          ...{ value: 7, worst: 11, durationSeconds: 60, reason: 'back-inside' },
        },
      },
    ])
    await server.readModels.settled(server.store.log.head())
    for (let i = 0; i < 30; i++)
      for (const name of ['danish', 'danish@indus.example', 'sign-off u2']) await login(name, `Guess#${i}`)
    const body = { reason: 'Door was open', meaning: 'reviewed', password: PASSWORD }
    const params = { id: facts[0]?.id ?? '' }
    const from = elsewhere()
    for (let i = 0; i < 10; i++) await login(`name${i}`, 'Guess', from)
    const signed = await server.ask('closeCase', { params, body, token, from })
    expect(signed.statusCode, signed.body).toBe(200)
  })

  test('do not keep out the browser the owner signed in with before', async () => {
    const { headers } = await login('ayesha', PASSWORD)
    const cookie = String(headers['set-cookie']).split(';')[0] as string
    for (let i = 0; i < 30; i++) await login(i % 2 === 0 ? 'ayesha' : email, `Guess#${i}`)
    expect((await login('ayesha', PASSWORD)).statusCode).toBe(429)
    const body = { username: 'ayesha', password: PASSWORD }
    const own = () => server.ask('login', { body, from: elsewhere(), headers: { cookie } })
    expect((await own()).statusCode).toBe(200)
    // and such a browser has limits of its own
    const guess = { username: 'ayesha', password: 'Guess' }
    for (let i = 0; i < 5; i++)
      await server.ask('login', { body: guess, from: elsewhere(), headers: { cookie } })
    expect((await own()).statusCode).toBe(429)
  })
})

describe('one address', () => {
  test('that guesses too often keeps out strangers alone: not who signed in with this browser before', async () => {
    const from = elsewhere()
    const first = await server.ask('login', { body: { username: 'ayesha', password: PASSWORD }, from })
    const cookie = String(first.headers['set-cookie']).split(';')[0] as string
    for (let i = 0; i < 10; i++) await login(`name${i}`, 'Guess', from)
    expect((await login('ayesha', PASSWORD, from)).statusCode).toBe(429)
    const marked = (username: string, password: string) =>
      server.ask('login', { body: { username, password }, from, headers: { cookie } })
    expect((await marked('ayesha', PASSWORD)).statusCode).toBe(200)
    const body = { userName: 'ayesha', code: 'wrong', password: 'Fr0st#line25' }
    const code = await server.ask('confirmUser', { body, from, headers: { cookie } })
    expect(code.statusCode, code.body).not.toBe(429)
    // the mark is of one account, and lets nobody guess with it
    expect((await marked('danish', PASSWORD)).statusCode).toBe(429)
    const guesses = []
    for (let i = 0; i < 6; i++) guesses.push((await marked('ayesha', `Guess#${i}`)).statusCode)
    expect(guesses).toEqual([401, 401, 401, 401, 401, 429])
    expect((await login('ayesha', PASSWORD, from)).statusCode).toBe(429)
  })

  test('has ten wrong passwords a minute, whosever they are, and no hash beyond', async () => {
    const from = elsewhere()
    for (let i = 0; i < 10; i++) expect((await login(`name${i}`, 'Guess', from)).statusCode).toBe(401)
    const hashes = await hashesOf(async () => {
      const slowed = await login('danish', PASSWORD, from)
      expect([slowed.statusCode, secondsToWait(slowed)]).toEqual([429, 60])
    })
    expect(hashes).toBe(0)
    expect((await login('danish', PASSWORD)).statusCode).toBe(200)
    server.uptime.at += 60_000
    expect((await login('danish', PASSWORD, from)).statusCode).toBe(200)
  })

  test('is refused before its body is read', async () => {
    const from = elsewhere()
    for (let i = 0; i < 10; i++) await login(`name${i}`, 'Guess', from)
    const headers = { 'content-type': 'application/json' }
    for (const url of ['/api/auth/login', '/api/auth/confirm-user']) {
      const unread = { method: 'POST', url, headers, payload: 'no JSON' } as const
      expect((await server.app.inject({ ...unread, remoteAddress: from })).statusCode).toBe(429)
      expect((await server.app.inject({ ...unread, remoteAddress: elsewhere() })).statusCode).toBe(400)
    }
  })

  test('signs in as often as it likes with right ones', async () => {
    const from = elsewhere()
    for (let i = 0; i < 15; i++) expect((await login('danish', PASSWORD, from)).statusCode).toBe(200)
  })

  test('is where the line ends, not what a header says', async () => {
    const from = elsewhere()
    const body = { username: 'nobody', password: 'Guess' }
    for (let i = 0; i < 10; i++) await server.ask('login', { body: { ...body, username: `name${i}` }, from })
    const headers = { 'x-forwarded-for': '192.0.2.1', forwarded: 'for=192.0.2.1', 'x-real-ip': '192.0.2.1' }
    expect((await server.ask('login', { body, from, headers })).statusCode).toBe(429)
  })

  test('is the visitor behind a proxy that is trusted, whatever they say of themselves', async () => {
    await server.close()
    server = await buildTestServer({ trustedProxies: ['192.0.2.0/28', '::1'] })
    const guess = (forwarded: string, from = '192.0.2.1') => {
      const body = { username: `name${addresses++}`, password: 'Guess' }
      return server.ask('login', { body, from, headers: { 'x-forwarded-for': forwarded } })
    }
    for (let i = 0; i < 10; i++) expect((await guess(`10.9.9.${i}, 203.0.113.7`)).statusCode).toBe(401)
    // two proxies one after the other, and the server listening on IPv6
    expect((await guess('127.0.0.1, 203.0.113.7, 192.0.2.2', '::ffff:192.0.2.1')).statusCode).toBe(429)
    expect((await guess('203.0.113.8')).statusCode).toBe(401)
    // who is no proxy is not believed
    expect((await guess('203.0.113.7', '192.0.2.200')).statusCode).toBe(401)
  })
})

describe('while the store cannot write', () => {
  let append: TestServer['store']['log']['append']
  beforeEach(() => {
    append = server.store.log.append
    server.store.log.append = () => Promise.reject(new StoreUnavailable('disk full'))
  })

  test('a right password is no guess, however often it is tried', async () => {
    const from = elsewhere()
    for (let i = 0; i < 11; i++) expect((await login('ayesha', PASSWORD, from)).statusCode).toBe(503)
    server.store.log.append = append
    expect((await login('ayesha', PASSWORD, from)).statusCode).toBe(200)
  })

  test('a wrong one is', async () => {
    for (let i = 0; i < 5; i++) expect((await login('ayesha', 'Guess')).statusCode).toBe(503)
    expect((await login('ayesha', 'Guess')).statusCode).toBe(429)
  })
})

test.each([
  ['of before opens nothing', PASSWORD, 401],
  ['that is new does', 'N3w#passw0rd', 200],
])('where a password is set while one is compared, the one %s', async (_, password, status) => {
  const { append } = server.store.log
  const hash = await hashPassword('N3w#passw0rd')
  server.store.log.append = async (...appended) => {
    server.store.log.append = append
    const data = { userId: 'u1', hash }
    await append('user-u1', [{ type: 'user.password-set', at: START, companyId: 'indus', data }])
    return append(...appended)
  }
  expect((await login('ayesha', password)).statusCode).toBe(status)
})

/** Everybody there is, by address or name: in another company, in a suspended one, who must set a password, who never set one. */
const KNOWN = ['ayesha@indus.example', 'danish', 'karim', 'tahir', 'rabia', 'omar']

describe.each([
  ['signs in wrongly', 401, 1, (typed: string, from: string) => login(typed, 'Guess#12345', from)],
  [
    'says they have forgotten their password',
    200,
    0,
    (email: string, from: string) => server.ask('forgotPassword', { body: { email }, from }),
  ],
  [
    'sends a code that is wrong',
    400,
    1,
    (userName: string, from: string) =>
      server.ask('confirmUser', { body: { userName, code: '123456', password: 'N3w#passw0rd' }, from }),
  ],
])('who %s learns nothing of who there is', (_, status, hashesWanted, ask) => {
  beforeEach(async () => {
    await server.store.log.append('user-u10', [user('u10', 'indus', 'indus', 'omar')])
    await server.readModels.settled(server.store.log.head())
  })

  test('from the answer, nor from the work that was done', async () => {
    const { append } = server.store.log
    let appends = 0
    server.store.log.append = (...facts) => {
      appends++
      return append(...facts)
    }
    const answered = async (typed: string) => {
      appends = 0
      const before = passwordsHashed()
      const { statusCode, headers, body } = await ask(typed, elsewhere())
      const { date: _date, ...shown } = headers
      return { statusCode, shown, body, hashes: passwordsHashed() - before, appends }
    }
    const nobody = await answered('nobody@indus.example')
    expect(nobody).toMatchObject({ statusCode: status, hashes: hashesWanted, appends: 1 })
    for (const known of KNOWN) expect(await answered(known)).toEqual(nobody)
  })

  test('from who is kept waiting when the store is slow', async () => {
    const { append } = server.store.log
    for (const typed of ['nobody@indus.example', ...KNOWN]) {
      const reached = Promise.withResolvers<string>()
      const goOn = Promise.withResolvers<void>()
      server.store.log.append = async (...facts) => {
        reached.resolve('the store is asked first')
        await goOn.promise
        return append(...facts)
      }
      const answer = ask(typed, elsewhere())
      expect(await Promise.race([reached.promise, answer])).toBe('the store is asked first')
      goOn.resolve()
      expect((await answer).statusCode).toBe(status)
    }
  })
})
