import { model } from '#machines/forgot-password/forgot-password.samples.ts'
import type { Path } from '#machines/testing/path-model.ts'
import { expect, type Visitor } from '../app.ts'
import { holdBack } from '../held.ts'
import { mailTo, newUser } from '../people.ts'
import { requestMail } from '../request-mail.ts'
import { type Driver, type DriverApp, leadsTo, type Scene } from './driver.ts'

/** The machine that asks for a mail to set another password. Whoever asks was made for the path: mails are counted. */
export const driver: Driver = { clock: 'runs', ways: [{ model, enter }] }

const REFUSED = 'xstate.error.actor.askForMail'
const SENT = 'Please check your resgistered email to reset password'
/** Mails somebody may ask for within five minutes. */
const ENOUGH = 5

async function enter({ page, access, shell, trouble }: Visitor, app: DriverApp, path: Path): Promise<Scene> {
  const isSent = leadsTo(path, 'xstate.done.actor.askForMail') || leadsTo(path, REFUSED)
  const { email } = isSent ? await newUser(app) : { email: 'lahore@indus.example' }
  const held = await holdBack(page, /\/api\/auth\/forgot-password$/)
  await page.goto('/forgot-password')
  /** a blank address is none: the machine tells them apart as little as the visitor */
  let typed = ''
  return {
    events: {
      'email.changed': ({ event }) => {
        typed = event.email.trim() === '' ? ' ' : ` ${email} `
        return access.email.fill(typed)
      },
      submit: async ({ state }) => {
        await access.submit.click()
        if (state.matches('sending')) await held.isHeld()
        else await expect(access.email).toBeFocused()
      },
      'xstate.done.actor.askForMail': async () => {
        await held.release()
        await shell.says(SENT)
        expect((await mailTo(app, { email }, 2)).links[0]).toContain('/set-password/')
      },
      [REFUSED]: async () => {
        trouble.allow(/429/)
        for (let sent = 0; sent < ENOUGH; sent++) await requestMail(app, email)
        await held.release()
        await shell.says(/Too many attempts, try again in \d+ s/)
      },
      again: () => page.getByRole('button', { name: 'Send again' }).click(),
    },
    async shows({ state }) {
      const { context } = state
      if (state.matches('sent')) {
        await expect(page.getByRole('heading', { name: 'Request received' })).toBeVisible()
        return expect(page.getByText(`If ${email} belongs to an account`)).toBeVisible()
      }
      await expect(access.submit).toHaveText(state.matches('sending') ? 'Sending…' : 'Reset Password')
      expect(typed.trim() === '').toBe(context.email.trim() === '')
      await expect(access.email).toHaveValue(typed)
      await expect(access.email).toHaveAccessibleDescription(context.message ?? '')
    },
  }
}
