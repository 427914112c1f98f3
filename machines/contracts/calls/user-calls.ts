import { array, enums, type Infer, object, type as open, optional, size, string } from 'superstruct'
import { ChangeHistory } from '../entities/changes.ts'
import { ManagedUser, NotificationSettings } from '../entities/users.ts'
import { AlertSwitches, MailSwitches } from '../entities/violation-types.ts'
import { Id } from '../scalars.ts'
import { AsOf, PageAsOf } from './as-of.ts'
import { calls } from './call.ts'

const ById = object({ id: Id })
const Message = open({ message: string() })
/** As it is typed: `machines/rules/user-form.ts` says what is wrong with it, in the words the form uses. */
const Typed = size(string(), 0, 254)
const Settings = open({ ...NotificationSettings.schema, version: string() })

/** How creating a user went, and whom it made. Refusals say `code: 'error'` too. */
export const UserCreated = open({
  code: enums(['success', 'error']),
  message: string(),
  user: optional(ManagedUser),
})
export type UserCreated = Infer<typeof UserCreated>

export const USER_CALLS = calls({
  groupUsers: {
    method: 'GET',
    path: '/groups/{groupId}/users',
    summary: 'Users of a group and of all below it.',
    access: 'session',
    params: object({ groupId: Id }),
    query: AsOf,
    answer: array(ManagedUser),
  },
  user: {
    method: 'GET',
    path: '/users/{id}',
    summary: 'One user.',
    access: 'session',
    params: ById,
    answer: ManagedUser,
    versioned: true,
  },
  userHistory: {
    method: 'GET',
    path: '/users/{id}/history',
    summary: 'Who changed what of a user, newest first; for managers.',
    access: 'session',
    params: ById,
    query: PageAsOf,
    answer: ChangeHistory,
  },
  createUser: {
    method: 'POST',
    path: '/users',
    summary: 'Create a user; an activation mail goes out.',
    access: 'session',
    body: object({
      firstName: Typed,
      lastName: Typed,
      /** made of the e-mail address where left out */
      userName: optional(Typed),
      email: Typed,
      phone: Typed,
      /** '' where none was chosen */
      groupId: size(string(), 0, 64),
      /** Manager and user where left out */
      type: optional(Typed),
      role: optional(Typed),
    }),
    answer: UserCreated,
    status: 201,
  },
  updateUser: {
    method: 'PUT',
    path: '/users/{id}',
    summary: 'Change name, group, phone or role.',
    access: 'session',
    params: ById,
    body: object({
      firstName: Typed,
      lastName: Typed,
      groupId: size(string(), 0, 64),
      phone: Typed,
      role: optional(Typed),
    }),
    answer: ManagedUser,
    versioned: true,
  },
  deleteUser: {
    method: 'DELETE',
    path: '/users/{id}',
    summary: 'Delete a user; their sessions end.',
    access: 'session',
    params: ById,
    answer: Message,
  },
  resendLink: {
    method: 'POST',
    path: '/users/resendLink',
    summary: 'Send the activation mail again.',
    access: 'session',
    body: ById,
    answer: Message,
  },
  notificationSettings: {
    method: 'GET',
    path: '/users/{id}/notifications/settings',
    summary: 'What a user is notified about.',
    access: 'session',
    params: ById,
    answer: Settings,
    versioned: true,
  },
  updateNotificationSettings: {
    method: 'PUT',
    path: '/users/{id}/notifications/settings',
    summary: 'Change what a user is notified about.',
    access: 'session',
    params: ById,
    body: NotificationSettings,
    answer: Settings,
    versioned: true,
  },
  updateSmsEmailSetting: {
    method: 'PUT',
    path: '/users/updateSmsEmailSetting/{id}',
    summary:
      'Which violations, and whether exhausted budgets, reach a user by SMS and by e-mail, and whether a manager gets the daily head of the record. A switch that is left out stays as it is.',
    access: 'session',
    params: ById,
    body: object({ sms: object(AlertSwitches.schema), email: object(MailSwitches.schema) }),
    /** `type`: of the user; absent: the server is of before it said so */
    answer: open({ sms: AlertSwitches, email: MailSwitches, type: optional(string()), version: string() }),
    versioned: true,
  },
})
