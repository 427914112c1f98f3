import type { Route } from '@playwright/test'
import { model } from '#machines/session/session.samples.ts'
import type { Path, PathStep } from '#machines/testing/path-model.ts'
import { walk } from '#machines/testing/paths.ts'
import { type App, expect, OPERATOR, PASSWORD, test, type Visitor } from './app.ts'

/**
 * The paths generated from the session machine, walked by a visitor of the real app: each event is brought about the way
 * it comes about in the world, and after each the screen must be the one the machine says.
 */
test.use({ world: { of: 'session paths', devices: 60 } })

/** A minute before its end a token is renewed; the world is set this far ahead, in s. */
const ALMOST_AN_HOUR = 3_560
const HELD = /\/api\/auth\/(login|refresh-token)/

/** What nobody can bring about from outside, and why; the machine's own test replays it. */
const outOfReach: Record<string, string> = {
  'xstate.after.untilRefresh.session.authenticated.fresh': '55 minutes of real time pass',
}
const found = walk(model)

for (const path of found.paths) {
  if (path.steps.some(({ event }) => event.type in outOfReach || isLeftFromReset(path))) continue
  test(wordsOf(path), async ({ visitor, app }) => {
    visitor.trouble.allow(/40[13]|ERR_FAILED|no answer/)
    const stage = await enter(visitor, app)
    for (const [i, step] of path.steps.entries()) {
      if (i > 0) await stage.bringAbout(step, path.steps[i + 1])
      await stage.shows(step)
    }
  })
}

test('every transition is walked but those nobody can bring about', () => {
  const walked = new Set(
    found.paths
      .filter((path) => !path.steps.some(({ event }) => event.type in outOfReach || isLeftFromReset(path)))
      .flatMap(({ takes }) => takes),
  )
  expect(found.transitions.filter((one) => !walked.has(one))).toHaveLength(2)
})

/** The page to set a new password has no way to log out yet. */
function isLeftFromReset({ steps }: Path): boolean {
  return steps.some(({ event }, i) => event.type === 'sign-out' && steps[i - 1]?.state.matches('reset'))
}

type Stage = {
  bringAbout(step: PathStep, next: PathStep | undefined): Promise<void>
  shows(step: PathStep): Promise<void>
}

/** The visitor is signed in; what the server is asked about the session from now on is held until the path says what comes of it. */
async function enter(visitor: Visitor, app: App): Promise<Stage> {
  const { page, login, shell } = visitor
  let timeHeard = 0
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      const said = typeof payload === 'string' && payload.includes('"age"') ? JSON.parse(payload) : undefined
      if (said?.type === 'age') timeHeard = said.now
    }),
  )
  await login.open()
  await login.signIn(OPERATOR, PASSWORD)
  await visitor.dashboard.isShown()
  await shell.isLive()
  const held = await holdBack(visitor)

  const events: Record<string, (next: PathStep | undefined) => Promise<void>> = {
    'session.ran-out': async () => {
      await page.evaluate(() => {
        const user = JSON.parse(localStorage.getItem('user') ?? '{}') as object
        localStorage.setItem('user', JSON.stringify({ ...user, exp: 1 }))
      })
      await page.reload()
    },
    'session.left-elsewhere': async () => {
      const other = await visitor.context.newPage()
      await other.goto('/aboutus')
      await other.getByRole('button', { name: /, menu$/ }).click()
      await other.getByRole('menuitem', { name: 'Logout' }).click()
      await expect(other).toHaveURL(/\/login$/)
    },
    'refresh.due': async () => {
      await app.sim.advance(ALMOST_AN_HOUR)
      const { now } = await app.sim.status()
      await expect
        .poll(() => timeHeard, { message: 'the portal hears what time it is' })
        .toBeGreaterThanOrEqual(now)
      await page.getByRole('button', { name: /^Notifications/ }).click()
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
    'session.ended-by-server': () => app.sim.logOut('operatorindus'),
    'sign-out': () => shell.logOut(),
    'sign-in.again': () => page.getByRole('button', { name: 'Back to sign in' }).click(),
    'sign-in.submit': async (next) => {
      if (!page.url().endsWith('/login')) await page.getByRole('link', { name: 'Sign in' }).click()
      const [email, password] = credentialsFor(next)
      await login.signIn(email, password)
      await held.isHeld()
    },
    'xstate.done.actor.signIn': () => held.release(),
    'xstate.error.actor.signIn': async () => {
      await held.release()
      await expect(shell.toasts).not.toHaveCount(0)
    },
    'xstate.done.actor.refresh': () => held.release(),
    'xstate.after.reloadPause.session.expired.byServer': () => page.waitForLoadState('load'),
  }
  const fallible: Record<string, (step: PathStep) => Promise<void>> = {
    'xstate.error.actor.refresh': ({ event }) =>
      event.error.isRefusal ? held.refuse() : held.giveNoAnswer(),
  }
  return {
    async bringAbout(step, next) {
      const { type } = step.event
      const act = fallible[type]
      if (act) return act(step)
      const bring = events[type]
      if (bring === undefined) throw new Error(`Nobody has said how ${type} comes about`)
      await bring(next)
    },
    shows: ({ state }) => showsState(visitor, state.value as object | string),
  }
}

async function showsState({ page, login, shell }: Visitor, value: object | string): Promise<void> {
  const name = typeof value === 'string' ? value : Object.keys(value)[0]
  switch (name) {
    case 'authenticated':
      return expect(shell.userMenu).toBeVisible()
    case 'idle':
      return login.isShown()
    case 'loading':
      return expect(page.getByRole('button', { name: 'Signing in…' })).toBeVisible()
    case 'reset':
      return expect(page).toHaveURL(/\/user\/reset$/)
    case 'suspended':
      return expect(page.getByRole('heading', { name: /^Company is Suspended/ })).toBeVisible()
    case 'expired':
      return login.isShown()
    default:
      throw new Error(`Nobody has said what ${name} looks like`)
  }
}

/** Who signs in so that the server answers what the path says comes next. */
function credentialsFor(next: PathStep | undefined): [email: string, password: string] {
  const output = next?.event.output as { kind?: string } | undefined
  if (next?.event.type === 'xstate.error.actor.signIn') return [OPERATOR, 'Wrong#pass1']
  if (output?.kind === 'reset-required') return ['reset@indus.example', PASSWORD]
  if (output?.kind === 'suspended') return ['operator@thar.example', PASSWORD]
  return [OPERATOR, PASSWORD]
}

/** Requests that decide over the session wait at the browser's door. */
async function holdBack({ page }: Visitor) {
  let waiting: Route | undefined
  await page.route(HELD, (route) => {
    waiting = route
  })
  const isHeld = () => expect.poll(() => waiting !== undefined, 'the server is asked').toBe(true)
  const take = (): Route => {
    const route = waiting as Route
    waiting = undefined
    return route
  }
  return {
    isHeld,
    release: () => take().continue(),
    refuse: () => take().fulfill({ status: 401, json: { code: 401, message: 'The session is over' } }),
    giveNoAnswer: () => take().abort(),
  }
}

function wordsOf({ steps }: Path): string {
  const [, ...rest] = steps
  return rest.map(({ event }) => model.describe(event)).join(', then ')
}
