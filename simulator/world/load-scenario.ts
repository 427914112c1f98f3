import { promises as fs } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { ContractError, decode, decodeJson } from '#machines/contracts/decode.ts'
import { CorridorsFile, PlacesFile, Scenario, ScenarioFile } from '#machines/contracts/scenario.ts'

/**
 * Reads a scenario and the files it names.
 * @throws ContractError naming the file and the path of the first thing wrong, also where a name refers to nothing
 */
export async function loadScenario(path: string): Promise<Scenario> {
  const { corridorFiles, placeFiles, ...rest } = decodeJson(
    await fs.readFile(path, 'utf8'),
    ScenarioFile,
    path,
  )
  const beside = (file: string) => resolve(dirname(path), file)
  const corridors = await Promise.all(
    corridorFiles.map(
      async (file) => decodeJson(await fs.readFile(beside(file), 'utf8'), CorridorsFile, file).corridors,
    ),
  )
  const places = await Promise.all(
    placeFiles.map(
      async (file) => decodeJson(await fs.readFile(beside(file), 'utf8'), PlacesFile, file).places,
    ),
  )
  const scenario = { ...rest, corridors: corridors.flat(), places: places.flat() }
  checkReferences(scenario, path)
  return scenario
}

/** A scenario given as one value, e.g. by a test. @throws ContractError */
export function decodeScenario(value: unknown, what = 'scenario'): Scenario {
  const scenario = decode(value, Scenario, what)
  checkReferences(scenario, what)
  return scenario
}

/** Every name must refer to something, and what must be unique must be. */
function checkReferences(scenario: Scenario, what: string): void {
  const refuse = (path: string, reason: string): never => {
    throw new ContractError(what, path, reason)
  }
  const unique = (kind: string, names: string[]): Set<string> => {
    const seen = new Set<string>()
    names.forEach((name, i) => {
      if (seen.has(name)) refuse(`${kind}.${i}`, `${name} is there twice`)
      seen.add(name)
    })
    return seen
  }
  const known = (names: Set<string>, name: string, path: string): void => {
    if (!names.has(name)) refuse(path, `${name} is not known here`)
  }

  const places = unique(
    'places',
    scenario.places.map((p) => p.id),
  )
  unique(
    'corridors',
    scenario.corridors.map((c) => c.id),
  )
  scenario.corridors.forEach((corridor, c) => {
    let last = -1
    corridor.places.forEach(([place, point], i) => {
      known(places, place, `corridors.${c}.places.${i}.0`)
      if (point <= last || point >= corridor.points.length)
        refuse(`corridors.${c}.places.${i}.1`, 'expected an ascending index of a point')
      last = point
    })
  })

  const companies = unique(
    'companies',
    scenario.companies.map((c) => c.id),
  )
  const groups = new Map<string, string>()
  scenario.companies.forEach((company, c) => {
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
  const owned = (groupId: string, companyId: string, path: string): void => {
    known(companies, companyId, `${path}.companyId`)
    if (groups.get(groupId) !== companyId) refuse(`${path}.groupId`, `${groupId} is no group of ${companyId}`)
  }

  unique(
    'users',
    scenario.users.map((u) => u.id),
  )
  unique(
    'users',
    scenario.users.flatMap((u) => [u.email, u.userName]),
  )
  scenario.users.forEach((user, i) => {
    owned(user.groupId, user.companyId, `users.${i}`)
  })

  const profiles = unique(
    'thermalProfiles',
    scenario.thermalProfiles.map((p) => p.id),
  )
  const fleets = unique(
    'fleets',
    scenario.fleets.map((f) => f.id),
  )
  unique(
    'fleets',
    scenario.fleets.map((f) => f.tac),
  )
  scenario.fleets.forEach((fleet, i) => {
    const path = `fleets.${i}`
    owned(fleet.groupId, fleet.companyId, path)
    known(profiles, fleet.thermal, `${path}.thermal`)
    known(places, fleet.home, `${path}.home`)
    if (fleet.type === 'vehicle' && fleet.destinations.length === 0)
      refuse(`${path}.destinations`, 'a vehicle needs somewhere to go')
    fleet.destinations.forEach((to, d) => {
      known(places, to, `${path}.destinations.${d}`)
      if (to === fleet.home) refuse(`${path}.destinations.${d}`, `${to} is its home`)
    })
  })
  unique(
    'trackers',
    scenario.trackers.map((t) => t.imei),
  )
  scenario.trackers.forEach((tracker, i) => {
    owned(tracker.groupId, tracker.companyId, `trackers.${i}`)
  })
  scenario.scriptedFaults.forEach((fault, i) => {
    known(fleets, fault.fleet, `scriptedFaults.${i}.fleet`)
  })
}
