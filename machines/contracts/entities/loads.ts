import {
  array,
  boolean,
  enums,
  type Infer,
  nullable,
  number,
  optional,
  size,
  string,
  type,
} from 'superstruct'
import { Celsius, Count, Finite, Id, IsoInstant, Line } from '../scalars.ts'
import { Profile, ProfileRule } from './profiles.ts'
import { SignedOff } from './sign-off.ts'

/**
 * What is so of a load. `at-risk`: 80 % of a budget is used, or it is exhausted within two hours at the present temperature; `closed`: over
 * while within its budget. What was exhausted stays so, closed or not, until somebody reviewed it.
 */
export const LOAD_STATES = [
  'within',
  'at-risk',
  'exhausted',
  'in-review',
  'released',
  'rejected',
  'closed',
] as const
export const LoadState = enums(LOAD_STATES)
export type LoadState = Infer<typeof LoadState>

/** What a load is called by those who ship it: a consignment, an order, a batch. */
export const LoadReference = Line

/**
 * How much of one rule is used: minutes beyond the limit, or the mean kinetic temperature of its hours so far, °C. `used` is what
 * was measured, `least` and `most` what it is between with what was not; null: nothing was measured. `allowed` null: it decides nothing.
 */
export const RuleBudget = type({
  rule: ProfileRule,
  used: nullable(Finite),
  least: nullable(Finite),
  most: nullable(Finite),
  allowed: nullable(Finite),
  /** of what is allowed, %; null: nothing was measured, or it decides nothing */
  percent: nullable(Finite),
  /** Σ minutes · °C beyond the limit; null: of a mean kinetic temperature there is none */
  degreeMinutes: nullable(Finite),
  exhaustedAt: nullable(IsoInstant),
})
export type RuleBudget = Infer<typeof RuleBudget>

/** The mean kinetic temperature of all of a load, °C, and what it is between with what was not measured. */
const Mkt = type({ value: Celsius, least: Celsius, most: Celsius })

/**
 * How much of its profile a load has used. `percent`: of the rule that is nearest to its end, by what is sure to have been used; `most`: by
 * the most it may have been. `words`: the same in the words used everywhere; null of `measuredMinutes`: not measured.
 */
export const Budget = type({
  state: enums(['within', 'at-risk', 'exhausted']),
  percent: nullable(Finite),
  most: nullable(Finite),
  /** when the first budget is exhausted at the present temperature; null: never, or it is */
  exhaustsAt: nullable(IsoInstant),
  exhaustedAt: nullable(IsoInstant),
  /** the reading that all this is as of; null: none yet */
  asOf: nullable(IsoInstant),
  temperature: nullable(Celsius),
  lowest: nullable(Celsius),
  highest: nullable(Celsius),
  measuredMinutes: Finite,
  /** minutes without readings between two of them */
  gapMinutes: Finite,
  mkt: nullable(Mkt),
  rules: array(RuleBudget),
  words: string(),
})
export type Budget = Infer<typeof Budget>

/** What somebody decided about a load: who, when, and why; `signOff`: where they signed it. */
export const LoadDecision = type({
  userName: string(),
  at: IsoInstant,
  reason: string(),
  signOff: optional(SignedOff),
})

/** A row of the list of loads. `percent`, `most`, `exhaustsAt`, `words`: as its budget says. */
export const LoadRow = type({
  _id: Id,
  reference: string(),
  state: LoadState,
  imei: string(),
  deviceName: string(),
  plateNumber: string(),
  groupId: nullable(Id),
  groupName: string(),
  profileId: Id,
  profileName: string(),
  /** of which version of its profile it is evaluated */
  profileNumber: Count,
  openedAt: IsoInstant,
  openedBy: string(),
  /** null: it is under way */
  closedAt: nullable(IsoInstant),
  percent: nullable(Finite),
  most: nullable(Finite),
  exhaustsAt: nullable(IsoInstant),
  exhaustedAt: nullable(IsoInstant),
  words: string(),
  decision: nullable(LoadDecision),
})
export type LoadRow = Infer<typeof LoadRow>

/** A time in which a load was beyond a limit of its profile. `worst`: °C, the farthest out; `to` null: it lasts. */
export const LoadSpell = type({
  from: IsoInstant,
  to: nullable(IsoInstant),
  minutes: Finite,
  side: enums(['above', 'below']),
  limit: Celsius,
  worst: Celsius,
})
export type LoadSpell = Infer<typeof LoadSpell>

/** Where a load was, one town after the other. */
export const LoadPlace = type({ from: IsoInstant, to: IsoInstant, place: string(), lat: Finite, lng: Finite })
export type LoadPlace = Infer<typeof LoadPlace>

export const LOAD_ACTIONS = [
  'opened',
  'exhausted',
  'revised',
  'review-begun',
  'released',
  'rejected',
  'closed',
] as const
/**
 * What happened to a load; `userName` null: nobody did it, the readings did. `text`: why, or what; may be empty. `knownSince`: when the
 * readings that say so came, where they came late.
 */
export const LoadAction = type({
  at: IsoInstant,
  action: enums(LOAD_ACTIONS),
  userName: nullable(string()),
  text: string(),
  knownSince: optional(IsoInstant),
})
export type LoadAction = Infer<typeof LoadAction>

/** Its temperature and what was used of it, as columns, thinned, oldest first: epoch ms, °C, %; null: a gap begins. */
export const LoadCourse = type({
  at: array(number()),
  temperature: array(nullable(Finite)),
  percent: array(nullable(Finite)),
})
export type LoadCourse = Infer<typeof LoadCourse>

/**
 * A load and all there is to say of it. `may`: what the visitor may do with it now; `keptFrom`: since when its readings are kept, where
 * those of before are no longer; what was published by them stays.
 */
export const Load = type({
  ...LoadRow.schema,
  keptFrom: optional(IsoInstant),
  profile: Profile,
  budget: Budget,
  may: type({ close: boolean(), beginReview: boolean(), decide: boolean() }),
})
export type Load = Infer<typeof Load>

/** The same with its story. Spells and places are the first so many; `more`: there were so many more. */
export const LoadStory = type({
  ...Load.schema,
  minutes: Finite,
  spells: array(LoadSpell),
  moreSpells: Count,
  places: array(LoadPlace),
  morePlaces: Count,
  actions: array(LoadAction),
  course: LoadCourse,
})
export type LoadStory = Infer<typeof LoadStory>

/**
 * The budgets of devices that carry a load, as columns beside those of the fleet. `revision`: what to ask after next time; `isWhole`: of
 * devices that are not named nothing is known, else they are as before. `state`: place in LOAD_STATES, -1: it carries none any more.
 * `percent`, `most`: % used, -1: not measured; `exhaustsAt`: epoch ms, 0: never. `told`: position of the last fact about loads one sees.
 */
export const BudgetColumns = type({
  revision: Count,
  isWhole: boolean(),
  told: Count,
  device: array(Count),
  state: array(Finite),
  percent: array(Finite),
  most: array(Finite),
  exhaustsAt: array(Finite),
})
export type BudgetColumns = Infer<typeof BudgetColumns>

/** The columns of a list of loads, in the order of the template. */
export const LOAD_COLUMNS = ['IMEI', 'Reference', 'Profile', 'Since', 'Close'] as const
export type LoadColumn = (typeof LOAD_COLUMNS)[number]

/** What is wrong with which line of a list of loads, and in which column; the heading is line 1. */
export const LoadLineFault = type({
  line: Count,
  imei: string(),
  column: enums(LOAD_COLUMNS),
  reason: string(),
})
export type LoadLineFault = Infer<typeof LoadLineFault>

export const LOAD_LINES = 10_000
export const LOAD_FILE_BYTES = 2 * 1024 * 1024
/** Faults of a list that are named; there may be more. */
export const MOST_LINE_FAULTS = 200

/** Why somebody decides so. */
export const LoadReason = size(string(), 1, 1000)

/** A device's load now, and what one opened on it has for a profile unless another is said; null: none was given. */
export const DeviceBudget = type({
  load: nullable(Load),
  profile: nullable(type({ profileId: Id, name: string(), from: optional(string()) })),
})
export type DeviceBudget = Infer<typeof DeviceBudget>

/** Of a load that was on a device in the time asked for: its budget beside the chart. */
export const BudgetTrack = type({
  loadId: Id,
  reference: string(),
  from: IsoInstant,
  to: nullable(IsoInstant),
  state: LoadState,
  course: LoadCourse,
})
export type BudgetTrack = Infer<typeof BudgetTrack>
