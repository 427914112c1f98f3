/**
 * Socket.IO namespace `/notifications`. The server puts a socket into its own rooms; every event out carries `seq`.
 * A client that comes back says `after` and gets exactly what it missed, or `{ snapshot: true }` when that is too long ago.
 * The binary side, `/live`, is in live-frame.ts and live-messages.ts.
 */
import {
  array,
  boolean,
  coerce,
  type Infer,
  intersection,
  literal,
  nullable,
  object,
  optional,
  type Struct,
  size,
  string,
  tuple,
  type,
} from 'superstruct'
import { Notification } from './entities/notifications.ts'
import { PublicFact } from './public-facts.ts'
import { Count, EpochMs, Id, Imei, Seq, ThingStatus } from './scalars.ts'

/** The error with which `/notifications` refuses one more window of a user who has too many open; `/live` has a code. */
export const CROWDED = 'too many windows'

export const NOTIFICATIONS_NAMESPACE = '/notifications'

/** A fact by its place in the log and when it was recorded: where another is in its place, the log is another. */
export const LogMark = type({ seq: Seq, recordedAt: EpochMs })
export type LogMark = Infer<typeof LogMark>

/**
 * `handshake.auth`; what else a client says there is not read. `refreshToken`: what the `logout` event names, kept in memory
 * alone (it is stored hashed).
 */
export const HandshakeAuth = type({
  token: size(string(), 1, 4096),
  after: optional(Seq),
  /** of the log that `after` is a position of, as `facts` named it last */
  mark: optional(LogMark),
  /** of the client (protocol.ts); left out by those of before it was said */
  protocol: optional(Count),
  refreshToken: optional(size(string(), 1, 1024)),
})
export type HandshakeAuth = Infer<typeof HandshakeAuth>

/** The documents write `room {userId}`, which is read as an object by some and as the id itself by others. */
const forUser = <T extends { userId: string }, S>(struct: Struct<T, S>): Struct<T, S> =>
  coerce(struct, string(), (userId) => ({ userId }))

/** What a client gets that asks for a room and wants an answer. */
export const RoomAnswer = type({ isIn: boolean(), message: string() })
export type RoomAnswer = Infer<typeof RoomAnswer>

/**
 * What a client may say. With a foreign id it is ignored. `upTo`: the last notification on screen; all that was sent
 * by then where left out.
 */
export const CLIENT_EVENTS = {
  room: forUser(object({ userId: Id })),
  seeNotifications: forUser(object({ userId: Id, upTo: optional(Seq) })),
} as const
export type ClientEvents = { [E in keyof typeof CLIENT_EVENTS]: Infer<(typeof CLIENT_EVENTS)[E]> }

/** Devices in one `catchingUp`; more are in several. */
export const MOST_CATCHING_UP = 2000

/**
 * What the server says. `notification` and `vehicleStatusChanged` come before the `facts` that they are about: who is cut
 * off in between hears them again, with the same `seq`.
 */
export const SERVER_EVENTS = {
  notification: intersection([Notification, type({ seq: Seq })]),
  vehicleStatusChanged: type({
    seq: Seq,
    imei: Imei,
    groupId: nullable(Id),
    from: ThingStatus,
    thingStatus: ThingStatus,
  }),
  /** a session ended elsewhere: the client whose refresh token or identity this is signs out */
  logout: type({ seq: Seq, refreshToken: nullable(string()), identityId: Id }),
  /**
   * facts in the visitor's scope, ascending; `seq`: all up to here has been sent, `prevSeq`: where the message before ended, `mark`: the
   * newest fact by then, whomever it concerns
   */
  facts: type({ prevSeq: Seq, seq: Seq, facts: array(PublicFact), mark: optional(LogMark) }),
  /** too long ago to know what was missed: fetch anew. `isAnew`: the client's `mark` is of another log, no position of which counts here */
  snapshot: type({ seq: Seq, snapshot: literal(true), isAnew: optional(literal(true)) }),
  /**
   * Devices that deliver their past, about once a second while any does: number, how many minutes of it have come, of how many
   * (0: it is over). `isWhole`: of all others nothing is known. Of no position in the log, and never sent twice.
   */
  catchingUp: type({
    isWhole: boolean(),
    devices: size(array(tuple([Count, Count, Count])), 0, MOST_CATCHING_UP),
  }),
} as const
export type ServerEvents = { [E in keyof typeof SERVER_EVENTS]: Infer<(typeof SERVER_EVENTS)[E]> }
