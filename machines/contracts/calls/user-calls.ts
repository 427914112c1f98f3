import { array, enums, type Infer, object, type as open, optional, size, string } from 'superstruct'
import { ManagedUser, NotificationSettings } from '../entities/users.ts'
import { ViolationSwitches } from '../entities/violation-types.ts'
import { Email, Id, Line } from '../scalars.ts'
import { calls } from './call.ts'

const ById = object({ id: Id })
const Message = open({ message: string() })
const Switches = object(ViolationSwitches.schema)

/** How creating a user went, and whom it made. */
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
    answer: array(ManagedUser),
  },
  user: {
    method: 'GET',
    path: '/users/{id}',
    summary: 'One user.',
    access: 'session',
    params: ById,
    answer: ManagedUser,
  },
  createUser: {
    method: 'POST',
    path: '/users',
    summary: 'Create a user; an activation mail goes out.',
    access: 'session',
    body: object({
      firstName: Line,
      lastName: Line,
      userName: optional(Line),
      email: Email,
      phone: size(string(), 1, 20),
      groupId: Id,
      type: optional(Line),
      role: optional(Line),
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
      firstName: Line,
      lastName: Line,
      groupId: Id,
      phone: size(string(), 1, 20),
      role: optional(Line),
    }),
    answer: ManagedUser,
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
    summary: 'What a user is told about.',
    access: 'session',
    params: ById,
    answer: open(NotificationSettings.schema),
  },
  updateNotificationSettings: {
    method: 'PUT',
    path: '/users/{id}/notifications/settings',
    summary: 'Change what a user is told about.',
    access: 'session',
    params: ById,
    body: NotificationSettings,
    answer: open(NotificationSettings.schema),
  },
  updateSmsEmailSetting: {
    method: 'PUT',
    path: '/users/updateSmsEmailSetting/{id}',
    summary: 'Which violations reach a user by SMS and by e-mail.',
    access: 'session',
    params: ById,
    body: object({ sms: Switches, email: Switches }),
    answer: open({ sms: ViolationSwitches, email: ViolationSwitches }),
  },
})
