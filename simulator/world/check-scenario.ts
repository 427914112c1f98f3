import { ContractError } from '#machines/contracts/decode.ts'
import type { Scenario } from '#machines/contracts/scenario.ts'
import { checkScript, type Groups, type Refuse } from './check-script.ts'
import { RoadNetwork, yardOf } from './roads.ts'

/**
 * Every name must refer to something, and what must be unique must be.
 * @param what names the scenario in the message
 * @throws ContractError with the path of the first thing wrong
 */
export function checkReferences(scenario: Scenario, what: string): void {
  const refuse: Refuse = (path, reason) => {
    throw new ContractError(what, path, reason)
  }
  if (!isTimeZone(scenario.timeZone))
    refuse('timeZone', `expected a time zone, e.g. Asia/Karachi, not ${scenario.timeZone}`)
  checkRoads(scenario, refuse)
  const groups = checkCompanies(scenario, refuse)
  checkPeople(scenario, groups, refuse)
  checkFleets(scenario, groups, refuse)
  checkScript(scenario, groups, refuse)
  checkWays(scenario, refuse)
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

function checkRoads(scenario: Scenario, refuse: Refuse): void {
  const places = unique(scenario.places, 'places', 'id', refuse)
  unique(scenario.corridors, 'corridors', 'id', refuse)
  scenario.corridors.forEach((corridor, c) => {
    let last = -1
    corridor.places.forEach(([place, point], i) => {
      known(places, place, `corridors.${c}.places.${i}.0`, refuse)
      if (point <= last || point >= corridor.points.length)
        refuse(`corridors.${c}.places.${i}.1`, 'expected an ascending index of a point')
      last = point
    })
  })
}

function checkCompanies(scenario: Scenario, refuse: Refuse): Groups {
  unique(scenario.companies, 'companies', 'id', refuse)
  const groups = new Map<string, string>()
  scenario.companies.forEach((company, c) => {
    if (company.tmin >= company.tmax) refuse(`companies.${c}.tmax`, 'expected more than tmin')
    if (company.hmin >= company.hmax) refuse(`companies.${c}.hmax`, 'expected more than hmin')
    company.groups.forEach((group, g) => {
      const path = `companies.${c}.groups.${g}`
      if (groups.has(group.id)) refuse(`${path}.id`, `${group.id} is there twice`)
      if ((group.parentId === null) !== (g === 0))
        refuse(`${path}.parentId`, 'the first group, and no other, is the top')
      if (group.parentId !== null && groups.get(group.parentId) !== company.id)
        refuse(`${path}.parentId`, `${group.parentId} is no earlier group of ${company.id}`)
      groups.set(group.id, company.id)
    })
  })
  return groups
}

function checkPeople(scenario: Scenario, groups: Groups, refuse: Refuse): void {
  unique(scenario.users, 'users', 'id', refuse)
  const logins = new Set<string>()
  scenario.users.forEach((user, i) => {
    for (const field of ['email', 'userName'] as const) {
      if (logins.has(user[field])) refuse(`users.${i}.${field}`, `${user[field]} is there twice`)
      logins.add(user[field])
    }
    owned(scenario, groups, user, `users.${i}`, refuse)
  })
}

function checkFleets(scenario: Scenario, groups: Groups, refuse: Refuse): void {
  const places = new Set(scenario.places.map(({ id }) => id))
  const profiles = unique(scenario.thermalProfiles, 'thermalProfiles', 'id', refuse)
  unique(scenario.fleets, 'fleets', 'id', refuse)
  unique(scenario.fleets, 'fleets', 'tac', refuse)
  scenario.fleets.forEach((fleet, i) => {
    const path = `fleets.${i}`
    owned(scenario, groups, fleet, path, refuse)
    known(profiles, fleet.thermal, `${path}.thermal`, refuse)
    known(places, fleet.home, `${path}.home`, refuse)
    if (fleet.type === 'vehicle' && fleet.destinations.length === 0)
      refuse(`${path}.destinations`, 'a vehicle needs somewhere to go')
    fleet.destinations.forEach((to, d) => {
      known(places, to, `${path}.destinations.${d}`, refuse)
      if (to === fleet.home) refuse(`${path}.destinations.${d}`, `${to} is its home`)
    })
  })
  unique(scenario.trackers, 'trackers', 'imei', refuse)
  scenario.trackers.forEach((tracker, i) => {
    owned(scenario, groups, tracker, `trackers.${i}`, refuse)
  })
}

/** Vehicles drive between the yards of two towns, or the towns where they have none: there must be a way between any two of them. */
function checkWays(scenario: Scenario, refuse: Refuse): void {
  const { corridors, fleets, places } = scenario
  if (places.some(({ sites }) => sites?.length) && corridors.every(({ kind }) => kind === 'motorway'))
    refuse('corridors', 'the yards of places need a road that is no motorway')
  const roads = new RoadNetwork(scenario)
  const endsOf = (id: string): string[] => {
    const place = roads.place(id)
    return place.sites?.length ? place.sites.map((_, i) => yardOf(place, i)) : [id]
  }
  fleets.forEach(({ type, home, destinations }, i) => {
    if (type !== 'vehicle') return
    destinations.forEach((to, d) => {
      const isLed = endsOf(home).every((from) => endsOf(to).every((end) => roads.leads(from, end)))
      if (!isLed) refuse(`fleets.${i}.destinations.${d}`, `no road leads there from ${home}`)
    })
  })
}

type Owned = { companyId: string; groupId: string }

function owned(
  { companies }: Scenario,
  groups: Groups,
  { companyId, groupId }: Owned,
  path: string,
  refuse: Refuse,
): void {
  if (!companies.some(({ id }) => id === companyId)) refuse(`${path}.companyId`, unknown(companyId))
  if (groups.get(groupId) !== companyId) refuse(`${path}.groupId`, `${groupId} is no group of ${companyId}`)
}

/** The names things have, none twice. */
function unique<F extends string>(
  things: readonly { readonly [K in F]: string }[],
  kind: string,
  field: F,
  refuse: Refuse,
): Set<string> {
  const names = new Set<string>()
  things.forEach((thing, i) => {
    const name = thing[field]
    if (names.has(name)) refuse(`${kind}.${i}.${field}`, `${name} is there twice`)
    names.add(name)
  })
  return names
}

function known(names: ReadonlySet<string>, name: string, path: string, refuse: Refuse): void {
  if (!names.has(name)) refuse(path, unknown(name))
}

const unknown = (name: string): string => `${name} is not known here`
