import type { Locator } from '@playwright/test'
import type { PasswordField } from '#machines/password-form/password-form.machine.ts'
import { model } from '#machines/password-form/password-form.samples.ts'
import type { Path } from '#machines/testing/path-model.ts'
import { expect, type Visitor } from '../app.ts'
import { type Held, holdBack } from '../held.ts'
import { codeOf, forgetPassword, newUser, tokenOf } from '../people.ts'
import { startSignedOut } from '../visit.ts'
import { type Driver, type DriverApp, leadsTo, type Scene } from './driver.ts'

/** The page of a link asks for no code. */
const withoutCode = {
  ...model,
  input: { needsCode: false },
  events: model.events.filter(({ field }) => field !== 'code'),
}

/**
 * A new password, with a code and without: what stands in the fields and what is said of each must be what the machine
 * says, step by step. The other pages with this form are opened by the walks of the activation link and of the session.
 */
export const driver: Driver = {
  clock: 'runs',
  ways: [
    { name: 'with the code of a mail', model, enter: enterWithCode, isOneVisit: true },
    { name: 'with the link of a mail', model: withoutCode, enter: enterWithLink, isOneVisit: true },
  ],
}

/** What differs from page to page. */
type Page = {
  held: Held
  words: { submit: string; submitting: string }
  /** makes the server refuse what is held, and says how the visitor hears of it */
  refuse(): Promise<RegExp>
  isDone(): Promise<unknown>
  code?: string
}

async function enterWithCode(visitor: Visitor, app: DriverApp, path: Path): Promise<Scene> {
  visitor.trouble.allow(/400/)
  await startSignedOut(visitor, app.url)
  const isSent = leadsTo(path, DONE) || leadsTo(path, REFUSED)
  const person = isSent ? await newUser(app) : { userName: 'nobody' }
  const mail = 'id' in person ? await forgetPassword(app, person) : undefined
  const held = await holdBack(visitor.page, /\/api\/auth\/confirm-user$/)
  await visitor.shell.follow(`/confirm-code/${person.userName}`)
  return fill(visitor, {
    held,
    code: mail === undefined ? '482913' : codeOf(mail),
    words: { submit: 'Set Password', submitting: 'Setting…' },
    async refuse() {
      if (mail !== undefined) await app.sim.expireLink(tokenOf(mail))
      await held.release()
      return /Invalid confirmation code/
    },
    async isDone() {
      await visitor.login.isShown()
      await visitor.shell.says('New password is set successfully')
    },
  })
}

async function enterWithLink(visitor: Visitor, app: DriverApp): Promise<Scene> {
  visitor.trouble.allow(/408/)
  await startSignedOut(visitor, app.url)
  const person = await newUser(app)
  const token = tokenOf(await forgetPassword(app, person))
  const held = await holdBack(visitor.page, /\/api\/auth\/set-password\//)
  await visitor.shell.follow(`/set-password/${person.id}/${token}`)
  return fill(visitor, {
    held,
    words: { submit: 'Set Password', submitting: 'Setting…' },
    // A link that works no longer is no refusal: its page says so instead.
    async refuse() {
      await held.takeTooLong()
      return /A timeout happend on url /
    },
    isDone: () => visitor.access.shows('done', 'password'),
  })
}

const DONE = 'xstate.done.actor.setPassword'
const REFUSED = 'xstate.error.actor.setPassword'

function fill({ access, shell }: Visitor, { held, words, code, refuse, isDone }: Page): Scene {
  const fields: [PasswordField, Locator][] = [
    ...(code === undefined ? [] : [['code', access.code] satisfies [PasswordField, Locator]]),
    ['password', access.password],
    ['confirmPassword', access.again],
  ]
  const typed = (name: PasswordField, value: string) => (name === 'code' && value !== '' ? `${code}` : value)
  return {
    events: {
      'field.changed': async ({ event }) => {
        const [name, field] =
          fields.find(([each]) => each === event.field) ?? (fields[0] as [PasswordField, Locator])
        await field.fill(typed(name, event.value))
      },
      submit: async ({ state }) => {
        await access.submit.click()
        if (state.matches('submitting')) return held.isHeld()
        const wrong = fields.find(([name]) => state.context.messages[name] !== null)
        await expect(wrong?.[1] ?? access.submit).toBeFocused()
      },
      [DONE]: () => held.release(),
      [REFUSED]: async () => {
        const message = await refuse()
        await shell.says(message)
      },
    },
    async shows({ state }) {
      if (state.matches('done')) return isDone()
      await expect(access.submit).toHaveText(state.matches('submitting') ? words.submitting : words.submit)
      for (const [name, field] of fields) {
        await expect(field).toHaveValue(typed(name, state.context.now[name]))
        await expect(field).toHaveAccessibleDescription(state.context.messages[name] ?? '')
      }
    },
  }
}
