import fc from 'fast-check'
import { expect, test } from 'vitest'
import { loggerOptions, withoutSecrets } from '../../server/api/http/logging.ts'
import { startDemo } from '../testing/start-demo.ts'

test('of an address the query and what looks like a token are left out, the rest is told', () => {
  expect(withoutSecrets('/api/things/352093024171000/observations?data=1')).toBe(
    '/api/things/352093024171000/observations?…',
  )
  expect(withoutSecrets('/sim/status')).toBe('/sim/status')
  const token = fc.stringMatching(/^[\w.-]{24,100}$/)
  fc.assert(
    fc.property(token, fc.webPath(), (secret, path) => {
      for (const url of [`${path}?token=${secret}`, `${path}/${secret}`, `/a/${secret}/b?${secret}`])
        expect(withoutSecrets(url)).not.toContain(secret)
    }),
  )
})

/** A server that logs everything into memory, and somebody who remembers what must not be in it. */
async function openLoggingServer() {
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(line) }
  const open = await startDemo({}, loggerOptions('trace', stream))
  const secrets = new Map<string, string>()
  /** Notes a secret by its name, and answers it. */
  const secret = (name: string, text = `${name}-0123456789abcdef0123456789`): string => {
    secrets.set(name, text)
    return text
  }
  return {
    ...open,
    secret,
    logged: () => lines.join(''),
    /** names of the secrets that are in the log, as they are or as they stand in an address */
    spilt: () => {
      const all = lines.join('')
      return [...secrets].filter(([, text]) => all.includes(text) || all.includes(encodeURIComponent(text)))
    },
  }
}

test('whatever the server logs, no password, token or key is in it', async () => {
  const { server, ask, send, secret, logged, spilt } = await openLoggingServer()
  try {
    const body = { username: 'operator@indus.example', password: secret('password', 'Fr0st#line24') }
    const signedIn = await ask('login', { body })
    if (!('access_token' in signedIn)) throw new Error('must set a password')
    const access = secret('access token', signedIn.access_token)
    const refresh = secret('refresh token', signedIn.refresh_token)
    await ask('refreshToken', { query: { token: refresh } })
    await send('GET', '/api/auth/me', { token: access, headers: { cookie: secret('cookie') } })
    await send('GET', `/api/nowhere/${secret('path')}?token=${secret('query')}`)
    await send('GET', `/api/nowhere/${secret('broken-path')}%E0%A4%A?token=${secret('broken-query')}`)
    await send('POST', `/sim/tokens/${secret('link')}/expire`, { headers: { 'x-sim-token': secret('sim') } })
    const headers = { 'x-device-key': secret('device key', 'indus-device-key') }
    await ask('ingest', { headers, body: { readings: [] } })
    await send('POST', '/api/ingest', { headers: { 'x-device-key': secret('key') }, body: { readings: [] } })
    const { log } = server.app.fastify
    log.error({ headers: { authorization: access, 'x-device-key': secret('key') } }, 'a request')
    log.error({ request: { body: { password: body.password, token: refresh } } }, 'a body')

    expect(logged()).toContain('/api/auth/refresh-token')
    expect(logged()).toContain('a body')
    expect(spilt()).toEqual([])
  } finally {
    await server.close()
  }
})

test('nor are wrong passwords, in bodies of whatever shape', async () => {
  const { server, send, secret, logged, spilt } = await openLoggingServer()
  const post = (body: unknown) => send('POST', '/api/auth/login', { body })
  const postText = (text: string) =>
    fetch(`${server.address}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: text,
    })
  try {
    await post({ username: 'operatorindus', password: secret('wrong') })
    await post({ username: secret('typed-into-the-wrong-field'), password: 'x' })
    await post({ username: 'x', password: { it: secret('object') } })
    await post({ username: 'x', password: secret('long', 'Long#Passw0rd-'.repeat(20)) })
    await post({ password: secret('alone') })
    await post({ username: 'x', password: 'x', [secret('name-of-a-field')]: 1 })
    await postText(`{"username":"x","password":"${secret('broken')}`)
    await postText(`${secret('no-json')}`)
    const { log } = server.app.core.store
    const { append } = log
    log.append = () => Promise.reject(new Error('the disk is gone'))
    const { status } = await post({ username: 'operatorindus', password: secret('while-the-disk-is-gone') })
    log.append = append
    expect(status).toBe(500)
    expect(logged().match(/"url":"\/api\/auth\/login"/g)).toHaveLength(9)
    expect(spilt()).toEqual([])
  } finally {
    await server.close()
  }
})

const NEW_PASSWORDS = ['N3w#passw0rd', 'N3wer#passw0rd', 'N3west#passwrd']

test('nor is anything of links, codes, resets and hand-offs, nor a hash of them', async () => {
  const { server, ask, send, sim, secret, logged, spilt } = await openLoggingServer()
  const [first = '', second = '', third = ''] = NEW_PASSWORDS.map((text) => secret(text, text))
  try {
    const email = 'lahore@indus.example'
    const mailed = async () => {
      await ask('forgotPassword', { body: { email } })
      const [mail] = await sim.ask('GET', `/outbox?to=${email}`)
      const [, userId = '', token = ''] =
        /\/set-password\/([^/]+)\/([^/?\s]+)/.exec(mail.links.join(' ')) ?? []
      const [code = ''] = /\b\d{6}\b/.exec(mail.text) ?? []
      secret(`token ${token}`, token)
      secret(`code ${code}`, `"${code}"`)
      return { userId, token, code }
    }
    const link = await mailed()
    const params = { id: link.userId, token: link.token }
    await ask('checkLinkValidity', { params: { token: link.token } })
    await ask('getUserByToken', { params: { token: link.token } })
    await send('GET', `/set-password/${link.userId}/${link.token}`)
    expect(await ask('setPasswordByLink', { params, body: { password: first } })).toMatchObject({
      success: true,
    })
    const { code } = await mailed()
    await ask('confirmUser', { body: { userName: email, code, password: second } })
    await send('POST', '/api/auth/confirm-user', {
      body: { userName: email, code: secret('wrong code', '"987654"').slice(1, -1), password: second },
    })

    const reset = await ask('login', { body: { username: 'reset@indus.example', password: 'Fr0st#line24' } })
    if (!('messageKey' in reset)) throw new Error('need not set a password')
    const token = secret('reset token', reset.token)
    await ask('setPassword', { body: { token, password: third, confirmation: third } })

    const admin = await ask('login', {
      body: { username: 'admin@frostline.example', password: 'Fr0st#line24' },
    })
    if (!('access_token' in admin)) throw new Error('must set a password')
    const entered = await ask('handoff', { params: { companyId: 'karakoram' }, token: admin.access_token })
    const url = new URL(entered.link, server.address)
    for (const name of ['token', 'refreshToken']) secret(`handed ${name}`, url.searchParams.get(name) ?? '')
    await send('GET', `/adminLogin${url.search}`)
    await send('POST', '/api/auth/logout', { token: url.searchParams.get('token') ?? '' })

    for (const user of server.app.core.readModels.directory.users.values()) {
      secret(`hash of ${user._id}`, user.passwordHash ?? 'none has none')
      for (const { sessionId, refreshHash } of user.sessions.values())
        secret(`hash of ${sessionId}`, refreshHash)
    }
    for (const fact of server.app.core.store.log.readFacts(0, { types: ['link.issued'] }))
      if (fact.type === 'link.issued') {
        secret(`hash of ${fact.data.linkId}`, fact.data.tokenHash)
        secret(`hash of the code of ${fact.data.linkId}`, fact.data.codeHash ?? 'none has none')
      }
    expect(logged()).toContain('/adminLogin?…')
    expect(logged()).toContain('/api/auth/set-password/')
    expect(spilt()).toEqual([])
  } finally {
    await server.close()
  }
})
