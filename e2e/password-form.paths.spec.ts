import { model } from '#machines/password-form/password-form.samples.ts'
import type { Path, PathStep } from '#machines/testing/path-model.ts'
import { walk } from '#machines/testing/paths.ts'
import { type App, expect, test, type Visitor } from './app.ts'
import { holdBack } from './held.ts'

/**
 * The paths generated from the machine of a new password, walked on the page for the code of a mail: what stands in the
 * fields and what is said of each must be what the machine says, step by step.
 */
test.use({ world: { of: 'password form paths', devices: 40 } })

const EMAIL = 'lahore@indus.example'
const found = walk(model)

for (const path of found.paths)
  test(wordsOf(path), async ({ visitor, app }) => {
    visitor.trouble.allow(/40[0-4]|429/)
    const stage = await enter(visitor, app, path)
    for (const [i, step] of path.steps.entries()) {
      if (i > 0) await stage.bringAbout(step)
      await stage.shows(step)
    }
  })

test('every transition is walked', () => {
  const walked = new Set(found.paths.flatMap(({ takes }) => takes))
  expect(found.transitions.filter((one) => !walked.has(one))).toEqual([])
})

async function enter(visitor: Visitor, app: App, path: Path) {
  const { page, access, shell, login } = visitor
  const isSet = path.steps.some(({ event }) => event.type === 'xstate.done.actor.setPassword')
  const code = isSet ? await codeOfMail(visitor, app) : '000000'
  await page.goto('/confirm-code/lahoreindus')
  const held = await holdBack(page, /\/api\/auth\/confirm-user/)
  const fields = { code: access.code, password: access.password, confirmPassword: access.again }
  type Name = keyof typeof fields

  const events: Record<string, (step: PathStep) => Promise<void>> = {
    'field.changed': ({ event }) =>
      fields[event.field as Name].fill(event.field === 'code' ? code : event.value),
    submit: () => access.submit.click(),
    'xstate.done.actor.setPassword': async () => {
      await held.isHeld()
      await held.release()
    },
    'xstate.error.actor.setPassword': async () => {
      await held.isHeld()
      await held.release()
      await expect(shell.toasts).not.toHaveCount(0)
    },
  }
  return {
    async bringAbout(step: PathStep) {
      const bring = events[step.event.type]
      if (bring === undefined) throw new Error(`Nobody has said how ${step.event.type} comes about`)
      await bring(step)
    },
    async shows({ state }: PathStep) {
      if (state.matches('done')) {
        await login.isShown()
        return expect(shell.toasts).toContainText('New password is set successfully')
      }
      await expect(access.submit).toHaveText(state.matches('submitting') ? 'Setting…' : 'Set Password')
      for (const [name, field] of Object.entries(fields) as [Name, typeof access.code][]) {
        const typed = state.context.now[name]
        await expect(field).toHaveValue(name === 'code' && typed !== '' ? code : typed)
        await expect(field).toHaveAccessibleDescription(state.context.messages[name] ?? '')
      }
    },
  }
}

/** The code that is mailed to who asks for it on the page. */
async function codeOfMail({ access, page }: Visitor, app: App): Promise<string> {
  await access.askForMail(EMAIL)
  await expect(page.getByRole('heading', { name: /^Please check your resgistered email/ })).toBeVisible()
  let code: string | undefined
  await expect
    .poll(
      async () => {
        const [mail] = await app.sim.outbox(EMAIL)
        code = mail?.text.match(/^ +(\d{6})$/m)?.[1]
        return code
      },
      { message: 'the mail is sent' },
    )
    .toBeDefined()
  return code ?? ''
}

function wordsOf({ steps }: Path): string {
  const [, ...rest] = steps
  return rest.map(({ event }) => model.describe(event)).join(', then ')
}
