/** Whether the script of a scenario speaks of what there is. */
import { SHIPPED_PROFILES } from '#machines/contracts/entities/shipped-profiles.ts'
import type { Fleet, Scenario } from '#machines/contracts/scenario.ts'
import type { Meant, Outcome } from '#machines/contracts/scenario-script.ts'
import { imeiOf, ordinalOf } from './roster.ts'

/** Ends the checking. `path` is dotted, as ContractError has it. */
export type Refuse = (path: string, reason: string) => never
/** Of each group: the company whose it is. */
export type Groups = ReadonlyMap<string, string>

/** Names in faults, backlogs, weather, events and outcomes. Ends at the first that refers to nothing. */
export function checkScript(scenario: Scenario, groups: Groups, refuse: Refuse): void {
  const fleets = new Map(scenario.fleets.map((fleet) => [fleet.id, fleet]))
  const places = new Set(scenario.places.map(({ id }) => id))
  const companies = new Set(scenario.companies.map(({ id }) => id))
  const users = new Set(scenario.users.flatMap(({ userName, email }) => [userName, email]))
  const trackers = new Set(scenario.trackers.map(({ imei }) => imei))
  const profiles = new Set([
    ...Object.keys(SHIPPED_PROFILES),
    ...scenario.events.flatMap((event) => (event.do === 'profile.set' ? [event.profileId] : [])),
  ])
  const tacs = new Map(scenario.fleets.map((fleet) => [fleet.tac, fleet]))

  const known = (names: { has(name: string): boolean }, name: string | undefined, path: string): void => {
    if (name !== undefined && !names.has(name)) refuse(path, `${name} is not known here`)
  }
  const someOf = (id: string | undefined, device: number | undefined, path: string): void => {
    known(fleets, id, `${path}.fleet`)
    const fleet = id === undefined ? undefined : fleets.get(id)
    if (device === undefined) return
    if (fleet === undefined) refuse(`${path}.device`, 'expected a fleet beside it')
    else if (device > fleet.count) refuse(`${path}.device`, `${fleet.id} has ${fleet.count} devices`)
  }
  const simulated = (imei: string | undefined, path: string): void => {
    if (imei !== undefined && !isOfFleet(imei, tacs)) refuse(path, `${imei} is no simulated device`)
  }
  const meant = (of: Meant | undefined, path: string): void => {
    if (of === undefined) return
    someOf(of.fleet, of.device, path)
    if (of.imei === undefined || !trackers.has(of.imei)) simulated(of.imei, `${path}.imei`)
    known(groups, of.groupId, `${path}.groupId`)
    known(companies, of.companyId, `${path}.companyId`)
  }

  scenario.scriptedFaults.forEach(({ fleet, device, imei }, i) => {
    someOf(fleet, device, `scriptedFaults.${i}`)
    simulated(imei, `scriptedFaults.${i}.imei`)
  })
  scenario.backlogs.forEach(({ fleet, device, imei }, i) => {
    someOf(fleet, device, `backlogs.${i}`)
    simulated(imei, `backlogs.${i}.imei`)
  })
  scenario.weather.forEach((spell, i) => {
    spell.places?.forEach((place, p) => {
      known(places, place, `weather.${i}.places.${p}`)
    })
  })
  scenario.events.forEach((event, i) => {
    if ('companyId' in event) known(companies, event.companyId, `events.${i}.companyId`)
    if ('userName' in event) known(users, event.userName, `events.${i}.userName`)
    if (event.do === 'load.open') someOf(event.fleet, event.device, `events.${i}`)
    if (event.do === 'load.open') known(profiles, event.profileId, `events.${i}.profileId`)
  })
  scenario.outcomes.forEach((outcome: Outcome, i) => {
    meant(outcome.of, `outcomes.${i}.of`)
  })
}

/** Whether this is the number of a device of a fleet at the scenario's own size. */
function isOfFleet(imei: string, tacs: ReadonlyMap<string, Fleet>): boolean {
  const fleet = tacs.get(imei.slice(0, 8))
  if (fleet === undefined) return false
  const ordinal = ordinalOf(imei)
  return ordinal <= fleet.count && imeiOf(fleet.tac, ordinal) === imei
}
