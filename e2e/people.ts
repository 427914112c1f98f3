import { AUTH_CALLS } from '#machines/contracts/calls/auth-calls.ts'
import { USER_CALLS } from '#machines/contracts/calls/user-calls.ts'
import { type App, expect, PASSWORD } from './app.ts'
import type { Mail } from './control.ts'
import { requestMail } from './request-mail.ts'

/** Somebody who was made for one test: what is counted against an account is not counted against another test's. */
export type Person = { id: string; userName: string; email: string }

let people = 0
/** an app that was tested before knows those of then */
const since = Date.now().toString(36)

/** What it takes to have people in an app. */
type Server = Pick<App, 'url' | 'api' | 'sim'>

/** A new user of the operator's company, who has not activated their account yet. */
export async function invite(app: Server, groupId = app.api.groupId): Promise<Person> {
  const userName = `sana${since}${++people}`
  const email = `${userName}@indus.example`
  const { user } = await app.api.ask(USER_CALLS.createUser, {
    body: {
      firstName: 'Sana',
      lastName: 'Mir',
      userName,
      email,
      phone: '03001234567',
      groupId,
      type: 'Manager',
      role: 'user',
    },
  })
  if (user === undefined) throw new Error(`${userName} was not made`)
  return { id: user._id, userName, email }
}

/** A new user who has the password of the demo accounts. */
export async function newUser(app: Server, groupId?: string): Promise<Person> {
  const person = await invite(app, groupId)
  const token = tokenOf(await mailTo(app, person))
  await app.api.ask(AUTH_CALLS.activate, { params: { token }, body: { password: PASSWORD } })
  return person
}

/** They ask for a mail to set another password. */
export async function forgetPassword(app: Server, person: Person): Promise<Mail> {
  const { length } = await app.sim.linkMails(person.email)
  await requestMail(app, person.email)
  return mailTo(app, person, length + 1)
}

/** The newest mail to somebody, as soon as they have had so many. */
export async function mailTo(app: Server, { email }: Pick<Person, 'email'>, count = 1): Promise<Mail> {
  let mails: Mail[] = []
  await expect
    .poll(
      async () => {
        mails = await app.sim.linkMails(email)
        return mails.length
      },
      { message: `${email} is sent mail ${count}` },
    )
    .toBe(count)
  return mails[0] as Mail
}

/** The token of the link in a mail. */
export function tokenOf({ links }: Mail): string {
  const token = links
    .find((link) => /\/(activate|set-password)\//.test(link))
    ?.split('/')
    .at(-1)
  if (token === undefined) throw new Error(`No link in ${links.join(', ') || 'the mail'}`)
  return token
}

/** The code of a mail to set another password. */
export function codeOf({ text }: Mail): string {
  const code = text.match(/^ +(\d{6})$/m)?.[1]
  if (code === undefined) throw new Error(`No code in ${text}`)
  return code
}
