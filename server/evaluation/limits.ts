import type { Fact, FactType, Thresholds } from '#machines/contracts/facts.ts'
import { type Judgement, type Limits, limitsOf } from '#machines/rules/limits.ts'

/** How a device is judged: what its group demands, with the patience of its company. One object for all in a group. */
export type Band = { temperature: Limits; humidity: Limits; patience: number }

type Group = { companyId: string; thresholds: Thresholds; band: Band }
type Company = Judgement & { band: Band }

/**
 * Every device's band as of a place in the log: a fold of facts of its own, because a threshold holds for the readings
 * after it, not for those that read models happen to have seen.
 */
export type Bands = {
  companies: Map<string, Company>
  groups: Map<string, Group>
  /** by device number */
  imeis: string[]
  companyIds: string[]
  bands: Band[]
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

export const emptyBands = (): Bands => ({
  companies: new Map(),
  groups: new Map(),
  imeis: [],
  companyIds: [],
  bands: [],
  numbers: new Map(),
})

/** The facts a band depends on. */
export const BAND_FACTS = [
  'company.registered',
  'group.created',
  'group.updated',
  'device.registered',
  'device.updated',
] as const satisfies FactType[]

/** Folds one fact in, in place. @returns the devices whose limits are others now */
export function evolveBands(bands: Bands, fact: Fact): number[] {
  switch (fact.type) {
    case 'company.registered':
      bands.companies.set(fact.data.companyId, { ...fact.data, band: bandOf(undefined, fact.data) })
      return []
    case 'group.created': {
      const { groupId, companyId } = fact.data
      const band = bandOf(fact.data, bands.companies.get(companyId))
      bands.groups.set(groupId, { companyId, thresholds: thresholdsOf(fact.data, NO_ROOM), band })
      return []
    }
    case 'group.updated': {
      const group = bands.groups.get(fact.data.groupId)
      if (group === undefined) return []
      group.thresholds = thresholdsOf(fact.data, group.thresholds)
      const { temperature, humidity } = bandOf(group.thresholds, bands.companies.get(group.companyId))
      const isSame = areSame(group.band.temperature, temperature) && areSame(group.band.humidity, humidity)
      Object.assign(group.band, { temperature, humidity })
      return isSame ? [] : [...bands.bands.keys()].filter((no) => bands.bands[no] === group.band)
    }
    case 'device.registered': {
      const { no, imei, companyId, groupId } = fact.data
      bands.imeis[no] = imei
      bands.companyIds[no] = companyId
      bands.bands[no] = bandFor(bands, groupId, companyId)
      bands.numbers.set(imei, no)
      return []
    }
    case 'device.updated': {
      const no = bands.numbers.get(fact.data.imei)
      if (no === undefined || fact.data.groupId === undefined) return []
      const before = bands.bands[no] as Band
      const now = bandFor(bands, fact.data.groupId, bands.companyIds[no] as string)
      bands.bands[no] = now
      return areSame(before.temperature, now.temperature) && areSame(before.humidity, now.humidity)
        ? []
        : [no]
    }
    default:
      return []
  }
}

function bandFor(bands: Bands, groupId: string | null, companyId: string): Band {
  const group = groupId === null ? undefined : bands.groups.get(groupId)
  return group?.band ?? bands.companies.get(companyId)?.band ?? bandOf(undefined, undefined)
}

function bandOf(thresholds: Thresholds | undefined, company: Judgement | undefined): Band {
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
