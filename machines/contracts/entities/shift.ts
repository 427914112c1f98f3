import { array, boolean, enums, type Infer, nullable, string, type } from 'superstruct'
import { Count, Id, IncidentKind, IsoInstant } from '../scalars.ts'
import { CHANGE_ACTIONS, Doer, FieldChange } from './changes.ts'
import { Incident } from './incidents.ts'
import { LoadAction, LoadState } from './loads.ts'

/** What somebody did about incidents of a device; `taken-back`: late readings showed that a violation never was. */
export const SHIFT_ACTIONS = [
  'acknowledged',
  'taken',
  'released',
  'commented',
  'shelved',
  'unshelved',
  'taken-back',
] as const

export const ShiftAction = type({
  at: IsoInstant,
  action: enums(SHIFT_ACTIONS),
  /** who; null: nobody, the server or the readings did */
  userName: nullable(string()),
  imei: string(),
  /** null: of no kind, as a comment under any notification */
  type: nullable(IncidentKind),
  /** why, or what was said; may be empty */
  text: string(),
})
export type ShiftAction = Infer<typeof ShiftAction>

/** What somebody changed at once of one device or group, and of how many more: `name` as it is called now. */
export const ShiftChange = type({
  at: IsoInstant,
  by: Doer,
  of: enums(['groups', 'devices']),
  /** of a group, or the imei */
  id: Id,
  name: string(),
  others: Count,
  action: enums(CHANGE_ACTIONS),
  changes: array(FieldChange),
  more: Count,
})
export type ShiftChange = Infer<typeof ShiftChange>

/**
 * A load that is at risk now, or of which news was recorded since: exhausted, corrected, reviewed, decided about. That one was opened or
 * closed is daily work. `words`: how much of its budget is used.
 */
export const ShiftLoad = type({
  loadId: Id,
  reference: string(),
  imei: string(),
  deviceName: string(),
  state: LoadState,
  words: string(),
  /** newest first; empty: it is at risk, and nothing else */
  news: array(LoadAction),
})
export type ShiftLoad = Infer<typeof ShiftLoad>

/**
 * What happened in a group since somebody left: by when it was recorded, so that what late readings say of earlier hours is news
 * too. Lists are newest first and bounded, counts are of all.
 */
export const ShiftSummary = type({
  since: IsoInstant,
  until: IsoInstant,
  /** violations and lost devices that came up since: those that last, and those that are over by now */
  opened: array(Incident),
  /** those that lasted when somebody left and are over now */
  ended: array(Incident),
  counts: type({
    opened: Count,
    stillOpen: Count,
    lost: Count,
    stillLost: Count,
    ended: Count,
    actions: Count,
    loads: Count,
    /** of loads: at risk now, exhausted since, released or rejected since */
    atRisk: Count,
    exhausted: Count,
    decided: Count,
  }),
  /** the worst first */
  loads: array(ShiftLoad),
  actions: array(ShiftAction),
  /** null: the visitor may not read who changed what */
  changes: nullable(array(ShiftChange)),
  /** more was changed than is listed */
  hasMoreChanges: boolean(),
})
export type ShiftSummary = Infer<typeof ShiftSummary>
