import { AUTH_CALLS } from '#machines/contracts/calls/auth-calls.ts'
import { model } from '#machines/forgot-password/forgot-password.samples.ts'
import { expect, test } from './app.ts'
import { holdBack } from './held.ts'
import { leadsTo, walkInBrowser } from './paths.ts'
import { mailTo } from './people.ts'

/** The paths generated from the machine that asks for a mail to set another password. */
test.use({ world: { of: 'forgot password paths', devices: 40 } })

const REFUSED = 'xstate.error.actor.askForMail'
const SENT = 'Please check your resgistered email to reset password'
/** Mails somebody may ask for within five minutes. */
const ENOUGH = 5

walkInBrowser(model, async ({ page, access, shell, trouble }, app, path) => {
  const email = leadsTo(path, REFUSED) ? 'operator@indus.example' : 'lahore@indus.example'
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
        expect((await mailTo(app, { email })).links[0]).toContain('/set-password/')
      },
      [REFUSED]: async () => {
        trouble.allow(/429/)
        for (let asked = 0; asked < ENOUGH; asked++)
          await app.api.ask(AUTH_CALLS.forgotPassword, { body: { email } })
        await held.release()
        await shell.says(/Too many attempts, try again in \d+ s/)
      },
      again: () => page.getByRole('button', { name: 'Send again' }).click(),
    },
    async shows({ state }) {
      const { context } = state
      if (state.matches('sent')) {
        await expect(page.getByRole('heading', { name: SENT })).toBeVisible()
        return expect(page.getByText(`If ${email} belongs to an account`)).toBeVisible()
      }
      await expect(access.submit).toHaveText(state.matches('sending') ? 'Sending…' : 'Reset Password')
      expect(typed.trim() === '').toBe(context.email.trim() === '')
      await expect(access.email).toHaveValue(typed)
      await expect(access.email).toHaveAccessibleDescription(context.message ?? '')
    },
  }
})
