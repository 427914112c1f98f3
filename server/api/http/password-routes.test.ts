import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { CallName } from '#machines/contracts/calls.ts'
import type { LinkPurpose } from '#machines/contracts/messages.ts'
import { issueLink } from '../../commands/access/email-links.ts'
import { StoreUnavailable } from '../../store/store.ts'
import { user } from '../../testing/facts.ts'
import { loggerOptions } from './logging.ts'
import { buildTestServer, PASSWORD, START, type TestServer } from './testing/test-app.ts'

const NEW = 'N3w#password'
const HOUR = 3_600_000
/** Invited, and has no password yet. */
const SANA = 'u9'

let server: TestServer
const lines: string[] = []
beforeEach(async () => {
  lines.length = 0
  const stream = { write: (line: string) => void lines.push(line) }
  server = await buildTestServer({
    facts: [user(SANA, 'indus', 'sindh', 'sana')],
    logger: loggerOptions('trace', stream),
  })
})
afterEach(() => server.close())

/** Each test comes from an address of its own: one's failures are not the other's. */
let addresses = 0
const address = () => `10.2.${++addresses >> 8}.${addresses & 255}`

/** Sends somebody a link; answers what their mail would hold. */
async function send(purpose: LinkPurpose, userId: string) {
  const { access, execute } = server
  const link = access.emailLinks.make(purpose)
  const data = { userId, asked: userId, link }
  const { refused } = await execute(`user-${userId}`, { type: 'link.issue', by: null, data }, issueLink)
  if (refused) throw new Error(refused.message)
  return mailOf(link.linkId)
}
const mailOf = (linkId: string) => {
  const { tokenOf, codeOf } = server.access.emailLinks
  return { linkId, token: tokenOf(linkId), code: codeOf(linkId) }
}
/** The mail that the last fact of a kind asks for. */
function lastMail() {
  const fact = server.store.log.readFacts(0).findLast(({ type }) => type === 'link.issued')
  if (fact?.type !== 'link.issued') throw new Error('no mail is asked for')
  return mailOf(fact.data.linkId)
}
const ask = (name: CallName, params?: Record<string, string>, body?: unknown, from = address()) =>
  server.ask(name, { ...(params && { params }), ...(body !== undefined && { body }), from })
const validity = async (token: string) => (await ask('checkLinkValidity', { token })).json()
const signIn = async (username: string, password: string) =>
  (await ask('login', undefined, { username, password })).statusCode

describe('somebody who was invited', () => {
  test('cannot sign in before they have set a password, and is told what all are told', async () => {
    const response = await ask('login', undefined, { username: 'sana', password: PASSWORD })
    expect([response.statusCode, response.json().message]).toEqual([401, 'Invalid username or password'])
  })

  test('sets it through their link, once, and can sign in', async () => {
    const { token } = await send('activation', SANA)
    expect(await validity(token)).toEqual({ success: 1, message: 'This link is valid' })
    expect((await ask('getUserByToken', { token })).json()).toEqual({
      user: { _id: SANA, name: 'sana Malik', userName: 'sana', email: 'sana@indus.example' },
    })
    const activated = await ask('activate', { token }, { password: NEW })
    expect(activated.json()).toEqual({ success: true, message: 'Account activated successfully' })
    expect(await signIn('sana', NEW)).toBe(200)

    const used = { success: -1, message: 'This link was already used' }
    expect(await validity(token)).toEqual(used)
    const again = await ask('activate', { token }, { password: 'An0ther#one' })
    expect([again.statusCode, again.json()]).toEqual([200, { ...used, success: false }])
    expect((await ask('getUserByToken', { token })).statusCode).toBe(409)
    expect(await signIn('sana', NEW)).toBe(200)
  })

  test.each([
    'short1#',
    'nouppercase1#',
    'NOLOWERCASE1#',
    'NoDigits##',
    'NoSymbol11',
    'With space1#',
    'Password123',
  ])('with the password %j is refused, and the link stays good', async (password) => {
    const { token } = await send('activation', SANA)
    const response = await ask('activate', { token }, { password })
    expect([response.statusCode, response.json().message]).toEqual([400, 'Invalid Password'])
    expect((await validity(token)).success).toBe(1)
  })

  test('too late has another link sent to their address, and only then', async () => {
    const { token } = await send('activation', SANA)
    expect((await ask('resendExpiredLink', { token })).json()).toEqual({
      code: 409,
      message: 'This link still works',
    })
    server.clock.at += 24 * HOUR
    const expired = { success: 0, message: 'This link has expired' }
    expect(await validity(token)).toEqual(expired)
    expect((await ask('activate', { token }, { password: NEW })).json()).toEqual({
      ...expired,
      success: false,
    })
    expect((await ask('resendExpiredLink', { token })).statusCode).toBe(200)
    const { token: next } = lastMail()
    expect(next).not.toBe(token)
    expect([(await validity(token)).success, (await validity(next)).success]).toEqual([0, 1])

    await ask('activate', { token: next }, { password: NEW })
    expect((await validity(token)).success).toBe(-1)
    expect((await ask('resendExpiredLink', { token })).json().message).toBe('This link was already used')
  })

  test('is not sent mails without end by whoever holds an old link', async () => {
    const { token } = await send('activation', SANA)
    server.clock.at += 24 * HOUR
    const again = () => ask('resendExpiredLink', { token })
    expect((await again()).statusCode).toBe(200)
    expect((await again()).json()).toEqual({
      code: 429,
      message: 'A link was sent already: another one can be sent in 5 min',
    })
    server.clock.at += 5 * 60_000
    expect((await again()).statusCode).toBe(200)
  })
})

describe('what never was a link', () => {
  const token = 'A'.repeat(43)
  test.each<[CallName, unknown?]>([
    ['checkLinkValidity'],
    ['getUserByToken'],
    ['resendExpiredLink'],
    ['activate', { password: NEW }],
    ['setPasswordByLink', { password: NEW }],
  ])('is told so by %s', async (name, body) => {
    const response = await ask(name, { token, id: 'u1' }, body)
    expect([response.statusCode, response.json()]).toEqual([404, { code: 404, message: 'Invalid link' }])
  })

  test('is a link of another purpose, or of another user', async () => {
    const activation = await send('activation', SANA)
    const password = await send('password', 'u1')
    const tries = [
      ask('setPasswordByLink', { id: SANA, token: activation.token }, { password: NEW }),
      ask('activate', { token: password.token }, { password: NEW }),
      ask('setPasswordByLink', { id: 'u2', token: password.token }, { password: NEW }),
      ask('resendExpiredLink', { token: password.token }),
    ]
    for (const { statusCode } of await Promise.all(tries)) expect(statusCode).toBe(404)
  })
})

describe('somebody who has forgotten their password', () => {
  const forget = (email: string, from = address()) => ask('forgotPassword', undefined, { email }, from)

  test('hears the same, after the same work, as one whom nobody knows', async () => {
    const work = async (email: string) => {
      const before = server.store.log.head()
      const { statusCode, body } = await forget(email)
      return { statusCode, body, facts: server.store.log.head() - before }
    }
    const known = await work('ayesha@indus.example')
    expect(known.body).toBe('{"message":"Please check your resgistered email to reset password"}')
    expect(await work('nobody@indus.example')).toEqual(known)
  })

  test('sets another through the link, which ends every session', async () => {
    const { access_token: token } = await server.signIn('ayesha')
    await forget('AYESHA@indus.example')
    const mail = lastMail()
    const set = await ask('setPasswordByLink', { id: 'u1', token: mail.token }, { password: NEW })
    expect(set.json()).toEqual({ success: true, message: 'New password is set successfully' })
    expect((await server.ask('me', { token })).statusCode).toBe(401)
    expect([await signIn('ayesha', PASSWORD), await signIn('ayesha', NEW)]).toEqual([401, 200])
    expect((await validity(mail.token)).success).toBe(-1)
  })

  test('has one link at a time', async () => {
    await forget('ayesha@indus.example')
    const first = lastMail()
    await forget('ayesha@indus.example')
    const second = lastMail()
    expect([(await validity(first.token)).success, (await validity(second.token)).success]).toEqual([0, 1])
    server.clock.at += HOUR
    expect((await validity(second.token)).success).toBe(0)
  })

  test.each(['ayesha@indus.example', 'nobody@indus.example'])(
    'may ask five times in five minutes: %s, then waits',
    async (email) => {
      const statuses: number[] = []
      for (let n = 0; n < 6; n++) statuses.push((await forget(email)).statusCode)
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
      server.uptime.at += 5_000
      expect((await forget(email)).statusCode).toBe(200)
    },
  )

  test('from one address asks ten times a minute, for whomever', async () => {
    const from = address()
    for (let n = 0; n < 10; n++) expect((await forget(`a${n}@indus.example`, from)).statusCode).toBe(200)
    expect((await forget('b@indus.example', from)).statusCode).toBe(429)
  })
})

test.each([
  ['a link', (token: string) => ask('setPasswordByLink', { id: 'u1', token }, { password: NEW })],
  [
    'a code',
    (_: string, code: string) => ask('confirmUser', undefined, { userName: 'ayesha', code, password: NEW }),
  ],
])('where %s was used to set a password, guesses of strangers keep nobody out', async (_, set) => {
  const mail = await send('password', 'u1')
  const { headers } = await set(mail.token, mail.code)
  const cookie = String(headers['set-cookie']).split(';')[0] as string
  for (let i = 0; i < 30; i++) await signIn('ayesha', `Guess#${i}`)
  expect(await signIn('ayesha', NEW)).toBe(429)
  const body = { username: 'ayesha', password: NEW }
  expect((await server.ask('login', { body, from: address(), headers: { cookie } })).statusCode).toBe(200)
})

describe('a confirmation code', () => {
  const confirm = (userName: string, code: string, password = NEW) =>
    ask('confirmUser', undefined, { userName, code, password })
  const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

  test('does in place of the link, once', async () => {
    const { access_token: token } = await server.signIn('ayesha')
    const mail = await send('password', 'u1')
    expect((await confirm('ayesha', ` ${mail.code} `)).json()).toEqual({
      message: 'New password is set successfully',
    })
    expect((await server.ask('me', { token })).statusCode).toBe(401)
    expect(await signIn('ayesha', NEW)).toBe(200)
    expect((await validity(mail.token)).success).toBe(-1)
    expect((await confirm('ayesha', mail.code)).json()).toEqual({
      code: 400,
      message: 'Invalid confirmation code',
    })
  })

  test('that is wrong five times is over, while the link stays good', async () => {
    const mail = await send('password', 'u1')
    for (let n = 0; n < 5; n++) expect((await confirm('ayesha', wrong(mail.code))).statusCode).toBe(400)
    server.uptime.at += 5 * 60_000
    expect((await confirm('ayesha', mail.code)).statusCode).toBe(400)
    expect((await validity(mail.token)).success).toBe(1)
    await ask('setPasswordByLink', { id: 'u1', token: mail.token }, { password: NEW })
    expect(await signIn('ayesha', NEW)).toBe(200)
  })

  test('is limited for each account before anything is hashed, whoever is known', async () => {
    for (const name of ['ayesha', 'nobody']) {
      const statuses: number[] = []
      for (let n = 0; n < 6; n++) statuses.push((await confirm(name, '123456')).statusCode)
      expect(statuses).toEqual([400, 400, 400, 400, 400, 429])
    }
  })

  test('of a link that ran out, of none and of nobody is refused in the same words, with one fact', async () => {
    const mail = await send('password', 'u1')
    server.clock.at += HOUR
    const answers = new Set<string>()
    for (const [name, code] of [
      ['ayesha', mail.code],
      ['danish', mail.code],
      ['nobody', mail.code],
    ] as const) {
      const before = server.store.log.head()
      answers.add((await confirm(name, code)).body)
      expect(server.store.log.head() - before).toBe(1)
    }
    expect([...answers]).toEqual(['{"code":400,"message":"Invalid confirmation code"}'])
  })

  test('with a password that cannot be is not tried', async () => {
    const mail = await send('password', 'u1')
    expect((await confirm('ayesha', mail.code, 'short')).json().message).toBe('Invalid Password')
    expect((await confirm('ayesha', mail.code)).statusCode).toBe(200)
  })

  test('tells a password with a name in it to whoever has the code, and leaves the code good', async () => {
    const mail = await send('password', 'u1')
    const answerTo = async (code: string, password: string) =>
      (await confirm('ayesha', code, password)).json().message
    const withName = 'Ayesha#2026'
    expect(await answerTo(wrong(mail.code), withName)).toBe('Invalid confirmation code')
    expect(await answerTo(mail.code, withName)).toBe('Invalid Password')
    expect(await answerTo(mail.code, NEW)).toBe('New password is set successfully')
  })
})

describe('somebody who must set a new password', () => {
  const resetToken = async () =>
    (await ask('login', undefined, { username: 'rabia', password: PASSWORD })).json().token as string
  const set = (token: string, password = NEW, confirmation = password) =>
    ask('setPassword', undefined, { token, password, confirmation })

  test('sets it with the token of their sign-in, once', async () => {
    const token = await resetToken()
    expect((await set(token)).json()).toEqual({ message: 'New password is set successfully' })
    expect((await set(token, 'An0ther#one')).statusCode).toBe(401)
    expect([await signIn('rabia', PASSWORD), await signIn('rabia', NEW)]).toEqual([401, 200])
  })

  test('is refused two that differ, one that cannot be, and any other token', async () => {
    const token = await resetToken()
    const { access_token } = await server.signIn('ayesha')
    const textOf = async (answer: ReturnType<typeof set>) => {
      const { statusCode, json } = await answer
      return [statusCode, json().message]
    }
    expect(await textOf(set(token, NEW, 'An0ther#one'))).toEqual([
      400,
      'Password and confirm password does not match',
    ])
    expect(await textOf(set(token, 'short'))).toEqual([400, 'Invalid Password'])
    for (const other of [access_token, 'garbage'])
      expect(await textOf(set(other))).toEqual([401, 'Session expired, please login again'])
    server.clock.at += HOUR
    expect((await set(token)).statusCode).toBe(401)
  })

  test('sets it once, even when asked twice at the same moment', async () => {
    const token = await resetToken()
    const statuses = (await Promise.all([set(token), set(token, 'An0ther#one')])).map((r) => r.statusCode)
    expect(statuses.sort()).toEqual([200, 401])
  })
})

test('a link, a code and a token are no guesses while the store cannot write', async () => {
  const invited = await send('activation', SANA)
  const forgotten = await send('password', 'u1')
  const { token } = (await ask('login', undefined, { username: 'rabia', password: PASSWORD })).json()
  const from = address()
  const set = async () => [
    (await ask('activate', { token: invited.token }, { password: NEW }, from)).statusCode,
    (await ask('setPassword', undefined, { token, password: NEW, confirmation: NEW }, from)).statusCode,
    (await ask('confirmUser', undefined, { userName: 'ayesha', code: forgotten.code, password: NEW }, from))
      .statusCode,
  ]
  const { append } = server.store.log
  server.store.log.append = () => Promise.reject(new StoreUnavailable('disk full'))
  for (let n = 0; n < 6; n++) expect(await set()).toEqual([503, 503, 503])
  server.store.log.append = append
  expect(await set()).toEqual([200, 200, 200])
})

test('one link used twice at the same moment sets one password', async () => {
  const { token } = await send('activation', SANA)
  const passwords = [NEW, 'An0ther#one']
  const answers = await Promise.all(passwords.map((password) => ask('activate', { token }, { password })))
  expect(answers.map((answer) => answer.json().success).sort()).toEqual([false, true])
  const statuses = await Promise.all(passwords.map((password) => signIn('sana', password)))
  expect(statuses.sort()).toEqual([200, 401])
})

test('neither the facts nor the lines of the log hold a token, a code or a password', async () => {
  const invited = await send('activation', SANA)
  const forgotten = await send('password', 'u1')
  await validity(invited.token)
  await ask('getUserByToken', { token: invited.token })
  await ask('activate', { token: invited.token }, { password: NEW })
  await ask('confirmUser', undefined, { userName: 'ayesha', code: forgotten.code, password: NEW })
  await ask('setPasswordByLink', { id: 'u1', token: forgotten.token }, { password: NEW })
  await server.ask('checkLinkValidity', { params: { token: `${invited.token}?token=${forgotten.token}` } })
  const facts = JSON.stringify(server.store.log.readFacts(0))
  const logged = lines.join('')
  expect(facts).toContain(invited.linkId)
  expect(logged).toContain('/api/auth/activate/[secret]')
  for (const secret of [invited.token, forgotten.token, NEW]) {
    expect(facts).not.toContain(secret)
    expect(logged).not.toContain(secret)
  }
  expect(facts).not.toContain(`"${forgotten.code}"`)
  expect(logged).not.toContain(`"${forgotten.code}"`)
})

test('a link is good for as long as its purpose says', async () => {
  const { emailLinks } = server.access
  expect(emailLinks.make('activation').expiresAt).toBe(START + 24 * HOUR)
  expect(emailLinks.make('password').expiresAt).toBe(START + HOUR)
})
