import { model } from '#machines/activation-link/activation-link.samples.ts'
import { AUTH_CALLS } from '#machines/contracts/calls/auth-calls.ts'
import { USER_CALLS } from '#machines/contracts/calls/user-calls.ts'
import type { Path, PathStep } from '#machines/testing/path-model.ts'
import { walk } from '#machines/testing/paths.ts'
import { type App, expect, OPERATOR, PASSWORD, test, type Visitor } from './app.ts'
import { holdBack } from './held.ts'
import type { LinkOutcome } from './screens/access.screen.ts'

/**
 * The paths generated from the machine of an activation link, walked with links of real mails: they run out, are used or
 * never were before the server is asked, as the path says.
 */
test.use({ world: { of: 'activation link paths', devices: 40 } })

const CHOSEN = 'Act1vate#me'
const HELD = /\/api\/auth\/(checkLinkValidity|resendLink|activate)\//
const found = walk(model)

for (const path of found.paths)
  test(wordsOf(path), async ({ visitor, app }) => {
    visitor.trouble.allow(/40[48]|429/)
    const stage = await enter(visitor, app, path)
    for (const [i, step] of path.steps.entries()) {
      if (i > 0) await stage.bringAbout(step)
      await showsState(visitor, step.state.value as object | string)
    }
  })

test('every transition is walked', () => {
  const walked = new Set(found.paths.flatMap(({ takes }) => takes))
  expect(found.transitions.filter((one) => !walked.has(one))).toEqual([])
})

/** Somebody is signed in and opens the link of a mail to somebody else. */
async function enter(visitor: Visitor, app: App, path: Path) {
  const { page, login, access, shell } = visitor
  const isKnown = !path.steps.some(
    ({ event }) => event.type === 'xstate.error.actor.checkLink' && event.error.isRefusal,
  )
  const token = isKnown ? await linkOfMail(app) : 'never-was-a-link'
  await login.open()
  await login.signIn(OPERATOR, PASSWORD)
  await visitor.dashboard.isShown()
  await access.open(`/user/activate/${token}`)
  const held = await holdBack(page, HELD)

  const answers: Record<string, () => Promise<unknown> | undefined> = {
    '1': () => undefined,
    '0': () => app.sim.expireLink(token),
    '-1': () => app.api.ask(AUTH_CALLS.activate, { params: { token }, body: { password: CHOSEN } }),
    true: () => undefined,
    false: () => app.sim.expireLink(token),
  }
  const events: Record<string, (step: PathStep) => Promise<void>> = {
    'signed-out': async () => {
      await access.logout.click()
      await held.isHeld()
    },
    'password.chosen': async () => {
      await access.choose(CHOSEN)
      await held.isHeld()
    },
    resend: async () => {
      await access.resend.click()
      await held.isHeld()
    },
    retry: async () => {
      await access.retry.click()
      await held.isHeld()
    },
    'xstate.done.actor.checkLink': async ({ event }) => {
      await answers[event.output.success]?.()
      await held.release()
    },
    'xstate.error.actor.checkLink': ({ event }) =>
      event.error.isRefusal ? held.release() : held.takeTooLong(),
    'xstate.done.actor.setPassword': async ({ event }) => {
      await answers[event.output.success]?.()
      await held.release()
      await expect(shell.toasts).not.toHaveCount(0)
      // Too late: the page asks what the link is now.
      if (!event.output.success) await held.isHeld()
    },
    'xstate.error.actor.setPassword': async () => {
      await held.takeTooLong()
      await expect(shell.toasts).toContainText(/A timeout happend on url .*\/auth\/activate\//)
    },
    'xstate.done.actor.resendLink': async () => {
      await held.release()
      await expect(shell.toasts).not.toHaveCount(0)
    },
    'xstate.error.actor.resendLink': async () => {
      await held.refuse(429, 'Too many requests')
      await expect(shell.toasts).toContainText('Too many requests')
    },
  }
  return {
    async bringAbout(step: PathStep) {
      const bring = events[step.event.type]
      if (bring === undefined) throw new Error(`Nobody has said how ${step.event.type} comes about`)
      await bring(step)
    },
  }
}

async function showsState({ page, access }: Visitor, value: object | string): Promise<void> {
  if (value === 'setting') return expect(access.submit).toHaveText('Activating…')
  if (typeof value === 'string') {
    await access.shows(value as LinkOutcome)
    if (value === 'used') {
      await expect(access.alreadyCreated).toBeDisabled()
      await expect(access.toLogin).toBeVisible()
    }
    return
  }
  await access.shows('expired')
  const inner = Object.values(value)[0]
  if (inner === 'resending') return expect(access.resend).toHaveText('Sending…')
  await expect(access.resend).toHaveText('Resend Link')
  const sent = page.getByText('Look among unwanted mail too.')
  return inner === 'resent' ? expect(sent).toBeVisible() : expect(sent).toBeHidden()
}

let people = 0

/** The token of a link that was just mailed to somebody new. */
async function linkOfMail(app: App): Promise<string> {
  const userName = `sana${++people}`
  const email = `${userName}@indus.example`
  await app.api.ask(USER_CALLS.createUser, {
    body: {
      firstName: 'Sana',
      lastName: 'Mir',
      userName,
      email,
      phone: '03001234567',
      groupId: app.api.groupId,
      type: 'Manager',
      role: 'user',
    },
  })
  let link: string | undefined
  await expect
    .poll(
      async () => {
        const [mail] = await app.sim.outbox(email)
        link = mail?.links.find((one) => one.includes('/user/activate/'))
        return link
      },
      { message: 'the mail is sent' },
    )
    .toBeDefined()
  return (link ?? '').split('/').at(-1) ?? ''
}

function wordsOf({ steps }: Path): string {
  const [, ...rest] = steps
  return rest.map(({ event }) => model.describe(event)).join(', then ')
}
