import { is } from 'superstruct'
import type { CommandOf } from '#machines/contracts/commands.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import { Email } from '#machines/contracts/scalars.ts'
import { ADMINISTRATION } from '#machines/projections/administrators.ts'
import { type Directory, userByLogin } from '#machines/projections/directory.ts'
import { mailboxOf } from '#machines/rules/mailbox.ts'
import { userNameFrom } from '#machines/rules/user-form.ts'
import { type Decision, decided, faulty, refuse } from '../decision.ts'
import { originOf } from '../structure.ts'
import { EMAIL_TAKEN } from '../users/create-user.ts'
import { issued, linkIssued } from './email-links.ts'

/** Where administrators are: a group without devices, of no company, so that every page has something to show. */
const ownGroup = (command: CommandOf<'administrator.create'>): NewFact => ({
  ...originOf(command, ADMINISTRATION),
  type: 'group.created',
  data: {
    groupId: ADMINISTRATION,
    companyId: ADMINISTRATION,
    parentId: null,
    name: 'Administration',
    description: '',
    lowTemperatureThreshold: 2,
    highTemperatureThreshold: 8,
    lowHumidityThreshold: 20,
    highHumidityThreshold: 80,
  },
})

/**
 * Somebody who belongs to no company, sets companies up and enters them, with the link by which they choose their
 * password. Who has not chosen one yet gets another link; the one before works no more.
 */
export function createAdministrator(
  directory: Directory,
  command: CommandOf<'administrator.create'>,
): Decision {
  const { at, by, data } = command
  const email = data.email.trim()
  if (!is(email, Email)) return faulty([{ path: 'email', message: 'Invalid email!' }])
  const known = userByLogin(directory, email)
  if (known?.superAdmin === true && known.passwordHash === null)
    return decided(...issued(directory, known, at, data.link, by))
  if (known !== undefined) return refuse(409, EMAIL_TAKEN)
  const user = {
    userId: data.userId,
    companyId: ADMINISTRATION,
    groupId: ADMINISTRATION,
    firstName: data.firstName.trim() || 'Administrator',
    lastName: data.lastName.trim(),
    userName: userNameFrom(email, (userName) => directory.logins.has(mailboxOf(userName))),
    email,
    phone: '',
    type: 'Manager',
    role: 'admin',
    superAdmin: true,
  }
  return decided(
    ...(directory.groups.has(ADMINISTRATION) ? [] : [ownGroup(command)]),
    { ...originOf(command, ADMINISTRATION), type: 'user.created', data: user },
    linkIssued(user, at, data.link, by),
  )
}
