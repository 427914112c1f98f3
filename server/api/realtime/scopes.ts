import type { Fact, FactType } from '#machines/contracts/facts.ts'
import {
  type Directory,
  deviceOfFact,
  devicesWithin,
  groupsWithin,
  isWithin,
} from '#machines/projections/directory.ts'
import type { Advance, ReadModels } from '../../read-models/read-models.ts'
import type { EventLog } from '../../store/store.ts'
import type { Visitor } from './visitor.ts'

/** What everybody signed in at one group sees: the group and all below it. Shared by their connections. */
export type Scope = {
  readonly groupId: string
  /** ids of the groups */
  groups: Set<string>
  /** numbers of the devices, ascending */
  devices: Uint32Array
  /** whether a group is in the scope, or was before the facts that are being emitted */
  covers(groupId: string): boolean
  /** whether this fact is about a device or group in the scope, or a group that was and is deleted now */
  sees(fact: Fact): boolean
}

export type Scopes = {
  /** the scope of a group, made at the first call; give each back with `release` */
  hold(groupId: string): Scope
  release(scope: Scope): void
  /** called when a scope's groups or devices are no longer the same, before other listeners hear of the step */
  onChange(listener: (scope: Scope) => void): void
  stop(): void
}

const STRUCTURAL: FactType[] = [
  'group.created',
  'group.updated',
  'group.deleted',
  'device.registered',
  'device.updated',
  'device.tracker-replaced',
  'device.retired',
  'user.updated',
]

/** Whether a fact may change which groups or devices somebody sees. */
function isStructural(fact: Fact): boolean {
  switch (fact.type) {
    case 'group.updated':
      return fact.data.parentId !== undefined
    case 'device.updated':
      return (
        fact.data.groupId !== undefined || fact.data.plateNumber !== undefined || fact.data.type !== undefined
      )
    case 'user.updated':
      return fact.data.groupId !== undefined
    default:
      return STRUCTURAL.includes(fact.type)
  }
}

/** Whether a fact changed of a device what a fleet names it by: its IMEI, plate or type. Names and groups are sent fact by fact. */
const isNewLook =
  (directory: Directory, devices: Uint32Array) =>
  (fact: Fact): boolean => {
    if (fact.type === 'device.tracker-replaced') return devices.includes(fact.data.no)
    if (fact.type !== 'device.updated') return false
    const { plateNumber, type } = fact.data
    const isMeant = plateNumber !== undefined || type !== undefined
    return isMeant && devices.includes(deviceOfFact(directory, fact)?.no ?? -1)
  }

/** Whether facts brought devices into somebody's scope or took them out of it, and their notifications with them. */
export const changesScopes = (facts: readonly Fact[]): boolean =>
  facts.some(
    (fact) => fact.type !== 'device.registered' && fact.type !== 'group.created' && isStructural(fact),
  )

/** Whether a visitor in this scope gets a fact: of what they see, and of what they themselves have marked read. */
export const concerns = (fact: Fact, scope: Scope, visitor: Pick<Visitor, 'userId'>): boolean =>
  fact.type === 'notifications.seen' ? fact.data.userId === visitor.userId : scope.sees(fact)

/** Facts read at most to find out whether what a visitor sees has changed; with more, the answer is yes. */
const FACTS_LOOKED_AT = 1000

/**
 * Whether somebody who has everything up to `after` still sees the same groups and devices: then what they missed can
 * be sent row by row and fact by fact. A position the log never reached is somebody else's.
 */
export function seesTheSame(log: EventLog, head: number, after: number, visitor: Visitor): boolean {
  if (after > head) return false
  const facts = log.readFacts(after, { types: STRUCTURAL, limit: FACTS_LOOKED_AT })
  if (facts.length >= FACTS_LOOKED_AT) return false
  return !facts.some(
    (fact) =>
      isStructural(fact) &&
      (fact.type === 'user.updated'
        ? fact.data.userId === visitor.userId
        : fact.companyId === visitor.companyId),
  )
}

/** Keeps scopes true as groups and devices come, go and move. What happens in one company costs the scopes of others nothing. */
export function followScopes(readModels: ReadModels): Scopes {
  type Entry = {
    scope: Scope
    companyId: string | undefined
    before: Scope['groups']
    was: Scope['groups']
    held: number
  }
  const scopes = new Map<string, Entry>()
  const listeners: ((scope: Scope) => void)[] = []

  const stop = readModels.onAdvance(({ facts }: Advance) => {
    for (const entry of scopes.values()) entry.was = entry.scope.groups
    const companies = new Set<string | null | undefined>(
      facts.filter(isStructural).map(({ companyId }) => companyId),
    )
    if (companies.size === 0) return
    const { directory } = readModels
    for (const entry of scopes.values()) {
      const { scope, companyId } = entry
      if (!companies.has(companyId)) continue
      entry.before = scope.groups
      const { groups, devices } = seen(directory, scope.groupId)
      const same =
        sameSet(groups, scope.groups) &&
        sameNumbers(devices, scope.devices) &&
        !facts.some(isNewLook(directory, devices))
      scope.groups = groups
      scope.devices = devices
      if (!same) for (const listener of listeners) listener(scope)
    }
  })

  return {
    hold(groupId) {
      let entry = scopes.get(groupId)
      if (entry === undefined) {
        const { directory } = readModels
        const made = { ...seen(directory, groupId), groupId }
        const scope: Scope = Object.assign(made, {
          covers: (id: string) => made.groups.has(id) || scopes.get(groupId)?.was.has(id) === true,
          sees: (fact: Fact) =>
            isAbout(directory, fact, groupId) ||
            (fact.type === 'group.deleted' && scopes.get(groupId)?.before.has(fact.data.groupId) === true),
        })
        const { companyId } = directory.groups.get(groupId) ?? {}
        entry = { ...{ scope, companyId, held: 0 }, before: scope.groups, was: scope.groups }
        scopes.set(groupId, entry)
      }
      entry.held++
      return entry.scope
    },
    release({ groupId }) {
      const entry = scopes.get(groupId)
      if (entry !== undefined && --entry.held === 0) scopes.delete(groupId)
    },
    onChange(listener) {
      listeners.push(listener)
    },
    stop,
  }
}

function seen(directory: Directory, groupId: string): Pick<Scope, 'groups' | 'devices'> {
  return {
    groups: new Set(groupsWithin(directory, groupId).map((group) => group._id)),
    devices: devicesWithin(directory, groupId),
  }
}

function isAbout(directory: Directory, fact: Fact, topId: string): boolean {
  if ('imei' in fact.data && fact.data.imei !== null) {
    return isWithin(directory, deviceOfFact(directory, fact)?.groupId ?? null, topId)
  }
  const groupId = groupOf(fact)
  return groupId !== '' && directory.groups.has(groupId) && isWithin(directory, groupId, topId)
}

const groupOf = (fact: Fact): string =>
  fact.type === 'group.created' || fact.type === 'group.updated' || fact.type === 'group.deleted'
    ? fact.data.groupId
    : ''

function sameSet(a: Set<string>, b: Set<string>): boolean {
  return a.size === b.size && a.isSubsetOf(b)
}

function sameNumbers(a: Uint32Array, b: Uint32Array): boolean {
  return a.length === b.length && a.every((no, i) => no === b[i])
}
