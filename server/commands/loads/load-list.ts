import type { CommandData, CommandOf } from '#machines/contracts/commands.ts'
import type { LoadColumn, LoadLineFault } from '#machines/contracts/entities/loads.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import { type Directory, deviceByImei, isWithin } from '#machines/projections/directory.ts'
import { loadOn } from '#machines/projections/loads.ts'
import { profileIds, profileNow } from '#machines/projections/profiles.ts'
import type { Visitor } from '../../auth/visitor.ts'
import type { Decision } from '../decision.ts'
import {
  CARRIES_ONE,
  hadMany,
  MANY_A_DAY,
  NO_REFERENCE,
  opening,
  referenceOf,
  seenDevice,
  UNKNOWN_PROFILE,
} from './open-load.ts'
import { closeLoad } from './work-on-load.ts'

export const NO_DEVICE = 'There is no such device'
export const NOT_CARRIED = 'No load of this reference is or was on the device'
export const CARRIES_OTHER = 'The device carries a load of another reference'
export const LISTED_TWICE = 'The device is in the list twice'
export const CLOSED_AND_OPENED = 'The list closes a load of this reference on the device'

type Command = CommandOf<'load.work-list'>
type Line = CommandData<'load.work-list'>['loads'][number]
type Viewer = Pick<Visitor, 'userId' | 'companyId' | 'groupId' | 'superAdmin'>

/** `faults`: what is wrong with lines; `already`: how many lines say what is so. */
export type ListDecision = Decision & { faults: LoadLineFault[]; already: number }

/** A list on its way. `closed`, `opened`: by device number what its lines did until now. */
type Working = {
  readonly directory: Directory
  readonly command: Command
  readonly viewer: Viewer
  readonly facts: NewFact[]
  already: number
  readonly closed: Map<number, { reference: string; at: number }>
  readonly opened: Set<number>
  readonly copied: Set<string>
}

/**
 * A list of loads, opened or where it says so closed: all of it, or where it says so what can be done, and what is wrong with the other
 * lines. What a line says that is so already is left as it is, so that a list may be sent again.
 */
export function workLoadList(directory: Directory, command: Command, viewer: Viewer): ListDecision {
  const working: Working = {
    ...{ directory, command, viewer, facts: [], already: 0 },
    ...{ closed: new Map(), opened: new Set(), copied: new Set() },
  }
  const { loads, goodOnly } = command.data
  const faults: LoadLineFault[] = []
  // a device that one load leaves takes the next by the same list, whatever the order of its lines
  for (const line of loads.toSorted((a, b) => Number(b.isOver) - Number(a.isOver))) {
    const found = line.isOver ? closeListed(working, line) : openListed(working, line)
    if (found !== undefined) faults.push({ line: line.line, imei: line.imei, ...found })
  }
  const { facts, already } = working
  return { facts: faults.length === 0 || goodOnly ? facts : [], faults, already }
}

type Wrong = { column: LoadColumn; reason: string }
const wrong = (column: LoadColumn, reason: string): Wrong => ({ column, reason })

function closeListed(working: Working, line: Line): Wrong | undefined {
  const { directory, command, viewer, facts, closed } = working
  const { loads } = directory
  const device = deviceByImei(directory, line.imei)
  const reference = referenceOf(line.reference)
  if (device === undefined || !isWithin(directory, device.groupId, viewer.groupId))
    return wrong('IMEI', NO_DEVICE)
  if (reference === '') return wrong('Reference', NO_REFERENCE)
  const load = loadOn(loads, device.no)
  if (load?.reference === reference && !closed.has(device.no)) {
    const close = { ...command, type: 'load.close' as const, data: { loadId: load.loadId } }
    const decision = closeLoad(directory, close, viewer)
    if (decision.refused) return wrong('Close', decision.refused.message)
    facts.push(...decision.facts)
    closed.set(device.no, { reference, at: Math.max(command.at, load.openedAt) })
    return undefined
  }
  const ids = loads.ofDevice.get(device.no) ?? []
  if (!ids.some((id) => loads.byId.get(id)?.reference === reference))
    return wrong('Reference', load === undefined ? NOT_CARRIED : CARRIES_OTHER)
  working.already++
  return undefined
}

function openListed(working: Working, line: Line): Wrong | undefined {
  const { directory, command, viewer, facts, closed, opened, copied } = working
  const { companyId, groupId: topId } = viewer
  const device = seenDevice(directory, line.imei, { companyId, topId })
  if (device === undefined) return wrong('IMEI', NO_DEVICE)
  const before = closed.get(device.no)
  const reference = referenceOf(line.reference)
  if (before?.reference === reference) return wrong('Reference', CLOSED_AND_OPENED)
  const load = before === undefined ? loadOn(directory.loads, device.no) : undefined
  if (load?.reference === reference) {
    working.already++
    return undefined
  }
  if (load !== undefined) return wrong('IMEI', CARRIES_ONE)
  if (opened.has(device.no)) return wrong('IMEI', LISTED_TWICE)
  if (hadMany(directory.loads, device.no, command.at)) return wrong('IMEI', MANY_A_DAY)
  const profileId = line.profile === '' ? null : profileNamed(directory, companyId, line.profile)
  if (profileId === undefined) return wrong('Profile', UNKNOWN_PROFILE)
  const { loadId, since } = line
  const made = opening(directory, device, { loadId, reference, profileId, since }, command, before?.at)
  if ('path' in made) return wrong(COLUMN_OF[made.path], made.message)
  opened.add(device.no)
  for (const fact of made.facts) {
    // the company’s copy of a profile is made once, however many loads take it
    if (fact.type === 'profile.set' && copied.has(fact.data.profileId)) continue
    if (fact.type === 'profile.set') copied.add(fact.data.profileId)
    facts.push(fact)
  }
  return undefined
}

const COLUMN_OF = { reference: 'Reference', profileId: 'Profile', since: 'Since' } as const

/** By its id or its name. */
function profileNamed({ profiles }: Directory, companyId: string, name: string): string | undefined {
  const wanted = name.trim().toLowerCase()
  return profileIds(profiles, companyId).find(
    (id) =>
      id.toLowerCase() === wanted || profileNow(profiles, companyId, id)?.form.name.toLowerCase() === wanted,
  )
}
