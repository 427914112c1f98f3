import type { Comment } from '../contracts/entities/notifications.ts'
import type { Fact, FactOf, FactType } from '../contracts/facts.ts'
import { type Directory, deviceOfFact } from './directory.ts'
import { emptyIncidents, evolveIncidents, INCIDENT_FACTS, type Incidents } from './incidents.ts'
import { notificationTypeOf } from './notification-type.ts'
import {
  emptyViolations,
  foldAcknowledged,
  foldCaseClosed,
  foldCleared,
  foldFoundLate,
  foldOpened,
  foldReplaced,
  foldRevised,
  foldTakenAgain,
  type Violations,
} from './violations.ts'

/** Whether somebody was in a vehicle that was unplugged. */
export type PassengerCheck = {
  /** `seq` of the newest notification that asks, and of the newest answer; 0: none */
  asked: number
  answered: number
  isPassenger: boolean
}

/**
 * What people made of notifications: what they have seen, said and taken care of, and what became of violations. A fold
 * of facts, in place; the notifications themselves are in the log.
 */
export type Attention = {
  violations: Violations
  incidents: Incidents
  /** by notification, oldest first */
  comments: Map<string, Comment[]>
  /** by user: all up to this `seq` is seen */
  seen: Map<string, number>
  /** by device number */
  passengers: Map<number, PassengerCheck>
}

export const emptyAttention = (): Attention => ({
  violations: emptyViolations(),
  incidents: emptyIncidents(),
  comments: new Map(),
  seen: new Map(),
  passengers: new Map(),
})

/** Folds one fact in, in place. `directory` knows the devices. */
export function evolveAttention(attention: Attention, directory: Directory, fact: Fact): void {
  const apply = APPLY[fact.type] as
    | ((attention: Attention, fact: Fact, directory: Directory) => void)
    | undefined
  apply?.(attention, fact, directory)
  evolveIncidents(attention.incidents, fact)
}

type Apply = { [T in FactType]?: (attention: Attention, fact: FactOf<T>, directory: Directory) => void }

const APPLY: Apply = {
  'violation.opened': ({ violations }, fact) => foldOpened(violations, fact),
  'violation.cleared': ({ violations }, fact) => foldCleared(violations, fact),
  'violation.found-late': ({ violations }, fact) => foldFoundLate(violations, fact),
  'violation.revised': ({ violations }, fact) => foldRevised(violations, fact),
  'violation.acknowledged': ({ violations }, fact) => foldAcknowledged(violations, fact),
  'device.registered': ({ violations }, fact) => foldTakenAgain(violations, fact),
  'device.tracker-replaced': ({ violations }, fact) => foldReplaced(violations, fact),
  'case.closed': ({ violations }, fact) => foldCaseClosed(violations, fact),
  'notification.commented': (attention, { at, data }) => {
    const { notificationId, commentId, userName, comment } = data
    const known = { _id: commentId, userName, comment, createdAt: new Date(at).toISOString() }
    attention.comments.set(notificationId, commentsOn(attention, notificationId).concat(known))
  },
  // what was before somebody came is no news to them
  'user.created': ({ seen }, { seq, data }) => {
    seen.set(data.userId, seq)
  },
  'notifications.seen': (attention, { data: { userId, upTo } }) => {
    attention.seen.set(userId, Math.max(upTo, seenBy(attention, userId)))
  },
  'user.deleted': ({ seen }, { data }) => {
    seen.delete(data.userId)
  },
  'device-status.changed': (attention, fact, directory) => {
    const isUnplugged = notificationTypeOf(fact) === 'vehicleOffline'
    const device = isUnplugged ? deviceOfFact(directory, fact) : undefined
    if (device?.type === 'vehicle') notePassenger(attention, device.no, { asked: fact.seq })
  },
  'passenger.checked': (attention, fact, directory) => {
    const { isPassenger } = fact.data
    const device = deviceOfFact(directory, fact)
    if (device) notePassenger(attention, device.no, { answered: fact.seq, isPassenger })
  },
}

/** The facts it is a fold of. */
export const ATTENTION_FACTS = [...new Set([...(Object.keys(APPLY) as FactType[]), ...INCIDENT_FACTS])]

/** Up to which `seq` somebody has seen everything. */
export const seenBy = ({ seen }: Attention, userId: string): number => seen.get(userId) ?? 0

/** Oldest first. */
export const commentsOn = ({ comments }: Attention, notificationId: string): readonly Comment[] =>
  comments.get(notificationId) ?? []

const NOT_REQUESTED: PassengerCheck = { asked: 0, answered: 0, isPassenger: false }
/** As if none was requested where nothing is known. */
export const passengerCheckOf = ({ passengers }: Attention, deviceNo: number): PassengerCheck =>
  passengers.get(deviceNo) ?? NOT_REQUESTED

function notePassenger(attention: Attention, deviceNo: number, known: Partial<PassengerCheck>): void {
  attention.passengers.set(deviceNo, { ...passengerCheckOf(attention, deviceNo), ...known })
}
