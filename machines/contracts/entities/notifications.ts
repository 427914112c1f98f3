import { array, boolean, enums, type Infer, nullable, string, type } from 'superstruct'
import { Finite, Id, IsoInstant } from '../scalars.ts'

/** `vehicleOffline` is shown as Device unplugged, `vehicleOnline` as Device pluggedin. */
export const NotificationType = enums([
  'LOW_TEMPERATURE_DETECTED',
  'LOW_HUMIDITY_DETECTED',
  'HIGH_TEMPERATURE_DETECTED',
  'HIGH_HUMIDITY_DETECTED',
  'TEMP_SENSOR_UNPLUGGED',
  'vehicleOffline',
  'vehicleOnline',
])
export type NotificationType = Infer<typeof NotificationType>

export const Comment = type({ _id: Id, userName: string(), comment: string(), createdAt: IsoInstant })
export type Comment = Infer<typeof Comment>

export const Notification = type({
  _id: Id,
  name: string(),
  type: NotificationType,
  /** imei */
  thing: string(),
  thingId: Id,
  thingName: string(),
  plateNumber: string(),
  message: string(),
  lat: nullable(Finite),
  lng: nullable(Finite),
  createdAt: IsoInstant,
  passengerCheck: boolean(),
  comments: array(Comment),
})
export type Notification = Infer<typeof Notification>
