import {
  array,
  boolean,
  type Infer,
  nullable,
  optional,
  partial,
  record,
  type Struct,
  string,
  type,
  unknown,
} from 'superstruct'
import { named } from '../described.ts'
import { Celsius, Count, Finite, HumidityThreshold, Id } from '../scalars.ts'
import { AccountManager, Partner } from './companies.ts'
import { Evaluation } from './evaluation.ts'

/** How long somebody may drive without rest, minutes. */
export const FatigueThreshold = type({ enabled: boolean(), drivingMinutes: Count, restMinutes: Count })
export type FatigueThreshold = Infer<typeof FatigueThreshold>

const GROUP = {
  _id: Id,
  /** same as `_id`: both are in use */
  id: Id,
  name: string(),
  description: string(),
  /** where its picture is, e.g. /api/images/…; the address of another picture is another one */
  image: nullable(string()),
  parentId: nullable(Id),
  companyId: Id,
  /** imeis of the devices directly in the group, and of those below it too; only of the group asked for by its id */
  things: optional(array(string())),
  allThings: optional(array(string())),
  /** devices in the group and below; of these in a group below; in the group itself, in none below */
  totalVehicles: Count,
  assignedVehicles: Count,
  unAssignedvehicles: Count,
  /** how many users belong to the group itself */
  users: Count,
  highTemperatureThreshold: Celsius,
  lowTemperatureThreshold: Celsius,
  highHumidityThreshold: HumidityThreshold,
  lowHumidityThreshold: HumidityThreshold,
  /** how its limits are evaluated; null: as its company has it, which `companyEvaluation` says */
  ...partial(Evaluation).schema,
  companyEvaluation: optional(type(Evaluation.schema)),
  /** axes and sliders: from the company's profile */
  tmin: Celsius,
  tmax: Celsius,
  hmin: HumidityThreshold,
  hmax: HumidityThreshold,
  /** km/h; the documents' default, and those after it left out, until something sets them, which no call does */
  overSpeedingThreshold: optional(Finite),
  lowIntensityOverSpeeding: optional(Finite),
  highIntensityOverSpeeding: optional(Finite),
  nrConfig: optional(record(string(), unknown())),
  fatigueThreshold: optional(FatigueThreshold),
  /** grows with each change of its fields or devices; opaque */
  version: string(),
  bam: optional(nullable(AccountManager)),
  partner: optional(nullable(Partner)),
}

type GroupFields = Infer<typeof GROUP_BARE>
const GROUP_BARE = type(GROUP)
export type Group = GroupFields & { child: Group[] }

/** A group as the group table and its forms know it, with all groups below. */
export const Group: Struct<Group, unknown> = named('Group', () => type({ ...GROUP, child: array(Group) }))

/** The documents' bounds for axes and sliders, where a company's profile has none; °C and %. */
export const DEFAULT_BOUNDS = { tmin: -30, tmax: 70, hmin: -40, hmax: 100 } as const

/** The documents' limit of speed for a group that has none of its own, km/h. No screen uses it. */
export const DEFAULT_OVER_SPEEDING_THRESHOLD = 120
