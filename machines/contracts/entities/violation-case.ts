import { array, boolean, enums, type Infer, nullable, optional, string, type } from 'superstruct'
import { Count, Finite, IsoInstant } from '../scalars.ts'
import { Notification, NotificationWhy } from './notifications.ts'
import { SignedOff } from './sign-off.ts'

/** One thing that happened to a violation. `who`: who did it, empty: Frostline; `text`: their reason or comment, or empty. */
export const CaseEvent = type({
  at: IsoInstant,
  what: enums([
    'opened',
    'found',
    'found-late',
    'revised',
    'ended',
    'acknowledged',
    'taken',
    'released',
    'shelved',
    'unshelved',
    'commented',
    'closed',
  ]),
  who: string(),
  text: string(),
  /** of shelving */
  until: optional(IsoInstant),
})
export type CaseEvent = Infer<typeof CaseEvent>

/** What was known of a violation from `knownAt` on; `neverWas`: late readings showed that it was none. */
export const CaseVersion = type({
  knownAt: IsoInstant,
  since: IsoInstant,
  isSinceBefore: optional(boolean()),
  openedAt: IsoInstant,
  /** null: it lasted then */
  clearedAt: nullable(IsoInstant),
  threshold: Finite,
  /** null: not known yet */
  worst: nullable(Finite),
  neverWas: boolean(),
  /** that came late and showed it */
  readingsLate: Count,
})
export type CaseVersion = Infer<typeof CaseVersion>

/** All there is to say of one violation, as of now. */
export const ViolationCase = type({
  notification: Notification,
  why: NotificationWhy,
  /** the company's, in which its times are shown */
  zone: string(),
  /** oldest first; what was known at first, then each time it became otherwise */
  events: array(CaseEvent),
  versions: array(CaseVersion),
  /** who closed it, and why; null: it is open */
  closed: nullable(type({ reason: string(), signOff: SignedOff })),
})
export type ViolationCase = Infer<typeof ViolationCase>
