import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeJson } from '#machines/contracts/decode.ts'
import { ScenarioFile, type ScenarioGroup } from '#machines/contracts/scenario.ts'
import { writeOneCompany } from '../bench/large-world.ts'

/** Ms between two readings of a device. */
export const ROUND_MS = 10_000
/** Readings a gateway hands over at once. */
const A_BATCH = 100
/** Devices that get too warm now and then, for one reading: so many that there are two alarms a second. */
const ALARMING = 600
const ROUNDS_BETWEEN_ALARMS = 30
const TOO_WARM = 5
const FIRST_IMEI = 353_000_000_000_000
const COMPANY = 'indus'
/** Groups besides the top one that somebody looks at. */
const LOOKED_AT = 12

/** Whose readings come: what each of them is at each moment can be reckoned by whoever sends and whoever checks. */
export type Fleet = {
  devices: number
  gateways: number
  /** devices of a gateway, by index */
  of(gateway: number): number[]
  imei(device: number): string
  /** when a gateway hands over what it measured in a round, ms after the first round began */
  due(gateway: number, round: number): number
  /** whether a device is too warm in a round; the round after it is not any more */
  isAlarm(device: number, round: number): boolean
  /** one reading as JSON */
  reading(device: number, round: number, at: number, isAlarm: boolean): string
  groups: readonly string[]
  /** IMEIs in one of them; of all where it is none of them */
  within(groupId: string): string[]
}

/** Where readings are measured: in the middle of what the group allows. */
type Kept = Pick<ScenarioGroup, 'id' | 'highTemperatureThreshold'> & { temperature: number; humidity: number }

export function fleetOf(devices: number): Fleet {
  const leaves = leavesOf(oneCompany())
  const gateways = Math.max(1, Math.round(devices / A_BATCH))
  return {
    devices,
    gateways,
    of: (gateway) =>
      Array.from({ length: Math.ceil((devices - gateway) / gateways) }, (_, i) => gateway + i * gateways),
    imei: (device) => String(FIRST_IMEI + device),
    due: (gateway, round) => round * ROUND_MS + Math.floor((gateway * ROUND_MS) / gateways),
    isAlarm: (device, round) =>
      device < ALARMING && round % ROUNDS_BETWEEN_ALARMS === device % ROUNDS_BETWEEN_ALARMS,
    reading(device, round, at, isAlarm) {
      const kept = leaves[device % leaves.length] as Kept
      const temperature = isAlarm
        ? kept.highTemperatureThreshold + TOO_WARM
        : kept.temperature + ((device + round) % 5) / 10
      const lat = 28 + (device % 700) / 100 + (round % 500) / 10_000
      const lng = 66 + (device % 800) / 100 + (round % 500) / 10_000
      return `{"imei":"${FIRST_IMEI + device}","at":${at},"lat":${lat.toFixed(6)},"lng":${lng.toFixed(6)},"speed":${40 + (round % 30)},"angle":${(device + round) % 360},"temperature":${temperature.toFixed(2)},"humidity":${(kept.humidity + (round % 3) / 10).toFixed(2)},"GSM_Signal":4,"GNSS_Status":1,"External_Voltage":27.${device % 10},"Battery_Voltage":4.05,"Ignition":1,"Unplug":0}`
    },
    groups: leaves.map(({ id }) => id),
    within(groupId) {
      const group = leaves.findIndex(({ id }) => id === groupId)
      const all = Array.from({ length: devices }, (_, device) => device)
      return all
        .filter((device) => group === -1 || device % leaves.length === group)
        .map((device) => String(FIRST_IMEI + device))
    },
  }
}

/**
 * One company with so many trackers, and somebody who looks at each of a dozen of its groups. An alarm is the reading that
 * crosses a threshold, not one a quarter of an hour later.
 * @returns path of the scenario, and who signs in: the first sees everything
 */
export function writeLoadScenario(folder: string, fleet: Fleet): { file: string; users: LoadUser[] } {
  const scenario = oneCompany()
  const base = join(import.meta.dirname, '../../.cache/bench')
  const users: LoadUser[] = [
    { userName: 'operator@indus.example', groupId: COMPANY },
    ...fleet.groups.slice(0, LOOKED_AT).map((groupId) => ({ userName: `looks-at-${groupId}`, groupId })),
  ]
  const file = join(folder, 'load.json')
  const written: ScenarioFile = {
    ...scenario,
    corridorFiles: scenario.corridorFiles.map((path) => join(base, path)),
    placeFiles: scenario.placeFiles.map((path) => join(base, path)),
    companies: scenario.companies.map((company) => ({ ...company, violationDelaySeconds: 0 })),
    users: [
      ...scenario.users,
      ...users.slice(1).map(({ userName, groupId }) => ({
        id: `user-${userName}`,
        email: `${userName}@indus.example`,
        userName,
        firstName: 'Load',
        lastName: groupId,
        phone: '+923005550129',
        type: 'Manager',
        role: 'admin',
        groupId,
        companyId: COMPANY,
        requireReset: false,
        superAdmin: false,
        note: '',
      })),
    ],
    trackers: Array.from({ length: fleet.devices }, (_, device) => ({
      imei: fleet.imei(device),
      companyId: COMPANY,
      groupId: fleet.groups[device % fleet.groups.length] as string,
      name: `Truck ${device}`,
      plateNumber: `LEB-${device}`,
      vehicleMakeAndModel: 'Hino 500',
      type: 'vehicle',
      source: 'api',
    })),
  }
  writeFileSync(file, JSON.stringify(written))
  return { file, users }
}

export type LoadUser = { userName: string; groupId: string }

const oneCompany = (): ScenarioFile => {
  const file = writeOneCompany(COMPANY)
  return decodeJson(readFileSync(file, 'utf8'), ScenarioFile, file)
}

/** Groups with nothing below them, where devices are. */
function leavesOf({ companies }: ScenarioFile): Kept[] {
  const groups = companies.flatMap((company) => company.groups)
  const parents = new Set(groups.map(({ parentId }) => parentId))
  return groups
    .filter(({ id }) => !parents.has(id))
    .map(({ id, highTemperatureThreshold, ...limits }) => ({
      id,
      highTemperatureThreshold,
      temperature: (limits.lowTemperatureThreshold + highTemperatureThreshold) / 2,
      humidity: (limits.lowHumidityThreshold + limits.highHumidityThreshold) / 2,
    }))
}
