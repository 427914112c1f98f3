import { expect, PASSWORD, test, type Visitor } from '../app.ts'
import { holdBack } from '../held.ts'
import { codeOf, invite, mailTo, newUser, tokenOf } from '../people.ts'
import { isListening } from '../session.ts'

test.use({ world: { of: 'passwords', devices: 60 }, isMapDrawn: false })

const NEW = 'N3w#password'

test('the code of a mail does as well as its link, and what was used is used', async ({ visitor, app }) => {
  visitor.trouble.allow(/40[01]/)
  const { access, login, page, shell } = visitor
  const person = await newUser(app)
  await login.open()
  await page.getByRole('link', { name: 'Forgot Password' }).click()
  await access.email.fill(person.email)
  await access.submit.click()
  await page.getByRole('link', { name: 'I have a code' }).click()
  const mail = await mailTo(app, person, 2)
  const code = codeOf(mail)

  await access.code.fill(another(code))
  await access.choose(NEW)
  await shell.says('Invalid confirmation code')
  await access.code.fill(code)
  await access.choose('password', 'passwords')
  await expect(page.getByText('Invalid Password')).toHaveCount(2)
  await access.choose(NEW, PASSWORD)
  await expect(page.getByText('Password and confirm password does not match')).toBeVisible()
  await access.choose(NEW)
  await shell.says('New password is set successfully')
  await login.isShown()

  await login.signIn(person.userName, PASSWORD)
  await shell.says('Invalid username or password')
  await login.signIn(person.userName, NEW)
  await visitor.dashboard.isShown()
  // Who is signed in may look at a link to another password; this one has had its day.
  await access.open(`/set-password/${person.id}/${tokenOf(mail)}`)
  await access.shows('used', 'password')
  await access.askForAnother.click()
  await expect(page).toHaveURL(/\/forgot-password$/)
})

test('an invitation that ran out is sent anew and lets one in, once', async ({ visitor, app }) => {
  const { access, login, page, shell } = visitor
  const person = await invite(app)
  const late = tokenOf(await mailTo(app, person))
  await app.sim.expireLink(late)
  await access.open(`/user/activate/${late}`)
  await access.shows('expired')
  await access.resend.click()
  await shell.says('A new activation link was sent to your email')
  const token = tokenOf(await mailTo(app, person, 2))

  await access.open(`/user/activate/${token}`)
  await expect(page.getByText(person.email)).toBeVisible()
  await access.submit.click()
  await expect(page.getByText('This field is required')).toHaveCount(2)
  await access.choose(NEW)
  await access.shows('done')
  await access.toLogin.click()
  await login.signIn(person.email, NEW)
  await visitor.dashboard.isShown()
  await shell.logOut()
  await login.isShown()

  for (const used of [late, token]) {
    await access.open(`/user/activate/${used}`)
    await access.shows('used')
    await expect(access.alreadyCreated).toBeDisabled()
  }
})

test('nobody activates an account while somebody else is signed in', async ({ visitor, app }) => {
  const { access, login, page, trouble } = visitor
  // what is on its way while one signs out is refused
  trouble.allow(/401/)
  const person = await invite(app)
  const token = tokenOf(await mailTo(app, person))
  await signInWithoutDevices(visitor)
  const requests: string[] = []
  page.on('request', (request) => {
    if (request.url().includes(token) && request.resourceType() === 'fetch') requests.push(request.url())
  })
  await access.open(`/user/activate/${token}`)
  await access.shows('refused')
  expect(requests, 'nothing is done with the link').toEqual([])
  await access.logout.click()
  await access.shows('valid')
  expect(await page.evaluate(() => localStorage.length)).toBe(0)
  await access.choose(NEW)
  await access.toLogin.click()
  await login.signIn(person.userName, NEW)
  await visitor.dashboard.isShown()
})

test('who must choose a new password is put out at once, and the old one is of no use', async ({
  visitor,
  app,
}) => {
  visitor.trouble.allow(/401/)
  const { access, login, page, shell } = visitor
  const { userName } = await newUser(app)
  await login.open()
  const listening = isListening(page)
  await login.signIn(userName, PASSWORD)
  await shell.isLive()
  await listening
  // the page begins anew, and what is typed before that is gone
  const begunAnew = page.waitForEvent('load')
  await app.sim.requireReset(userName)
  await begunAnew
  await login.isShown()
  await login.signIn(userName, PASSWORD)
  await expect(page).toHaveURL(/\/user\/reset$/)
  await shell.says('Please set a new password')
  await access.choose(NEW)
  await login.isShown()
  await login.signIn(userName, PASSWORD)
  await shell.says('Invalid username or password')
  await login.signIn(userName, NEW)
  await visitor.dashboard.isShown()
})

test('a server that takes too long is told of, and what was typed can be sent again', async ({ visitor }) => {
  const { access, page, shell } = visitor
  await page.goto('/forgot-password')
  const held = await holdBack(page, /\/api\/auth\/forgot-password$/)
  await access.email.fill('nobody@indus.example')
  const patience = await loseTime(visitor)
  await access.submit.click()
  await held.isHeld()
  await shell.says('A timeout happend on url /api/auth/forgot-password')
  await patience.give()
  await page.unroute(/\/api\/auth\/forgot-password$/)
  await expect(access.email).toHaveValue('nobody@indus.example')
  await access.submit.click()
  await shell.says('Please check your resgistered email to reset password')
})

async function signInWithoutDevices({ login, page }: Visitor): Promise<void> {
  await login.open()
  await login.signIn('new@indus.example', PASSWORD)
  await expect(page).toHaveURL(/\/vehicle\/assignment$/)
}

/** The half minute a call has passes in half a second. */
async function loseTime({ page }: Visitor): Promise<{ give(): Promise<void> }> {
  const hurry = await page.evaluateHandle(() => {
    const real = AbortSignal.timeout
    AbortSignal.timeout = (ms) => real.call(AbortSignal, ms / 60)
    return real
  })
  return {
    give: () =>
      page.evaluate((real) => {
        AbortSignal.timeout = real
      }, hurry),
  }
}

/** Six digits, not these. */
function another(code: string): string {
  return code.replace(/\d$/, (last) => `${(Number(last) + 1) % 10}`)
}
