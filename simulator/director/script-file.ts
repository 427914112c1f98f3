import type { SimFault } from '#machines/contracts/calls/sim-calls.ts'
import type { ScenarioFile } from '#machines/contracts/scenario.ts'
import type { ScenarioEvent, ScriptedFault } from '#machines/contracts/scenario-script.ts'
import type { Action } from './actions.ts'
import { asWrittenInFolder, titleWith } from './scenario-files.ts'
import { linkFaultIdOf } from './script-player.ts'

const MINUTE = 60_000

type Directed = {
  /** the scenario as it is written, and its file */
  written: ScenarioFile
  file: string
  world: {
    readonly seed: number
    readonly start: number
    readonly size: number
    readonly registration: { devices: readonly { fleet: { id: string } }[] }
    faults(): SimFault[]
  }
  actions: readonly Action[]
}

/**
 * The present scenario with all that was done to it: the same seed and devices, faults and events at their moments. Opened
 * anew, the same messages are sent. It promises no outcomes: those of the scenario it was made of may not come true any more.
 */
export function scriptFile({ written, file, world, actions }: Directed): ScenarioFile {
  const { $schema, ...rest } = written
  const schema = $schema === undefined ? {} : { $schema: asWrittenInFolder(file, $schema) }
  const counts = Map.groupBy(world.registration.devices, ({ fleet }) => fleet.id)
  const countOf = (fleet: string): number => counts.get(fleet)?.length ?? 0
  return {
    ...(schema as { $schema?: string }),
    ...rest,
    name: titleWith(written.name, DIRECTED),
    seed: world.seed,
    corridorFiles: written.corridorFiles.map((path) => asWrittenInFolder(file, path)),
    placeFiles: written.placeFiles.map((path) => asWrittenInFolder(file, path)),
    fleets: written.fleets.map((fleet) => ({ ...fleet, count: countOf(fleet.id) })),
    backlogs: written.backlogs.filter((backlog) => isThere(backlog, countOf)),
    scriptedFaults: faultsOf(written, world, countOf, liftedBy(actions)),
    events: [
      ...written.events
        .flatMap((event, i) => asPlayed(event, actions.find(isLiftOf(linkFaultIdOf(i))), world.start))
        .filter((event) => isOfWorld(event, countOf)),
      ...actions.flatMap((action) => eventsOf(action, written, world.start)),
    ].sort((a, b) => a.afterMinutes - b.afterMinutes),
    outcomes: [],
  }
}

const DIRECTED = ', as directed'

type CountOf = (fleet: string) => number
type Named = { fleet?: string | undefined; device?: number | undefined }

/** Whether a world of fewer devices than were written has the one that is named. */
const isThere = ({ fleet, device }: Named, countOf: CountOf): boolean =>
  fleet === undefined || (device ?? 0) <= countOf(fleet)

/** Whether such a world has what an event is about. */
const isOfWorld = (event: ScenarioEvent, countOf: CountOf): boolean =>
  event.do !== 'load.open' || isThere(event, countOf)

/** What was written, except where it was ended before its time, then what was injected; each device by its number. */
function faultsOf(
  { scriptedFaults }: ScenarioFile,
  world: Directed['world'],
  countOf: CountOf,
  lifted: ReadonlySet<string>,
): ScriptedFault[] {
  const all = world.faults()
  const single = ({ imei, fault, from, until, aheadMinutes }: SimFault): ScriptedFault[] => {
    if (until <= from) return []
    const [afterMinutes, forMinutes] = [(from - world.start) / MINUTE, (until - from) / MINUTE]
    return [{ imei, fault, afterMinutes, forMinutes, ...(aheadMinutes !== undefined && { aheadMinutes }) }]
  }

  const written = scriptedFaults.flatMap((scripted, i) => {
    if (!isThere(scripted, countOf)) return []
    const id = `script-${i + 1}`
    const own = all.filter((fault) => fault.id === id || fault.id.startsWith(`${id}-`))
    return own.some((fault) => lifted.has(fault.id)) ? own.flatMap(single) : [scripted]
  })
  const injected = all.filter(({ id }) => !/^script-\d+(-\d+)?$/.test(id))
  // what befell everybody alike is one entry
  const keyOf = ({ fault, from, until, aheadMinutes }: SimFault): string =>
    [fault, from, until, aheadMinutes].join(' ')
  const alike = Map.groupBy(injected, keyOf)
  const isEverybody = (same: readonly SimFault[] = []): boolean =>
    same.length === world.size && new Set(same.map(({ imei }) => imei)).size === world.size
  const listed = new Set<string>()
  const directed = injected.flatMap((fault): ScriptedFault[] => {
    const key = keyOf(fault)
    if (world.size === 1 || !isEverybody(alike.get(key))) return single(fault)
    if (listed.has(key)) return []
    listed.add(key)
    return single(fault).map(({ imei: _, ...entry }) => ({ ...entry, share: 1 }))
  })
  return [...written, ...directed]
}

const isLiftOf =
  (faultId: string) =>
  ({ done }: Action): boolean =>
    done.do === 'link.lift' && done.faultId === faultId

/** What was written; a fault of the network until it was lifted. */
function asPlayed(event: ScenarioEvent, lift: Action | undefined, start: number): ScenarioEvent[] {
  if (lift === undefined || event.do !== 'link.fault') return [event]
  const forMinutes = (lift.at - start) / MINUTE - event.afterMinutes
  return forMinutes > 0 ? [{ ...event, forMinutes }] : []
}

/** The faults that were ended before their time, one by one. */
const liftedBy = (actions: readonly Action[]): Set<string> =>
  new Set(actions.flatMap(({ done }) => (done.do === 'fault.lift' ? [done.faultId] : [])))

function eventsOf(
  { done: action, at, undoneAt, realSeconds }: Action,
  { companies, users }: ScenarioFile,
  start: number,
): ScenarioEvent[] {
  const afterMinutes = (at - start) / MINUTE
  switch (action.do) {
    case 'company.suspend':
    case 'company.resume': {
      const { companyId } = action
      // one that was made in this run is not there in another
      if (!companies.some(({ id }) => id === companyId)) return []
      const back = action.do === 'company.suspend' ? 'company.resume' : 'company.suspend'
      const done: ScenarioEvent = { do: action.do, afterMinutes, companyId }
      if (undoneAt === null) return [done]
      return [done, { do: back, afterMinutes: (undoneAt - start) / MINUTE, companyId }]
    }
    case 'user.sign-out':
    case 'user.end-sessions':
    case 'user.require-reset': {
      const { userName } = action
      // somebody who was made in this run is not there in another
      if (!users.some((user) => user.userName === userName || user.email === userName)) return []
      return [
        { do: action.do === 'user.require-reset' ? action.do : 'user.sign-out', afterMinutes, userName },
      ]
    }
    case 'link.fault': {
      const { fault, milliseconds, share, forSeconds } = action
      // a record that does not say how long it lasted by everybody's clock is of the world's
      const lastedSeconds = undoneAt === null ? forSeconds : (undoneAt - at) / 1000
      const forMinutes = Math.min(forSeconds, realSeconds ?? lastedSeconds) / 60
      if (forMinutes <= 0) return []
      const much = {
        ...(milliseconds !== undefined && { milliseconds }),
        ...(share !== undefined && { share }),
      }
      return [{ do: 'link.fault', afterMinutes, fault, forMinutes, ...much }]
    }
    default:
      return []
  }
}
