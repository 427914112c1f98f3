import {
  array,
  enums,
  type Infer,
  max,
  min,
  nullable,
  object,
  optional,
  size,
  string,
  type,
} from 'superstruct'
import { Count, Finite, Id, Imei, IsoInstant, saying } from '../scalars.ts'
import { Delay } from './evaluation.ts'

/** Days of readings that limits are tried on at most, and candidates tried at once. */
export const TRIAL_DAYS = 31
export const MOST_CANDIDATES = 3
/** So far beyond the limit a missed violation is serious, °C or % (ours). */
export const SERIOUS = 2

export const TriedQuantity = enums(['temperature', 'humidity'])

/** Limits to be tried, °C or %: `delaySeconds` beyond them it is a violation, back inside by `margin` it is over. */
export const Candidate = object({
  low: Finite,
  high: Finite,
  delaySeconds: Delay,
  margin: saying(max(min(Finite, 0), 50), { minimum: 0, maximum: 50 }),
})
export type Candidate = Infer<typeof Candidate>

const Minutes = min(Finite, 0)

/** What limits made of the readings. `told`: alarms, without those that repeat, were each acknowledged; `atNight`: of these, 22 to 6. */
export const TrialFigures = type({
  episodes: Count,
  /** that had any */
  devices: Count,
  minutesOut: Minutes,
  told: Count,
  atNight: Count,
  floods: Count,
})
export type TrialFigures = Infer<typeof TrialFigures>

/** Beside what was in force. Lead: by how many minutes it is alerted earlier, the median of those both have; null: they have none. */
export const CandidateFigures = type({
  ...TrialFigures.schema,
  missed: Count,
  /** of these, 2 °C (or %) and more beyond the limit in force, or a budget of a load was exhausted in it */
  missedSerious: Count,
  /** of these, those in which a budget was exhausted; absent: tried when budgets did not count */
  missedExhausting: optional(Count),
  added: Count,
  medianLeadMinutes: nullable(Finite),
})
export type CandidateFigures = Infer<typeof CandidateFigures>

/** One violation: `side` of the band, beyond it since, published at, over at (null: it lasts), epoch ms; how far it went. */
export const TrialEpisode = type({
  side: enums(['high', 'low']),
  since: Finite,
  openedAt: Finite,
  clearedAt: nullable(Finite),
  worst: Finite,
})
export type TrialEpisode = Infer<typeof TrialEpisode>

/** A device for the chart: lowest and highest value of each of as many equal parts of the time (null: not measured), and episodes. */
export const TrialDevice = type({
  imei: Imei,
  name: string(),
  lows: array(nullable(Finite)),
  highs: array(nullable(Finite)),
  /** under what was in force, then under each candidate; the newest of each */
  episodes: array(array(TrialEpisode)),
  missed: Count,
})
export type TrialDevice = Infer<typeof TrialDevice>

export const TrialResult = type({
  readings: Count,
  /** how long it took, s */
  seconds: Minutes,
  inForce: TrialFigures,
  candidates: array(CandidateFigures),
  /** those the candidates make a difference to, most first */
  devices: array(TrialDevice),
})
export type TrialResult = Infer<typeof TrialResult>

export const TrialState = enums(['running', 'done', 'failed', 'cancelled'])

/** Limits tried on the readings of a group's devices. */
export const LimitsTrial = type({
  _id: Id,
  groupId: Id,
  quantity: TriedQuantity,
  from: IsoInstant,
  to: IsoInstant,
  candidates: size(array(Candidate), 1, MOST_CANDIDATES),
  /** what was in force when it was begun */
  inForce: Candidate,
  userName: string(),
  startedAt: IsoInstant,
  state: TrialState,
  /** why it failed, in words */
  reason: nullable(string()),
  /** so many devices of so many are through */
  done: Count,
  of: Count,
})
export type LimitsTrial = Infer<typeof LimitsTrial>

export const LimitsTrialWithResult = type({ ...LimitsTrial.schema, result: nullable(TrialResult) })
export type LimitsTrialWithResult = Infer<typeof LimitsTrialWithResult>

/** How much would be tried, and how long that takes about, s: by readings counted and a measured pace. */
export const TrialEstimate = type({ readings: Count, seconds: Minutes })
export type TrialEstimate = Infer<typeof TrialEstimate>
