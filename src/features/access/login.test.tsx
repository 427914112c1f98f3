import { createRoot } from 'react-dom/client'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { startRoot } from '../../actors/root.ts'
import { createStore } from '../../actors/store.ts'
import { RootContext } from '../../actors/use-root.ts'
import Login from './login.tsx'
import '../../styles/tokens.css'
import { noDrafts } from '../../layout/testing/no-drafts.ts'
import { topOf } from '../../layout/testing/top-of.ts'

const json = (status: number, body: unknown) => new Response(JSON.stringify(body), { status })

const signedIn = {
  access_token: 'access',
  refresh_token: 'refresh',
  expires_in: 3600,
  identityId: 'identity',
  user: { _id: 'u1', name: 'Bilal', userName: 'b', groupId: 'g1', companyId: 'c1', exp: 1_900_000_000 },
  groupInfo: { depthLevel: 1, groupImage: null, name: 'Indus' },
  companyInfo: { groupId: 'g1', companyId: 'c1' },
  hasThings: true,
}
const bam = { firstName: 'Ayesha', lastName: 'Khan', email: 'ayesha@frostline.example', phone: '03001234567' }
const accounts = [
  { userName: 'operator', email: 'operator@indus.example', password: 'secret', note: 'the main demo' },
]

let unmount = () => {}
afterEach(() => unmount())

/** Answers come at once. */
const NOTHING_HELD = { time: Promise.resolve(), accounts: Promise.resolve() }

/** The page against a server that gives this answer to a login. */
function shown(
  answer: () => Response,
  { simulator = false, accountsNow = () => accounts, administrator = {}, held = NOTHING_HELD } = {},
) {
  const tried: unknown[] = []
  const went: string[] = []
  const errors: string[] = []
  const root = startRoot({
    baseUrl: '',
    fetch: async (url, init) => {
      const path = String(url)
      if (path.endsWith('/time')) {
        await held.time
        return json(200, { now: 0, simulator, timeZone: 'Asia/Karachi', ...administrator })
      }
      if (path.endsWith('/demo-accounts')) {
        await held.accounts
        return json(200, accountsNow())
      }
      tried.push(JSON.parse(String(init?.body)))
      return answer()
    },
    storage: {
      remembered: () => null,
      remember: () => {},
      rememberGroup: () => {},
      rememberName: () => {},
      rememberReset: () => {},
      rememberedReset: () => null,
      onStoredElsewhere: () => () => {},
      forget: () => {},
      onForgottenElsewhere: () => () => {},
    },
    clock: { now: () => 0, isKnown: () => true, set: () => {}, until: () => 0 },
    toasts: { success: () => {}, error: (message) => errors.push(message), info: () => {}, popup: () => {} },
    preferences: createStore({ theme: 'system' as const, unfolded: {} }),
    director: createStore({ isOpen: false }),
    returnPage: { keep: () => {}, of: () => undefined, forget: () => {} },
    goTo: (path) => went.push(path),
    reload: () => {},
    build: undefined,
    tabs: { isShared: false, hold: (_name, _signal, work) => work() },
    open: () => {},
    drafts: noDrafts,
    commandKeys: async () => undefined,
    place: () => '/',

    isLeft: () => false,
    onReturn: () => {},
    handOff: undefined,
    loadLive: () => new Promise(() => {}),
    download: () => {},
  })
  const place = document.body.appendChild(document.createElement('div'))
  const view = createRoot(place)
  view.render(
    <RootContext value={root}>
      <Login />
    </RootContext>,
  )
  unmount = () => {
    root.session.stop()
    view.unmount()
    place.remove()
  }
  return { tried, went, errors }
}

const email = page.getByLabelText('Email')
const password = page.getByLabelText('Password', { exact: true })
const login = page.getByRole('button', { name: 'Login' })

test('both fields are required, and the first that is missing gets the focus', async () => {
  const { tried } = shown(() => json(200, signedIn))
  await login.click()
  await expect.poll(() => page.getByText('This field is required').elements().length).toBe(2)
  await expect.element(email).toHaveFocus()
  await email.fill('operator@indus.example')
  await expect.poll(() => page.getByText('This field is required').elements().length).toBe(1)
  await login.click()
  await expect.element(password).toHaveFocus()
  expect(tried).toEqual([])
})

test('Enter sends what was typed and leads inside', async () => {
  const { tried, went } = shown(() => json(200, signedIn))
  await email.fill(' operator@indus.example ')
  await password.fill('secret ')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => went).toEqual(['/'])
  expect(tried).toEqual([{ username: 'operator@indus.example', password: 'secret ' }])
})

test('what the server says against it is a toast, and the form stays filled', async () => {
  const { errors } = shown(() => json(401, { code: 401, message: 'Invalid credentials' }))
  await email.fill('operator@indus.example')
  await password.fill('wrong')
  await login.click()
  await expect.poll(() => errors).toEqual(['Invalid credentials'])
  await expect.element(email).toHaveValue('operator@indus.example')
})

test('a first 404, which no toast tells of, is told beside the button until the next try', async () => {
  let answer = json(404, { code: 404, message: 'Not found' })
  const { errors } = shown(() => answer.clone())
  await email.fill('operator@indus.example')
  await password.fill('secret')
  await login.click()
  await expect.element(page.getByText(/does not know sign-in/)).toBeVisible()
  expect(errors).toEqual([])
  answer = json(401, { code: 401, message: 'Invalid credentials' })
  await login.click()
  await expect.poll(() => errors).toEqual(['Invalid credentials'])
  await expect.poll(() => page.getByRole('alert').elements()).toEqual([])
})

test('a suspended company shows its manager in place of the form', async () => {
  shown(() => json(403, { code: 403, message: 'suspended', bam }))
  await email.fill('operator@thar.example')
  await password.fill('secret')
  await login.click()
  const text = 'Company is Suspended. Please Contact Business Account Manager!'
  await expect.element(page.getByRole('heading', { name: text })).toBeVisible()
  for (const detail of ['Ayesha Khan', 'ayesha@frostline.example', '03001234567'])
    await expect.element(page.getByText(detail)).toBeVisible()
  await page.getByRole('button', { name: 'Back to sign in' }).click()
  await expect.element(email).toBeVisible()
})

test('a suspended company without a manager says so, and has no empty lines', async () => {
  shown(() =>
    json(403, {
      code: 403,
      message: 'suspended',
      bam: { firstName: '', lastName: '', email: '', phone: '' },
    }),
  )
  await email.fill('operator@thar.example')
  await password.fill('secret')
  await login.click()
  await expect.element(page.getByText('No business account manager is on record.')).toBeVisible()
  await expect.element(page.getByRole('listitem')).not.toBeInTheDocument()
})

test('the password can be looked at', async () => {
  shown(() => json(200, signedIn))
  await password.fill('secret')
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect.element(password).toHaveAttribute('type', 'text')
})

test('with the simulator on, one press on a demo account is enough', async () => {
  const { tried, went } = shown(() => json(200, signedIn), { simulator: true })
  await page.getByRole('button', { name: /operator@indus.example/ }).click()
  await expect.poll(() => went).toEqual(['/'])
  expect(tried).toEqual([{ username: 'operator@indus.example', password: 'secret' }])
})

test('what is pressed stays where it is while the demo accounts come', async () => {
  await page.viewport(1280, 900)
  const time = Promise.withResolvers<void>()
  const accounts = Promise.withResolvers<void>()
  shown(() => json(200, signedIn), {
    simulator: true,
    held: { time: time.promise, accounts: accounts.promise },
  })
  await expect.element(login).toBeVisible()
  const place = () => topOf(login.element())
  const before = place()
  time.resolve()
  await expect.element(page.getByRole('status', { name: 'Loading' })).toBeVisible()
  expect(place()).toBe(before)
  accounts.resolve()
  await expect.element(page.getByRole('button', { name: /operator@indus.example/ })).toBeVisible()
  expect(place()).toBe(before)
})

test('they are those of another scenario once it is opened', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    let now = accounts
    shown(() => json(200, signedIn), { simulator: true, accountsNow: () => now })
    await expect.element(page.getByRole('button', { name: /operator@indus.example/ })).toBeVisible()
    now = [{ userName: 'ravi', email: 'operator@ravi.example', password: 'secret', note: 'another' }]
    vi.advanceTimersByTime(5000)
    await expect.element(page.getByRole('button', { name: /operator@ravi.example/ })).toBeVisible()
    await expect.element(page.getByRole('button', { name: /operator@indus.example/ })).not.toBeInTheDocument()
  } finally {
    vi.useRealTimers()
  }
})

test('without it none are shown', async () => {
  shown(() => json(200, signedIn))
  await expect.element(login).toBeVisible()
  await expect.element(page.getByText('Demo accounts')).not.toBeInTheDocument()
})

test.each([
  [
    'has no administrator',
    { needsAdministrator: true },
    /This server has no administrator yet.*makes the first one/,
  ],
  [
    'has one without a password',
    { needsAdministrator: true, hasNoPassword: true },
    /The administrator of this server has no password yet.*reset-password <email>/,
  ],
])('a server that %s says so, and what helps', async (_, administrator, words) => {
  shown(() => json(200, signedIn), { administrator })
  await expect.element(page.getByRole('note')).toMatchTextContent(words)
})
