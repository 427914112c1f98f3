import type { Evaluation } from '#machines/contracts/entities/evaluation.ts'
import type { Thresholds } from '#machines/contracts/entities/thresholds.ts'
import type { Fact, FactType } from '#machines/contracts/facts.ts'
import { type Judgement, judgementOf, type Limits, limitsOf } from '#machines/rules/limits.ts'

/** What a device is evaluated by: the limits of its group, the patience (ms) of its company. One object for all in a group. */
export type DeviceLimits = { temperature: Limits; humidity: Limits; patience: number }

type Group = { companyId: string; thresholds: Thresholds; evaluation?: Evaluation; limits: DeviceLimits }
type Company = Judgement & { limits: DeviceLimits }

/**
 * The limits of every device at one position of the log. It is a fold of its own, because a threshold holds for the
 * readings after it, wherever the read models are.
 */
export type LimitsTable = {
  companies: Map<string, Company>
  groups: Map<string, Group>
  /** by device number */
  imeis: string[]
  /** what its violations are called by: its IMEI, and its number with it where another device had that before */
  names: string[]
  companyIds: string[]
  devices: DeviceLimits[]
  numbers: Map<string, number>
}

const NOTHING: Judgement = {
  violationDelaySeconds: 0,
  clearMarginTemperature: 0,
  clearMarginHumidity: 0,
  patienceSeconds: 600,
}

const NO_ROOM: Thresholds = {
  lowTemperatureThreshold: 0,
  highTemperatureThreshold: 0,
  lowHumidityThreshold: 0,
  highHumidityThreshold: 0,
}

export const emptyLimitsTable = (): LimitsTable => ({
  companies: new Map(),
  groups: new Map(),
  imeis: [],
  names: [],
  companyIds: [],
  devices: [],
  numbers: new Map(),
})

/** The facts that limits depend on. */
export const LIMITS_FACTS = [
  'company.registered',
  'group.created',
  'group.updated',
  'group.evaluation-set',
  'device.registered',
  'device.updated',
  'device.tracker-replaced',
  'device.retired',
] as const satisfies FactType[]

/** Folds one fact in, in place. @returns the devices whose limits changed */
export function evolveLimits(table: LimitsTable, fact: Fact): number[] {
  switch (fact.type) {
    case 'company.registered':
      table.companies.set(fact.data.companyId, { ...fact.data, limits: limitsFrom(undefined, fact.data) })
      return []
    case 'group.created': {
      const { groupId, companyId } = fact.data
      const limits = limitsFrom(fact.data, table.companies.get(companyId))
      table.groups.set(groupId, { companyId, thresholds: thresholdsOf(fact.data, NO_ROOM), limits })
      return []
    }
    case 'group.updated': {
      const group = table.groups.get(fact.data.groupId)
      if (group === undefined) return []
      group.thresholds = thresholdsOf(fact.data, group.thresholds)
      return limitGroup(table, group)
    }
    case 'group.evaluation-set': {
      const group = table.groups.get(fact.data.groupId)
      if (group === undefined) return []
      group.evaluation = fact.data
      return limitGroup(table, group)
    }
    case 'device.registered': {
      const { no, imei, companyId, groupId } = fact.data
      giveImei(table, imei, no)
      table.companyIds[no] = companyId
      table.devices[no] = limitsIn(table, groupId, companyId)
      return []
    }
    case 'device.updated': {
      const no = table.numbers.get(fact.data.imei)
      if (no === undefined || fact.data.groupId === undefined) return []
      const before = table.devices[no]
      if (before === undefined) return []
      const now = limitsIn(table, fact.data.groupId, table.companyIds[no] as string)
      table.devices[no] = now
      return areSame(before.temperature, now.temperature) && areSame(before.humidity, now.humidity)
        ? []
        : [no]
    }
    case 'device.tracker-replaced': {
      const { no, after } = fact.data
      giveImei(table, after, no)
      return []
    }
    case 'device.retired':
      // without limits it is not evaluated: neither what it still sends nor its silence
      delete table.devices[fact.data.no]
      return []
    default:
      return []
  }
}

/** A violation is called by when it began: one that a tracker sends again must not be taken for that of the device before. */
function giveImei({ imeis, names, numbers }: LimitsTable, imei: string, no: number): void {
  const before = numbers.get(imei)
  imeis[no] = imei
  names[no] = before === undefined || before === no ? imei : `${imei}-${no}`
  numbers.set(imei, no)
}

/** Gives a group the limits of what it has set. @returns its devices, where they became others */
function limitGroup(table: LimitsTable, group: Group): number[] {
  const company = table.companies.get(group.companyId)
  const { temperature, humidity } = limitsFrom(
    group.thresholds,
    company && judgementOf(company, group.evaluation),
  )
  const isSame = areSame(group.limits.temperature, temperature) && areSame(group.limits.humidity, humidity)
  Object.assign(group.limits, { temperature, humidity })
  return isSame ? [] : [...table.devices.keys()].filter((no) => table.devices[no] === group.limits)
}

function limitsIn(table: LimitsTable, groupId: string | null, companyId: string): DeviceLimits {
  const group = groupId === null ? undefined : table.groups.get(groupId)
  return group?.limits ?? table.companies.get(companyId)?.limits ?? limitsFrom(undefined, undefined)
}

function limitsFrom(thresholds: Thresholds | undefined, company: Judgement | undefined): DeviceLimits {
  const judgement = company ?? NOTHING
  return {
    temperature: limitsOf('temperature', thresholds, judgement),
    humidity: limitsOf('humidity', thresholds, judgement),
    patience: judgement.patienceSeconds * 1000,
  }
}

function thresholdsOf(
  changes: { [T in keyof Thresholds]?: number | undefined },
  before: Thresholds,
): Thresholds {
  return {
    lowTemperatureThreshold: changes.lowTemperatureThreshold ?? before.lowTemperatureThreshold,
    highTemperatureThreshold: changes.highTemperatureThreshold ?? before.highTemperatureThreshold,
    lowHumidityThreshold: changes.lowHumidityThreshold ?? before.lowHumidityThreshold,
    highHumidityThreshold: changes.highHumidityThreshold ?? before.highHumidityThreshold,
  }
}

function areSame(a: Limits, b: Limits): boolean {
  return (['low', 'high', 'delay', 'margin', 'gap'] as const).every((name) => Object.is(a[name], b[name]))
}
