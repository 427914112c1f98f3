import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type JWTPayload, SignJWT } from 'jose'
import { io, type Socket } from 'socket.io-client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { LIVE_CLOSE } from '#machines/contracts/live-messages.ts'
import { START, TOKEN_SECRET } from '../../server/api/http/testing/test-app.ts'
import { connectLive } from '../../server/api/realtime/testing/live-client.ts'
import { changeSuspension } from '../../server/commands/access/companies.ts'
import { linkIssued } from '../../server/commands/access/email-links.ts'
import { requireReset } from '../../server/commands/access/passwords.ts'
import { signOutUser } from '../../server/commands/access/sessions.ts'
import { type GateServer, openGateServer } from '../testing/gate/gate-app.ts'
import { IDS, type Who } from '../testing/gate/who.ts'

let server: GateServer
let port: number
const sockets: Socket[] = []
beforeEach(async () => {
  server = await openGateServer()
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  port = (server.app.server.address() as AddressInfo).port
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.disconnect()
  await server.close()
})

const NOW = START / 1000
const { user: sub, company: companyId, group: groupId } = IDS.own
/** As a token of `child` is. */
const CLAIMS: JWTPayload = {
  sub,
  companyId,
  groupId,
  sid: 's-child',
  scope: 'full',
  iss: 'frostline',
  iat: NOW,
  exp: NOW + 3600,
}
const sign = (claims: JWTPayload, { alg = 'HS256', key = TOKEN_SECRET } = {}): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg }).sign(new TextEncoder().encode(key))
const without = (name: string): JWTPayload => {
  const { [name]: _, ...rest } = CLAIMS
  return rest
}
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
/** A right token whose claims were exchanged afterwards. */
async function tampered(changes: JWTPayload): Promise<string> {
  const [header, , signature] = (await sign(CLAIMS)).split('.')
  return [header, encoded({ ...CLAIMS, ...changes }), signature].join('.')
}

const FORGED: [string, () => Promise<string>][] = [
  ['without a signature', async () => (await sign(CLAIMS)).replace(/[^.]+$/, '')],
  ['of no algorithm', async () => `${encoded({ alg: 'none' })}.${encoded(CLAIMS)}.`],
  ['of no algorithm, written otherwise', async () => `${encoded({ alg: 'NoNe' })}.${encoded(CLAIMS)}.`],
  ['of another algorithm with our key', () => sign(CLAIMS, { alg: 'HS512' })],
  ['of another key', () => sign(CLAIMS, { key: `${TOKEN_SECRET}!` })],
  ['of an empty key', () => sign(CLAIMS, { key: '\0' })],
  ['of another issuer', () => sign({ ...CLAIMS, iss: 'elsewhere' })],
  ['of no issuer', () => sign(without('iss'))],
  ['of nobody', () => sign(without('sub'))],
  ['of a user who does not exist', () => sign({ ...CLAIMS, sub: 'u999' })],
  ['of no session', () => sign(without('sid'))],
  ['of a session that does not exist', () => sign({ ...CLAIMS, sid: 's-1' })],
  ['of the session of somebody else', () => sign({ ...CLAIMS, sid: 's-other' })],
  ['of a session that was ended', () => sign({ ...CLAIMS, sid: 's-ended' })],
  ['of no scope', () => sign(without('scope'))],
  ['of a scope nobody knows', () => sign({ ...CLAIMS, scope: 'all' })],
  ['that never runs out', () => sign(without('exp'))],
  ['that ran out', () => sign({ ...CLAIMS, exp: NOW })],
  ['that is not good yet', () => sign({ ...CLAIMS, nbf: NOW + 60 })],
  ['in which somebody else was written', () => tampered({ sub: IDS.parent.user, sid: 's-top' })],
  ['in which a larger group was written', () => tampered({ groupId: IDS.parent.group })],
  ['in which a super admin was written', () => tampered({ superAdmin: true })],
  ['in which a later end was written', () => tampered({ exp: NOW + 36_000 })],
  ['for setting a password', async () => server.badge('reset').token as string],
  ['for refreshing', async () => server.badge('child').refreshToken as string],
  ['that is none', async () => 'x'],
]

const me = (token: string) =>
  server.app.inject({ url: '/api/auth/me', headers: { authorization: `Bearer ${token}` } })

function connectNotifications(token: string): Socket {
  const socket = io(`http://127.0.0.1:${port}/notifications`, {
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    auth: { token, refreshToken: 'r' },
  })
  sockets.push(socket)
  return socket
}

test('a token that is right lets in everywhere', async () => {
  const token = await sign(CLAIMS)
  expect((await me(token)).json()).toMatchObject({ _id: sub, groupId })
  const live = connectLive(port, token)
  await live.until(() => live.messages.some(({ type }) => type === 'welcome'))
  await once(connectNotifications(token) as never, 'connect')
})

describe('a token', () => {
  test.each(FORGED)('%s speaks for nobody, over REST and on sockets', async (_, make) => {
    const token = await make()
    const { statusCode, body } = await me(token)
    const nobody = await server.app.inject('/api/auth/me')
    expect([statusCode, body]).toEqual([401, nobody.body])
    expect(await connectLive(port, token).closed).toMatchObject({ code: LIVE_CLOSE.refused })
    const socket = connectNotifications(token)
    await once(socket as never, 'connect_error')
    expect(socket.connected).toBe(false)
  })

  test('of ours that says more than its user is gives no more than the user has', async () => {
    const token = await sign({ ...CLAIMS, companyId: 'karakoram', superAdmin: true })
    expect((await me(token)).json()).toMatchObject({ groupId: 'punjab', companyId: 'indus' })
    const headers = { authorization: `Bearer ${token}` }
    for (const group of ['karakoram', 'indus', 'sindh'])
      expect((await server.app.inject({ url: `/api/groups/${group}`, headers })).statusCode).toBe(404)
  })

  test('of ours that names another group than its user stands in is refused', async () =>
    expect((await me(await sign({ ...CLAIMS, groupId: 'karakoram' }))).statusCode).toBe(401))

  test('counts in its header alone', async () => {
    const token = await sign(CLAIMS)
    for (const request of [
      { url: `/api/auth/me?access_token=${token}&token=${token}` },
      { url: '/api/auth/me', headers: { cookie: `access_token=${token}; token=${token}` } },
      { url: '/api/auth/me', headers: { token } },
      { url: '/api/auth/me', headers: { authorization: token } },
      { url: '/api/auth/me', headers: { authorization: `Basic ${token}` } },
      { url: '/api/auth/me', headers: { authorization: `Bearer x, Bearer ${token}` } },
    ])
      expect((await server.app.inject(request)).statusCode).toBe(401)
  })
})

const byServer = { by: null }
const requested = (method: 'POST' | 'DELETE', url: string, who?: Who, body?: object) =>
  server.app.inject({
    method,
    url,
    ...(who && { headers: { authorization: `Bearer ${server.badge(who).token}` } }),
    ...(body && { payload: body }),
  })

async function newPassword() {
  const link = server.access.emailLinks.make('password')
  await server.store.log.append(`user-${sub}`, [linkIssued({ userId: sub, companyId }, START, link)])
  await server.readModels.settled(server.store.log.head())
  const token = server.access.emailLinks.tokenOf(link.linkId)
  return requested('POST', `/api/auth/set-password/${sub}/${token}`, undefined, { password: 'N3w#passw0rd' })
}

const suspend = (companyId: string) =>
  server.execute(
    `company-${companyId}`,
    { type: 'company.suspend', ...byServer, data: { companyId } },
    changeSuspension,
  )

/** What ends somebody's stay, and the code their socket is closed with. */
const ENDINGS: [string, Who, () => Promise<unknown>, number][] = [
  ['they sign out', 'child', () => requested('POST', '/api/auth/logout', 'child'), LIVE_CLOSE.refused],
  [
    'somebody signs them out',
    'child',
    () =>
      server.execute(
        `user-${sub}`,
        { type: 'user.sign-out', ...byServer, data: { userId: sub } },
        signOutUser,
      ),
    LIVE_CLOSE.refused,
  ],
  ['they set a new password through a link', 'child', newPassword, LIVE_CLOSE.refused],
  [
    'they must set a new password',
    'child',
    () =>
      server.execute(
        `user-${sub}`,
        { type: 'user.require-reset', ...byServer, data: { userId: sub } },
        requireReset,
      ),
    LIVE_CLOSE.refused,
  ],
  ['their company is suspended', 'child', () => suspend(companyId), LIVE_CLOSE.suspended],
  ['they are deleted', 'child', () => requested('DELETE', `/api/users/${sub}`, 'top'), LIVE_CLOSE.refused],
  [
    'a super admin leaves the company they entered',
    'handed',
    () => requested('POST', '/api/auth/logout', 'handed'),
    LIVE_CLOSE.refused,
  ],
  [
    'the company a super admin entered is suspended',
    'handed',
    () => suspend(companyId),
    LIVE_CLOSE.suspended,
  ],
]

describe('somebody on both sockets is dropped at once, and not let in again, when', () => {
  test.each(ENDINGS)('%s', async (_, who, end, code) => {
    const token = server.badge(who).token as string
    const theirs = connectLive(port, token)
    const another = connectLive(port, server.badge('other').token as string)
    await Promise.all([theirs, another].map((c) => c.until(() => c.messages.length > 0)))
    const socket = connectNotifications(token)
    await once(socket as never, 'connect')
    const gone = once(socket as never, 'disconnect')

    await end()
    expect(await theirs.closed).toMatchObject({ code })
    await gone
    expect((await me(token)).statusCode).toBe(401)
    expect(await connectLive(port, token).closed).toMatchObject({ code: LIVE_CLOSE.refused })
    await once(connectNotifications(token) as never, 'connect_error')
    // and nobody else
    expect(another.socket.readyState).toBe(another.socket.OPEN)
    const heard = another.messages.length
    await another.until(() => another.messages.length > heard)
  })

  test('not where only one of two sessions ends', async () => {
    const handed = connectLive(port, server.badge('handed').token as string)
    const admin = connectLive(port, server.badge('admin').token as string)
    await Promise.all([handed, admin].map((c) => c.until(() => c.messages.length > 0)))
    await requested('POST', '/api/auth/logout', 'handed')
    expect(await handed.closed).toMatchObject({ code: LIVE_CLOSE.refused })
    const heard = admin.messages.length
    await admin.until(() => admin.messages.length > heard)
    expect((await me(server.badge('admin').token as string)).statusCode).toBe(200)
  })
})
