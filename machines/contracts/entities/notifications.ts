import { array, boolean, enums, type Infer, nullable, optional, string, type } from 'superstruct'
import { Count, Finite, Id, IsoInstant, ViolationType } from '../scalars.ts'

/** Those the documents list. `vehicleOffline` is shown as Device unplugged, `vehicleOnline` as Device pluggedin. */
export const DocumentedType = enums([
  'LOW_TEMPERATURE_DETECTED',
  'LOW_HUMIDITY_DETECTED',
  'HIGH_TEMPERATURE_DETECTED',
  'HIGH_HUMIDITY_DETECTED',
  'TEMP_SENSOR_UNPLUGGED',
  'vehicleOffline',
  'vehicleOnline',
])
/** And that the budget of the load on a device is exhausted. */
export const NotificationType = enums([...Object.values(DocumentedType.schema), 'BUDGET_EXHAUSTED'])
export type NotificationType = Infer<typeof NotificationType>

export const Comment = type({ _id: Id, userName: string(), comment: string(), createdAt: IsoInstant })
export type Comment = Infer<typeof Comment>

/** Who takes care of a violation, since when and why it is known; no `reason`: none was given. */
export const Acknowledged = type({
  userName: string(),
  comment: string(),
  reason: optional(string()),
  createdAt: IsoInstant,
})
export type Acknowledged = Infer<typeof Acknowledged>

/** Who has a violation, and since when: who took it, or acknowledged it while nobody had it. */
export const Holder = type({ userId: string(), userName: string(), since: IsoInstant })
export type Holder = Infer<typeof Holder>

export const Notification = type({
  /** of the fact it is about: `f` and its `seq` */
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
  /** the nearest town, or how far and which way from it; empty where its position is not known */
  place: optional(string()),
  createdAt: IsoInstant,
  /** nobody has said yet whether a person was in the unplugged vehicle */
  passengerCheck: boolean(),
  comments: array(Comment),
  /** null where it is about no violation */
  violationId: nullable(Id),
  /** when the violation ended; null while it lasts */
  clearedAt: nullable(IsoInstant),
  acknowledged: nullable(Acknowledged),
  /** who has the violation; null: nobody */
  holder: optional(nullable(Holder)),
  /** its kind is silenced on its device: listed and counted as any, never shouted */
  shelved: optional(nullable(type({ until: IsoInstant, reason: string(), userName: string() }))),
  /** the same again as what somebody takes care of: listed and counted as any, never shouted */
  isRepeat: boolean(),
  /**
   * of a violation that was found late, when it happened and when it was known: it stands at `createdAt`, when it was published.
   * `readings`: how many came late; null: not counted
   */
  foundLate: optional(
    type({ since: IsoInstant, openedAt: IsoInstant, knownSince: IsoInstant, readings: nullable(Count) }),
  ),
  /**
   * late readings, or those of before the record (`isOfPast`), say otherwise of the violation than what was published: it was since
   * then, or since before that; null: it never was
   */
  revised: optional(
    nullable(
      type({
        since: IsoInstant,
        openedAt: IsoInstant,
        worst: Finite,
        isOfPast: optional(boolean()),
        isSinceBefore: optional(boolean()),
      }),
    ),
  ),
})
export type Notification = Infer<typeof Notification>

/** One who was notified of a violation. `waiting`: a letter or message not sent yet; `detail`: why it failed, or empty. */
export const Delivery = type({
  userName: string(),
  channel: enums(['screen', 'email', 'sms']),
  at: IsoInstant,
  state: enums(['seen', 'sent', 'waiting', 'failed']),
  detail: string(),
})
export type Delivery = Infer<typeof Delivery>

/** A reading that came more than two minutes after it was measured. */
const LateReading = type({ at: IsoInstant, receivedAt: IsoInstant, value: Finite })

/** Why there is a violation: what was measured, against what, and who was notified. */
export const NotificationWhy = type({
  violation: type({
    type: ViolationType,
    /** first reading beyond the threshold; the one that made it a violation */
    since: IsoInstant,
    /** it may have begun earlier: nothing is known of before */
    isSinceBefore: optional(boolean()),
    openedAt: IsoInstant,
    value: Finite,
    /** in force then, °C or % */
    threshold: Finite,
    delaySeconds: Count,
    clearMargin: Finite,
    /** those that opened it, oldest first */
    readings: array(type({ at: IsoInstant, value: Finite })),
    clearedAt: nullable(IsoInstant),
    /** farthest beyond the threshold, once it is over */
    worst: nullable(Finite),
    clearReason: nullable(enums(['back-inside', 'threshold-changed', 'sensor-unplugged'])),
  }),
  /**
   * What came late: the reading that made it a violation (null: that one was in time), and the first of all its readings that
   * did. Left out where nothing came late.
   */
  late: optional(type({ opening: nullable(LateReading), first: LateReading })),
  /** what was published before late readings, or those of before the record, showed it otherwise */
  toldAs: optional(type({ since: IsoInstant, openedAt: IsoInstant })),
  /** when the cargo's door was open from half an hour before on, at most ten; `to`: null where it still was */
  doors: optional(array(type({ from: IsoInstant, to: nullable(IsoInstant) }))),
  /** the group whose threshold it was, as it is called now; null where it is gone or not known */
  groupName: nullable(string()),
  acknowledged: nullable(Acknowledged),
  /** the acknowledged violation that this one repeats */
  repeats: nullable(
    type({
      notificationId: Id,
      openedAt: IsoInstant,
      clearedAt: nullable(IsoInstant),
      acknowledged: nullable(Acknowledged),
    }),
  ),
  told: array(Delivery),
})
export type NotificationWhy = Infer<typeof NotificationWhy>
