import {
  array,
  boolean,
  enums,
  type Infer,
  literal,
  nullable,
  object,
  optional,
  size,
  string,
  type,
} from 'superstruct'
import { choice } from '../choice.ts'
import { between, Celsius, Count, Id, IsoInstant, Line } from '../scalars.ts'
import { Doer } from './changes.ts'

/** So long a budget may be at most, minutes: a year. */
export const MOST_BUDGET_MINUTES = 366 * 24 * 60
const Minutes = between(0, MOST_BUDGET_MINUTES)

/**
 * How long goods may be beyond a temperature. `isInclusive`: at the limit is beyond it. `minutes` 0: never; null: the company has
 * not said yet, so that it is counted and decides nothing. `isFullAllowed`: they may be beyond it for all of the time, and are too long
 * only after it. `spell`: all the time in all, or the longest at a stretch. `ifNeverBeyond`: they may be longer, while never beyond
 * another temperature.
 */
export const TimeRule = object({
  kind: literal('time'),
  side: enums(['above', 'below']),
  limit: Celsius,
  isInclusive: boolean(),
  minutes: nullable(Minutes),
  isFullAllowed: boolean(),
  spell: enums(['total', 'longest']),
  ifNeverBeyond: optional(object({ limit: Celsius, minutes: Minutes })),
})
export type TimeRule = Infer<typeof TimeRule>

/** Hours over which a mean kinetic temperature may be reckoned: a day, and 30 days. */
export const MKT_HOURS = [24, 720] as const

/**
 * How warm goods may be in the mean: the mean kinetic temperature of any `hours` is at most `limit`. `onlyAbove`: of those alone in
 * which they were above it.
 */
export const MktRule = object({
  kind: literal('mkt'),
  limit: Celsius,
  hours: enums(MKT_HOURS),
  onlyAbove: nullable(Celsius),
})
export type MktRule = Infer<typeof MktRule>

export const ProfileRule = choice('kind', { time: TimeRule, mkt: MktRule })
export type ProfileRule = Infer<typeof ProfileRule>

export const MOST_RULES = 8
/** Profiles a company may have beside those shipped. */
export const MOST_PROFILES = 100

/**
 * What goods may be exposed to. `source`: where the rules are from, shown as it is. `mktDecides` false: the mean kinetic temperature is shown
 * and decides nothing. `steepest`: °C a minute, the fastest that goods' surroundings change while nothing is measured; `surroundings`:
 * °C, the coldest and warmest they may be then.
 */
export const ProfileForm = object({
  name: Line,
  source: size(string(), 0, 500),
  rules: size(array(ProfileRule), 1, MOST_RULES),
  mktDecides: boolean(),
  steepest: between(0.01, 20),
  surroundings: object({ low: Celsius, high: Celsius }),
})
export type ProfileForm = Infer<typeof ProfileForm>

/**
 * A profile as a company has it. `number`: which of its versions, 0 as it is shipped and was never taken; `version`: the same for
 * `If-Match`. `changedAt`, `changedBy`: who set that version.
 */
export const Profile = type({
  profileId: Id,
  number: Count,
  version: string(),
  ...ProfileForm.schema,
  /** one of those that are shipped, changed or not */
  isShipped: boolean(),
  changedAt: nullable(IsoInstant),
  changedBy: Doer,
})
export type Profile = Infer<typeof Profile>

/**
 * Which groups and devices were given a profile themselves; what is below a group has it too unless it was given another. `above`: what the
 * visitor's own group has of one above it that was given a profile; null: none was.
 */
export const ProfileAssignments = type({
  above: nullable(Id),
  groups: array(type({ groupId: Id, profileId: Id })),
  devices: array(type({ imei: string(), profileId: Id })),
})
export type ProfileAssignments = Infer<typeof ProfileAssignments>
