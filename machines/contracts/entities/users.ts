import { boolean, type Infer, object, optional, string, type } from 'superstruct'
import { Finite, Id } from '../scalars.ts'
import { GroupNode } from './group-info.ts'
import { AlertSwitches, MailSwitches } from './violation-types.ts'

/** The user signed in. `exp`: when the session ends for good, epoch seconds (the access token has its own, in its claims). */
export const SessionUser = type({
  _id: Id,
  name: string(),
  userName: string(),
  groupId: Id,
  companyId: Id,
  exp: Finite,
})
export type SessionUser = Infer<typeof SessionUser>

/** What a user is for. A Manager answers for what others do, and so may read who changed what; nothing else depends on it. */
export const USER_TYPES = ['Manager', 'User'] as const
export const DEFAULT_USER_TYPE = 'Manager'
/** What a user does. No permission depends on it: the documents show none by role. Drivers stand in lists of drivers. */
export const USER_ROLES = ['admin', 'operator', 'driver', 'user'] as const
export const DEFAULT_USER_ROLE = 'user'

/** Whom an access token speaks for. `handoff`: a super admin inside the company named, which is not their own. */
export const Me = type({
  ...SessionUser.schema,
  companyName: string(),
  /** in which times are shown; absent: the server is of before it said so */
  timeZone: optional(string()),
  superAdmin: boolean(),
  handoff: boolean(),
  /** whether they may keep the keys of that company; absent: the server is of before it said so */
  keepsKeys: optional(boolean()),
  /** the type of a user they make, where they say none; absent: the server is of before it said so */
  newUserType: optional(string()),
})
export type Me = Infer<typeof Me>

/** A user as the user list and its forms know them. Lists leave the `child` groups of `group` out. */
export const ManagedUser = type({
  _id: Id,
  firstName: string(),
  lastName: string(),
  userName: string(),
  email: string(),
  phone: string(),
  group: GroupNode,
  type: string(),
  role: string(),
  smsSetting: AlertSwitches,
  emailSetting: MailSwitches,
  /** whether they have set a password; until then the activation mail can be sent again */
  activated: boolean(),
  /** grows with each change of the user or of what they are notified about; opaque */
  version: string(),
})
export type ManagedUser = Infer<typeof ManagedUser>

/** What a user wants to be notified about. */
export const NotificationSettings = object({
  geoFenceEntry: boolean(),
  geoFenceExit: boolean(),
  harshAcceleration: boolean(),
  harshBrake: boolean(),
  overSpeeding: boolean(),
  sharpTurn: boolean(),
  vehicleMoving: boolean(),
  vehicleParked: boolean(),
  vehicleOffline: boolean(),
  vehicleOnline: boolean(),
  unfasten_seatbelt: boolean(),
  engineKilled: boolean(),
  engineReleased: boolean(),
  warningPopup: boolean(),
  buzzer: boolean(),
})
export type NotificationSettings = Infer<typeof NotificationSettings>
