/** What a world is made of: its devices, where each is in time, and what it has given so far. */
import type { Scenario } from '#machines/contracts/scenario.ts'
import type { BacklogSort } from '#machines/contracts/scenario-script.ts'
import { type Body, bodyOf } from './body.ts'
import { Cursor, type Surroundings } from './cursor.ts'
import { type FaultBook, faultBook } from './faults.ts'
import { troubleMixOf } from './incidents.ts'
import { RoadNetwork } from './roads.ts'
import { type Registration, registrationOf } from './roster.ts'
import { backlogSortOf } from './script.ts'
import { MessageHashes } from './sent.ts'
import { weatherOf } from './weather.ts'

/** One a world, always of this shape: its fields are read for each message. Arrays go by device. */
export type WorldState = {
  readonly scenario: Scenario
  readonly seed: number
  readonly registration: Registration
  /** epoch ms */
  readonly start: number
  /** ms between two reports of a device */
  readonly interval: number
  readonly book: FaultBook
  readonly bodies: Body[]
  readonly cursors: Cursor[]
  readonly indexes: Map<string, number>
  /** how a device sends what it kept; undefined: oldest first */
  readonly backlogs: (BacklogSort | undefined)[]
  /** those who report first in each interval come first */
  readonly order: Uint32Array
  hashes: MessageHashes
  /** up to when messages have been given, epoch ms */
  position: number
  messagesSent: number
}

/** At the scenario's start, without its faults. @throws RangeError where a fleet names a thermal profile that is not there */
export function createWorldState(
  scenario: Scenario,
  options: { seed?: number; devices?: number },
): WorldState {
  const seed = options.seed ?? scenario.seed
  const registration = registrationOf(scenario, seed, options.devices)
  const { devices } = registration
  const start = Date.parse(scenario.start)
  const book = faultBook(seed)
  const around: Surroundings = {
    weather: weatherOf(seed, scenario.utcOffsetMinutes * 60_000, { spells: scenario.weather, start }),
    mix: troubleMixOf(scenario),
    injected: book.of,
  }
  const bodies = bodiesOf(scenario, registration)
  return {
    scenario,
    seed,
    registration,
    start,
    interval: scenario.reportSeconds * 1000,
    book,
    bodies,
    cursors: bodies.map((body, index) => new Cursor(index, body, around)),
    backlogs: devices.map((device) => backlogSortOf(scenario, device)),
    indexes: new Map(devices.map((device) => [device.imei, device.index])),
    order: Uint32Array.from(bodies.keys()).sort(
      (a, b) => (bodies[a]?.reportPhase ?? 0) - (bodies[b]?.reportPhase ?? 0) || a - b,
    ),
    hashes: new MessageHashes(devices.length),
    position: start,
    messagesSent: 0,
  }
}

function bodiesOf(scenario: Scenario, { devices }: Registration): Body[] {
  const roads = new RoadNetwork(scenario)
  const profiles = new Map(scenario.thermalProfiles.map((profile) => [profile.id, profile]))
  return devices.map((device) => {
    const profile = profiles.get(device.fleet.thermal)
    if (!profile) throw new RangeError(`${device.fleet.id}: no thermal profile ${device.fleet.thermal}`)
    return bodyOf(device, scenario, profile, roads)
  })
}
