import type { Page } from '@playwright/test'
import { AUTH_CALLS } from '#machines/contracts/calls/auth-calls.ts'
import { COMPANY_CALLS } from '#machines/contracts/calls/company-calls.ts'
import { GROUP_CALLS } from '#machines/contracts/calls/group-calls.ts'
import { model } from '#machines/session/session.samples.ts'
import type { Path, PathStep } from '#machines/testing/path-model.ts'
import { expect, OPERATOR, PASSWORD, type Visitor } from '../app.ts'
import { signedInCaller } from '../control.ts'
import { holdBack } from '../held.ts'
import { NetworkErrorScreen } from '../screens/network-error.screen.ts'
import { bringSession } from '../session.ts'
import { type Driver, type DriverApp, leadsTo, type Scene } from './driver.ts'

/** The session: who is signed in, until when, and what takes them out of it again. */
export const driver: Driver = {
  clock: 'runs',
  isMapDrawn: false,
  isApart: true,
  ways: [
    {
      model,
      enter,
      cannot: { 'authenticated: user.told → stays': 'Another name is given on another page.' },
    },
  ],
}

/** After so long it is renewed without a call that asks for it. */
const UNTIL_REFRESH = 'xstate.after.untilRefresh.session.authenticated.fresh'
/** A minute before its end a token is renewed; the world is set this far ahead, in s. */
const ALMOST_AN_HOUR = 3_560
const HELD = /\/api\/auth\/(login|refresh-token|me$)/
const USERS = /\/api\/groups\/[\w-]+\/users$/
const RESET = 'reset@indus.example'

/** The visitor is signed in; what the server is asked about the session from now on is held until the path says what comes of it. */
async function enter(visitor: Visitor, app: DriverApp, path: Path): Promise<Scene> {
  visitor.trouble.allow(/40[1348]|ERR_FAILED|no answer|preload CSS|PartMissing/)
  const { page, login, shell, access, context } = visitor
  let timeHeard = 0
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      const message =
        typeof payload === 'string' && payload.includes('"age"') ? JSON.parse(payload) : undefined
      if (message?.type === 'age') timeHeard = message.now
    }),
  )
  if (leadsTo(path, UNTIL_REFRESH)) await page.clock.install()
  await bringSession(page, app.url, OPERATOR, PASSWORD)
  // the server says that a session is over on the socket of the notifications, which is there when their list is asked for
  const isEndedThere = leadsTo(path, 'session.ended-by-server')
  const notified = isEndedThere && page.waitForResponse(/\/api\/groups\/[\w-]+\/notifications$/)
  await page.goto('/aboutus')
  await shell.isLive()
  await notified
  const held = await holdBack(page, HELD)
  const error = new NetworkErrorScreen(page)

  const events: Scene['events'] = {
    'session.ran-out': async () => {
      await page.evaluate(() => {
        const user = JSON.parse(localStorage.getItem('user') ?? '{}') as object
        localStorage.setItem('user', JSON.stringify({ ...user, exp: 1 }))
      })
      await page.reload()
    },
    'session.left-elsewhere': async () => {
      const other = await context.newPage()
      await other.goto('/aboutus')
      await other.getByRole('button', { name: /, menu$/ }).click()
      await other.getByRole('menuitem', { name: 'Logout' }).click()
      await expect(other).toHaveURL(/\/login$/)
    },
    'session.stored-elsewhere': async ({ event }) => {
      const other = await context.newPage()
      if (event.session.isSuperAdminUser) {
        await other.goto(await handOffAddress(app))
        return expect(access.banner).toBeVisible()
      }
      await other.goto('/aboutus')
      const wayIn = other.getByRole('heading', { name: 'Sign in' })
      // which of them comes up is not known before the portal has looked at what is stored
      await expect(wayIn.or(other.getByRole('button', { name: /, menu$/ }))).toBeVisible()
      await ((await wayIn.isVisible()) ? signInBeside(other) : keepNewerTokens(other))
      await expect(shell.userMenu).toBeVisible()
    },
    'refresh.due': async () => {
      await app.sim.advance(ALMOST_AN_HOUR)
      const { now } = await app.sim.status()
      await expect
        .poll(() => timeHeard, { message: 'the portal hears what time it is' })
        .toBeGreaterThanOrEqual(now)
      // what happened in an hour is perhaps known already; who the users are is asked each time
      await shell.goTo('Users')
      await held.isHeld()
    },
    [UNTIL_REFRESH]: async () => {
      await page.clock.fastForward('55:00')
      await held.isHeld()
    },
    'session.refused': async () => {
      await page.route(/\/api\/groups\//, (route) =>
        route.fulfill({ status: 401, json: { code: 401, message: '' } }),
      )
      await page.getByRole('button', { name: /^Notifications/ }).click()
      await held.isHeld()
      await held.release()
      await login.isShown()
      await page.unroute(/\/api\/groups\//)
    },
    'call.unanswered': async () => {
      await page.route(USERS, (route) => route.abort())
      await shell.goTo('Users')
      await error.isShown()
      await page.unroute(USERS)
      await error.goBack()
    },
    'call.timed-out': async () => {
      await page.route(USERS, (route) => route.fulfill({ status: 408, body: '' }))
      await shell.goTo('Users')
      await shell.says(/A timeout happend on url \/api\/groups\/[\w-]+\/users/)
      await page.unroute(USERS)
    },
    'part.missing': async () => {
      await page.route(/\/assets\/help-/, (route) => route.abort())
      await shell.goTo('Help')
      await error.isShown()
      await page.unroute(/\/assets\/help-/)
      await error.goBack()
      await expect(page).toHaveURL(/\/help$/)
    },
    'session.ended-by-server': () => app.sim.logOut('operatorindus'),
    'sign-out': () => (page.url().endsWith('/user/reset') ? access.logout.click() : shell.logOut()),
    'group.told': async () => {
      const answered = page.waitForResponse(/\/api\/groups\/[\w-]+\/info$/)
      const body = { description: `Changed at ${Date.now()}` }
      await app.api.ask(GROUP_CALLS.renameGroup, { params: { id: app.api.groupId }, body })
      await answered
    },
    'sign-out.here': async () => {
      await page.goto('/user/activate/any')
      await access.shows('refused')
      await access.logout.click()
    },
    'sign-in.again': () => page.getByRole('button', { name: /^(Back to sign in|Goto Login Page)$/ }).click(),
    'sign-in.submit': async (_, next) => {
      if (!page.url().endsWith('/login')) await page.goBack()
      const [email, password] = credentialsFor(next)
      if (email === RESET) await app.sim.requireReset('resetindus')
      await login.signIn(email, password)
      await held.isHeld()
    },
    'reset.resumed': async () => {
      await app.sim.requireReset('resetindus')
      const answer = await app.api.ask(AUTH_CALLS.login, { body: { username: RESET, password: PASSWORD } })
      const token = 'token' in answer ? answer.token : ''
      await page.evaluate((given) => localStorage.setItem('token', given), token)
      await page.goto('/user/reset')
    },
    'reset.done': async () => {
      await access.choose(PASSWORD)
      await expect(shell.toasts).not.toHaveCount(0)
    },
    'hand-off.arrived': async ({ event }) => {
      await page.goto(event.handOff === null ? '/adminLogin?token=half' : await handOffAddress(app))
      if (event.handOff !== null) await held.isHeld()
      expect(new URL(page.url()).search, 'nothing of it is left in the address').toBe('')
    },
    'xstate.done.actor.checkHandOff': () => held.release(),
    'xstate.error.actor.checkHandOff': () => held.refuse(401, 'Please login first'),
    'xstate.after.handOffPause.session.handOff.entering': () => expect(access.banner).toBeVisible(),
    'xstate.done.actor.signIn': () => held.release(),
    'xstate.error.actor.signIn': async () => {
      await held.release()
      await expect(shell.toasts).not.toHaveCount(0)
    },
    'xstate.done.actor.refresh': () => held.release(),
    'xstate.error.actor.refresh': ({ event }) =>
      event.error.isRefusal ? held.refuse(401, 'The session is over') : held.giveNoAnswer(),
    'xstate.after.reloadPause.session.expired.byServer': () => page.waitForLoadState('load'),
  }
  return {
    events,
    async shows({ event, state }) {
      // Another page began, whose session is the one of the other window.
      if (event.type === 'session.stored-elsewhere') return expect(shell.userMenu).toBeVisible()
      if (event.type === 'sign-out.here') {
        expect(await page.evaluate(() => localStorage.length)).toBe(0)
        return access.shows('unknown')
      }
      return showsState(visitor, state.value as object | string)
    },
  }
}

async function showsState({ page, login, shell }: Visitor, value: object | string): Promise<void> {
  const [name, inner] = typeof value === 'string' ? [value] : (Object.entries(value)[0] ?? [])
  switch (name) {
    case 'authenticated':
      return expect(shell.userMenu).toBeVisible()
    case 'idle':
    case 'expired':
      return login.isShown()
    case 'loading':
      return expect(page.getByRole('button', { name: 'Signing in…' })).toBeVisible()
    case 'reset':
      return expect(page).toHaveURL(/\/user\/reset$/)
    case 'suspended':
      return expect(page.getByRole('heading', { name: /^Company is Suspended/ })).toBeVisible()
    case 'handOff':
      if (inner === 'checking') return expect(page.getByText('Loading....', { exact: true })).toBeVisible()
      if (inner === 'refused')
        return expect(page.getByRole('heading', { name: 'This link does not let you in' })).toBeVisible()
      // It lasts a second: who looks late finds the portal.
      return expect(page.getByText('Loading....', { exact: true }).or(shell.userMenu)).toBeVisible()
    default:
      throw new Error(`Nobody has said what ${name} looks like`)
  }
}

/** The link an administrator gets to enter a company, without its origin. */
async function handOffAddress(app: DriverApp): Promise<string> {
  const admin = await signedInCaller(app.url, 'admin@frostline.example', PASSWORD)
  const { link } = await admin.ask(COMPANY_CALLS.handoff, { params: { companyId: 'karakoram' } })
  const { pathname, search } = new URL(link, app.url)
  return `${pathname}${search}`
}

async function signInBeside(other: Page): Promise<void> {
  await other.getByRole('textbox', { name: 'Email' }).fill(OPERATOR)
  await other.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await other.getByRole('button', { name: 'Login' }).click()
}

/** As after a renewal: the same session, with another end. */
async function keepNewerTokens(other: Page): Promise<void> {
  await other.evaluate(() => {
    const user = JSON.parse(localStorage.getItem('user') ?? '{}') as { exp: number }
    localStorage.setItem('user', JSON.stringify({ ...user, exp: user.exp + 1 }))
  })
}

/** Who signs in so that the server answers what the path says comes next. */
function credentialsFor(next: PathStep | undefined): [email: string, password: string] {
  const output = next?.event.output as { kind?: string } | undefined
  if (next?.event.type === 'xstate.error.actor.signIn') return [OPERATOR, 'Wrong#pass1']
  if (output?.kind === 'reset-required') return [RESET, PASSWORD]
  if (output?.kind === 'suspended') return ['operator@thar.example', PASSWORD]
  return [OPERATOR, PASSWORD]
}
