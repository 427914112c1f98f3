import type { CommandOf } from '#machines/contracts/commands.ts'
import { DEFAULT_USER_ROLE, DEFAULT_USER_TYPE, type USER_TYPES } from '#machines/contracts/entities/users.ts'
import { type Directory, isWithin } from '#machines/projections/directory.ts'
import { mailboxOf } from '#machines/rules/mailbox.ts'
import { type NewUserForm, newUserFaults, normalPhone, userNameFrom } from '#machines/rules/user-form.ts'
import { invitationWait, linkIssued, tooSoon } from '../access/email-links.ts'
import { SESSION_OVER } from '../access/sessions.ts'
import { type Decision, decided, faulty, NOT_FOUND, type Refused, refuse } from '../decision.ts'
import { originOf } from '../structure.ts'

export const EMAIL_TAKEN = 'A user with this email already exists'
/** Who may read who changed what. */
const MANAGER: (typeof USER_TYPES)[number] = 'Manager'
const MANAGERS_MAKE_MANAGERS = 'Only a manager can create a manager'
export const USER_NAME_TAKEN = 'This user name is already taken'

/**
 * A user of a group in the requester's scope, together with the link by which they set their password: there is none of them
 * without the other. An address or user name belongs to one user in the whole server, because both sign in with it. 429 where as
 * many links were mailed to the address, or by the company, as may be in a day.
 */
export function createUser(directory: Directory, command: CommandOf<'user.create'>, topId: string): Decision {
  const { userId, link, ...typed } = command.data
  const creator = command.by === null ? undefined : directory.users.get(command.by)
  if (command.by !== null && creator === undefined) return refuse(401, SESSION_OVER)
  const group = directory.groups.get(typed.groupId)
  if (typed.groupId !== '' && (group === undefined || !isWithin(directory, group._id, topId)))
    return refuse(404, NOT_FOUND)
  const isTaken = (login: string) => directory.logins.has(mailboxOf(login))
  const form: NewUserForm = {
    ...typed,
    userName: typed.userName ?? userNameFrom(typed.email.trim(), isTaken),
    type: typed.type ?? newUserType(directory, command.by),
    role: typed.role ?? DEFAULT_USER_ROLE,
  }
  const faults = newUserFaults(form)
  if (form.type === MANAGER && creator !== undefined && !creator.superAdmin && creator.type !== MANAGER)
    faults.push({ path: 'type', message: MANAGERS_MAKE_MANAGERS })
  if (faults.length > 0 || group === undefined) return faulty(faults)
  const user = {
    userId,
    companyId: group.companyId,
    groupId: group._id,
    firstName: form.firstName.trim(),
    lastName: form.lastName.trim(),
    userName: form.userName.trim(),
    email: form.email.trim(),
    phone: normalPhone(form.phone),
    type: form.type.trim(),
    role: form.role.trim(),
  }
  if (isTaken(user.email)) return { facts: [], refused: taken('email', EMAIL_TAKEN) }
  if (isTaken(user.userName)) return { facts: [], refused: taken('userName', USER_NAME_TAKEN) }
  const wait = invitationWait(directory, user, command.at)
  if (wait > 0) return refuse(429, tooSoon(wait))
  return decided(
    { ...originOf(command, user.companyId), type: 'user.created', data: user },
    linkIssued(user, command.at, link, command.by),
  )
}

/** Nobody makes somebody who may do more than they may themselves. @param by who makes a user; null: the server */
export const newUserType = ({ users }: Directory, by: string | null): string =>
  (by === null ? undefined : users.get(by)?.type) ?? DEFAULT_USER_TYPE

const taken = (path: string, message: string): Refused => ({
  status: 409,
  message,
  extra: { path, errors: [{ path, message }] },
})
