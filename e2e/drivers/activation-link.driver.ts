import { model } from '#machines/activation-link/activation-link.samples.ts'
import { AUTH_CALLS } from '#machines/contracts/calls/auth-calls.ts'
import { USER_CALLS } from '#machines/contracts/calls/user-calls.ts'
import type { Path, PathStep } from '#machines/testing/path-model.ts'
import { expect, PASSWORD, type Visitor } from '../app.ts'
import { type Held, holdBack } from '../held.ts'
import { forgetPassword, invite, mailTo, newUser, type Person, tokenOf } from '../people.ts'
import type { LinkOutcome, LinkPurpose } from '../screens/access.screen.ts'
import { startSignedOut } from '../visit.ts'
import type { Driver, DriverApp, Scene } from './driver.ts'

const CHOSEN = 'Act1vate#me'
const HELD = /\/api\/auth\/(checkLinkValidity|resendLink|activate|set-password)\//
const REQUESTED_ANEW = 'Another link to set a password is asked for as the first was, on the page for that.'

/** A mail's link. Links are those of real mails: they run out, are used or never were before the server is asked. */
export const driver: Driver = {
  clock: 'runs',
  ways: [
    { name: 'a link to activate an account', model, enter: enterToActivate, isOneVisit: true },
    {
      name: 'a link to set another password',
      model: { ...model, input: { token: 'link-1', isSomebodyIn: false } },
      enter: enterToSetPassword,
      isOneVisit: true,
      cannot: {
        'refused: signed-out → stays': 'Whoever is signed in may use it.',
        'expired.offering: resend → expired.resending': REQUESTED_ANEW,
        'expired.resending: resendLink answers → expired.resent': REQUESTED_ANEW,
        'expired.resending: resendLink fails → expired.offering': REQUESTED_ANEW,
        'expired.resent: resend → expired.resending': REQUESTED_ANEW,
      },
    },
  ],
}

async function enterToActivate(visitor: Visitor, app: DriverApp, path: Path): Promise<Scene> {
  const person = await invite(app)
  const token = isUnknown(path) ? 'never-was-a-link' : tokenOf(await mailTo(app, person))
  const { page, shell, login } = visitor
  await startSignedOut(visitor, app.url)
  await login.signIn('new@indus.example', PASSWORD)
  await expect(page).toHaveURL(/\/vehicle\/assignment$/)
  const held = await holdBack(page, HELD)
  await shell.follow(`/user/activate/${token}`)
  const use = () => app.api.ask(AUTH_CALLS.activate, { params: { token }, body: { password: CHOSEN } })
  return sceneOf({ visitor, app, held, token, person, use, purpose: 'activation' })
}

async function enterToSetPassword(visitor: Visitor, app: DriverApp, path: Path): Promise<Scene> {
  const person = await newUser(app)
  const token = isUnknown(path) ? 'never-was-a-link' : tokenOf(await forgetPassword(app, person))
  await startSignedOut(visitor, app.url)
  const held = await holdBack(visitor.page, HELD)
  await visitor.shell.follow(`/set-password/${person.id}/${token}`)
  await held.isHeld()
  const use = () =>
    app.api.ask(AUTH_CALLS.setPasswordByLink, {
      params: { id: person.id, token },
      body: { password: CHOSEN },
    })
  return sceneOf({ visitor, app, held, token, person, use, purpose: 'password' })
}

function isUnknown({ steps }: Path): boolean {
  return steps.some(({ event }) => event.type === 'xstate.error.actor.checkLink' && event.error.isRefusal)
}

type Link = {
  visitor: Visitor
  app: DriverApp
  held: Held
  token: string
  person: Person
  purpose: LinkPurpose
  /** somebody uses the link elsewhere */
  use(): Promise<unknown>
}

function sceneOf({ visitor, app, held, token, person, purpose, use }: Link): Scene {
  const { access, shell, trouble } = visitor
  // A link that is none, what came too late or too often, and what was on its way while somebody signed out.
  trouble.allow(/40[1489]/)

  async function makeItSo(success: number | boolean): Promise<void> {
    if (success === -1) await use()
    else if (!success) await app.sim.expireLink(token)
  }
  const answered = async (press: Promise<void>) => {
    await press
    await held.isHeld()
  }

  return {
    events: {
      'signed-out': () => answered(access.logout.click()),
      'password.chosen': () => answered(access.choose(CHOSEN)),
      resend: () => answered(access.resend.click()),
      retry: () => answered(access.retry.click()),
      'xstate.done.actor.checkLink': async ({ event }) => {
        await makeItSo(event.output.success)
        await held.release()
      },
      'xstate.error.actor.checkLink': ({ event }) =>
        event.error.isRefusal ? held.release() : held.takeTooLong(),
      'xstate.done.actor.setPassword': async ({ event }) => {
        await makeItSo(event.output.success)
        await held.release()
        await shell.says(
          event.output.success ? /activated successfully|is set successfully/ : 'This link has expired',
        )
        // Too late: the page asks what the link is now.
        if (!event.output.success) await held.isHeld()
      },
      'xstate.error.actor.setPassword': async () => {
        await held.takeTooLong()
        await shell.says(/A timeout happend on url .*\/auth\//)
      },
      'xstate.done.actor.resendLink': async () => {
        await held.release()
        // it is gone after some seconds, the mail is not
        await shell.says('A new activation link was sent')
        expect(tokenOf(await mailTo(app, person, 2))).not.toBe(token)
      },
      'xstate.error.actor.resendLink': async () => {
        // They activate their account elsewhere, with a mail the operator had sent to them.
        await app.api.ask(USER_CALLS.resendLink, { body: { id: person.id } })
        const params = { token: tokenOf(await mailTo(app, person, 2)) }
        await app.api.ask(AUTH_CALLS.activate, { params, body: { password: CHOSEN } })
        await held.release()
        await shell.says('This link was already used')
      },
    },
    shows: (step) => showsStep(visitor, purpose, step),
  }
}

async function showsStep({ page, access }: Visitor, purpose: LinkPurpose, { state }: PathStep) {
  const value = state.value as LinkOutcome | 'setting' | object
  if (value === 'setting') return expect(access.submit).toHaveText(/^(Activating|Setting)…$/)
  const outcome = typeof value === 'string' ? value : 'expired'
  await access.shows(outcome, purpose)
  if (purpose === 'password') {
    await expect(access.resend).toBeHidden()
    await expect(access.alreadyCreated).toBeHidden()
    return expect(access.askForAnother).toBeVisible({ visible: ['expired', 'used'].includes(outcome) })
  }
  if (outcome === 'used') {
    await expect(access.alreadyCreated).toBeDisabled()
    await expect(access.toLogin).toBeVisible()
  }
  if (outcome !== 'expired') return expect(access.resend).toBeHidden()
  const isResending = state.matches({ expired: 'resending' })
  await expect(access.resend).toHaveText(isResending ? 'Sending…' : 'Resend Link')
  await expect(page.getByText('Look among unwanted mail too.')).toBeVisible({
    visible: state.matches({ expired: 'resent' }),
  })
}
