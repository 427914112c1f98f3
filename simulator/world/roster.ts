/** Who is in the world: every device of every fleet, with an identity that does not depend on the others. */
import type { Fleet, Scenario, ScenarioCompany, ScenarioUser, Tracker } from '#machines/contracts/scenario.ts'
import { hash32, keyOf, PURPOSE } from './random.ts'

/** A simulated device as it is registered. `index`: its place in the world's order. `ordinal`: in its fleet, from 1. */
export type WorldDevice = {
  index: number
  imei: string
  companyId: string
  groupId: string
  name: string
  plateNumber: string
  vehicleMakeAndModel: string
  type: 'vehicle' | 'warehouse'
  source: 'world'
  fleet: Fleet
  ordinal: number
  /** key of its random streams */
  key: number
}

/** What has to be registered before the first message: everything in the order given here. */
export type Registration = {
  companies: ScenarioCompany[]
  users: ScenarioUser[]
  /** of every account */
  password: string
  devices: WorldDevice[]
  /** devices whose readings come from elsewhere; registered after `devices` */
  trackers: Tracker[]
}

/**
 * @param size number of simulated devices, the scenario's own when undefined; fleets are scaled in proportion
 * A device of a small world is the same device in a large one: it is known by fleet and ordinal.
 */
export function registrationOf(scenario: Scenario, seed: number, size?: number): Registration {
  const devices: WorldDevice[] = []
  const counts = scaledCounts(scenario.fleets, size)
  scenario.fleets.forEach((fleet, f) => {
    for (let ordinal = 1; ordinal <= (counts[f] as number); ordinal++)
      devices.push(deviceOf(fleet, ordinal, devices.length, seed))
  })
  return {
    companies: scenario.companies,
    users: scenario.users,
    password: scenario.password,
    devices,
    trackers: scenario.trackers,
  }
}

/** Largest remainders, so that the parts add up to the whole. */
function scaledCounts(fleets: Fleet[], size: number | undefined): number[] {
  const total = fleets.reduce((sum, fleet) => sum + fleet.count, 0)
  if (size === undefined || total === 0) return fleets.map((fleet) => fleet.count)
  const exact = fleets.map((fleet) => (fleet.count * size) / total)
  const counts = exact.map(Math.floor)
  let missing = size - counts.reduce((sum, n) => sum + n, 0)
  const byRemainder = exact
    .map((v, i) => ({ i, rest: v - Math.floor(v) }))
    .sort((a, b) => b.rest - a.rest || a.i - b.i)
  for (const { i } of byRemainder) {
    if (missing-- <= 0) break
    counts[i] = (counts[i] as number) + 1
  }
  return counts
}

function deviceOf(fleet: Fleet, ordinal: number, index: number, seed: number): WorldDevice {
  const imei = imeiOf(fleet.tac, ordinal)
  const key = keyOf(seed, imei)
  return {
    index,
    imei,
    companyId: fleet.companyId,
    groupId: fleet.groupId,
    name: filled(fleet.name, ordinal, key, 0),
    plateNumber: filled(fleet.plate, ordinal, key, 100),
    vehicleMakeAndModel: fleet.models[hash32(key, PURPOSE.identity, 7) % fleet.models.length] as string,
    type: fleet.type,
    source: 'world',
    fleet,
    ordinal,
    key,
  }
}

/** The IMEI of a fleet's n-th device: type allocation code, a serial number that is not simply the ordinal, and the Luhn digit (3GPP TS 23.003, annex B). */
export function imeiOf(tac: string, ordinal: number): string {
  const serial = (ordinal * 7919 + 104_729) % 1_000_000
  const body = tac + String(serial).padStart(6, '0')
  let sum = 0
  for (let i = 0; i < 14; i++) {
    const digit = body.charCodeAt(i) - 48
    const doubled = i % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return body + ((10 - (sum % 10)) % 10)
}

/** Which device of its fleet an IMEI is, if it is any: from 1 to a million. Told by the serial number alone. */
export function ordinalOf(imei: string): number {
  const ordinal = ((Number(imei.slice(8, 14)) + 1_000_000 - 104_729) * UNDO_7919) % 1_000_000
  return ordinal || 1_000_000
}

/** 7919 times it is 1 more than a multiple of a million. */
const UNDO_7919 = 17_679

const LETTERS = 'ABCDEFGHJKLMNPRSTUVWXYZ'

function filled(pattern: string, ordinal: number, key: number, from: number): string {
  let counter = from
  return pattern.replace(/\{(n(?::(\d+))?|A|9)\}/g, (_, token: string, width?: string) => {
    if (token.startsWith('n')) return String(ordinal).padStart(Number(width ?? 1), '0')
    const draw = hash32(key, PURPOSE.identity, ++counter)
    return token === '9' ? String(draw % 10) : (LETTERS[draw % LETTERS.length] as string)
  })
}
