import { boolean, type Infer, object, string, type } from 'superstruct'
import { Finite, Id } from '../scalars.ts'
import { GroupNode } from './groups.ts'
import { ViolationSwitches } from './violation-types.ts'

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

/** A user as the user list and its forms know them. */
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
  smsSetting: ViolationSwitches,
  emailSetting: ViolationSwitches,
})
export type ManagedUser = Infer<typeof ManagedUser>

/** What a user wants to be told about. */
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
