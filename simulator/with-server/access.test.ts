import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIVE_CLOSE } from '#machines/contracts/live-messages.ts'
import { connectLive } from '../../server/api/realtime/testing/live-client.ts'
import { startDemo } from '../testing/start-demo.ts'

type Open = Awaited<ReturnType<typeof startDemo>>
type Mail = { to: string; links: string[]; text: string }

const OPERATOR = 'operator@indus.example'
const ADMIN = 'admin@frostline.example'
const NEW = 'N3w#password'

/** Asks for a mail to set a password; answers the token in it. */
async function forgetPassword(open: Open, email: string): Promise<string> {
  await open.ask('forgotPassword', { body: { email } })
  await open.server.app.core.settled()
  const [mail]: Mail[] = await open.sim.ask('GET', `/outbox?to=${email}`)
  const link = new URL(mail?.links.find((each) => each.includes('/set-password/')) as string)
  expect(link.origin).toBe(open.server.address)
  return link.pathname.split('/').at(-1) as string
}
const validity = async (open: Open, token: string) =>
  (await open.ask('checkLinkValidity', { params: { token } })).success

describe('the control calls bring about', () => {
  let open: Open
  beforeAll(async () => {
    open = await startDemo()
  })
  afterAll(() => open.server.close())

  test('a link that has run out', async () => {
    const token = await forgetPassword(open, OPERATOR)
    expect(await validity(open, token)).toBe(1)
    expect(await open.sim.ask('POST', `/tokens/${token}/expire`)).toEqual({ expired: true })
    expect(await validity(open, token)).toBe(0)
    expect((await open.send('POST', `/sim/tokens/${'A'.repeat(43)}/expire`)).status).toBe(404)
  })

  test('a link that cannot run out any more, as it was used', async () => {
    const email = 'new@indus.example'
    const token = await forgetPassword(open, email)
    const { user } = await open.ask('getUserByToken', { params: { token } })
    const body = { password: NEW }
    expect((await open.ask('setPasswordByLink', { params: { id: user._id, token }, body })).success).toBe(
      true,
    )
    expect((await open.send('POST', `/sim/tokens/${token}/expire`)).status).toBe(404)
    expect(await validity(open, token)).toBe(-1)
  })

  test('a user who must set a new password, with all that they had open ended', async () => {
    const token = await open.signIn('lahore@indus.example')
    await open.sim.ask('POST', '/users/lahore@indus.example', { requireReset: true })
    expect((await open.send('GET', '/api/auth/me', { token })).status).toBe(401)
    const login = { username: 'lahore@indus.example', password: 'Fr0st#line24' }
    const answer = await open.ask('login', { body: login })
    if (!('messageKey' in answer)) throw new Error('signed in all the same')
    const body = { token: answer.token, password: NEW, confirmation: NEW }
    expect((await open.ask('setPassword', { body })).message).toBe('New password is set successfully')
    expect(await open.ask('login', { body: { ...login, password: NEW } })).toHaveProperty('access_token')
  })

  test('a user who is signed out everywhere', async () => {
    const tokens = [await open.signIn(OPERATOR), await open.signIn(OPERATOR)]
    await open.sim.ask('POST', `/users/${OPERATOR}`, { logout: true })
    for (const token of tokens) expect((await open.send('GET', '/api/auth/me', { token })).status).toBe(401)
  })

  test('a company that is suspended, for a super admin inside it too: their socket is closed at once', async () => {
    const admin = await open.signIn(ADMIN)
    const { link } = await open.ask('handoff', { params: { companyId: 'karakoram' }, token: admin })
    const entered = new URL(link)
    expect([entered.origin, entered.pathname]).toEqual([open.server.address, '/adminLogin'])
    const token = entered.searchParams.get('token') as string
    const inside = connectLive(Number(entered.port), token)
    await inside.until(() => inside.messages.some(({ type }) => type === 'welcome'))

    await open.sim.ask('POST', '/companies/karakoram', { suspended: true })
    expect(await inside.closed).toMatchObject({ code: LIVE_CLOSE.suspended })
    expect((await open.send('GET', '/api/auth/me', { token })).status).toBe(401)
    await open.sim.ask('POST', '/companies/karakoram', { suspended: false })
    expect((await open.send('GET', '/api/auth/me', { token })).status, 'they come in anew').toBe(401)
    expect((await open.ask('me', { token: admin })).superAdmin).toBe(true)
  })
})

test('links and sessions outlive the process', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'frostline-access-'))
  try {
    const before = await startDemo({ DATA_DIR: dir })
    const token = await forgetPassword(before, OPERATOR)
    const login = { username: ADMIN, password: 'Fr0st#line24' }
    const answer = await before.ask('login', { body: login })
    if (!('access_token' in answer)) throw new Error('must set a new password')
    const exchange = { query: { token: answer.refresh_token, rotate: 'true' } }
    const first = await before.ask('refreshToken', exchange)
    await before.server.close()

    const after = await startDemo({ DATA_DIR: dir })
    expect(await validity(after, token)).toBe(1)
    // the answer was lost with the process: asked for again, it is the same
    expect((await after.ask('refreshToken', exchange)).data.refreshToken).toBe(first.data.refreshToken)
    expect((await after.ask('me', { token: first.data.token })).companyName).toBe('Frostline')
    await after.server.close()
  } finally {
    rmSync(dir, { recursive: true })
  }
})
