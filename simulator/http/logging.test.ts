import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openSmallHouse } from '../testing/open-house.ts'
import { loggerOptions, withoutSecrets } from './logging.ts'

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

test('whatever the house logs, no password, token or key is in it', async () => {
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(line) }
  const { house, ask, send } = await openSmallHouse({}, loggerOptions('trace', stream))
  const secret = (kind: string) => `${kind}-0123456789abcdef0123456789`
  try {
    const body = { username: 'operator@indus.example', password: 'Fr0st#line24' }
    const signedIn = await ask('login', { body })
    if (!('access_token' in signedIn)) throw new Error('must set a password')
    const { access_token: access, refresh_token: refresh } = signedIn
    await ask('refreshToken', { query: { token: refresh } })
    await send('GET', '/api/auth/me', { token: access, headers: { cookie: secret('cookie') } })
    await send('GET', `/api/nowhere/${secret('path')}?token=${secret('query')}`)
    await send('POST', `/sim/tokens/${secret('link')}/expire`, { headers: { 'x-sim-token': secret('sim') } })
    await send('POST', '/api/auth/login', { body: { username: 'x', password: { it: secret('password') } } })
    const headers = { 'x-device-key': 'indus-device-key' }
    await ask('ingest', { headers, body: { readings: [] } })
    await send('POST', '/api/ingest', { headers: { 'x-device-key': secret('key') }, body: { readings: [] } })
    const { log } = house.app.fastify
    log.error({ headers: { authorization: access, 'x-device-key': secret('key') } }, 'a request')
    log.error({ request: { body: { password: body.password, token: refresh } } }, 'a body')

    const logged = lines.join('')
    expect(logged).toContain('/api/auth/refresh-token')
    expect(logged).toContain('a body')
    const secrets = [access, refresh, body.password, 'indus-device-key']
    const made = ['cookie', 'path', 'query', 'link', 'sim', 'password', 'key'].map(secret)
    for (const each of [...secrets, ...made]) expect(logged).not.toContain(each)
  } finally {
    await house.close()
  }
})
