import type { CommandOf } from '#machines/contracts/commands.ts'
import type { Thresholds } from '#machines/contracts/entities/thresholds.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import { groupBasis } from '#machines/projections/bounds.ts'
import {
  type Device,
  type Directory,
  evaluationOf,
  type Group,
  isWithin,
} from '#machines/projections/directory.ts'
import { groupVersion, isStale } from '#machines/projections/versions.ts'
import { type GroupForm, groupFaults } from '#machines/rules/group-form.ts'
import { type Decision, decided, faulty, NOT_FOUND, refuse, stale } from '../decision.ts'
import { changesOf, devicesInScope, isEmpty, moved, originOf } from '../structure.ts'
import { heightOf, levelOf, MOST_LEVELS, TOO_DEEP } from './depth.ts'
import { evaluationSet } from './set-evaluation.ts'

export const OWN_GROUP = 'Your own group is changed under Account'
const BELOW_ITSELF = [{ path: 'parentId', message: 'A group cannot be moved below itself' }]

/**
 * A group as its form has it: fields, place in the tree, devices. A device that is not listed any more goes to the group
 * above, so that every device is in a group. Not for the requester's own group: `topId`.
 */
export function updateGroup(
  directory: Directory,
  command: CommandOf<'group.update'>,
  topId: string,
): Decision {
  const { groupId, things, ifVersion, parentId, ...form } = command.data
  const group = directory.groups.get(groupId)
  if (group === undefined || !isWithin(directory, groupId, topId)) return refuse(404, NOT_FOUND)
  if (groupId === topId || group.parentId === null) return refuse(403, OWN_GROUP)
  // before what is sent with it: that may be gone for the same reason
  if (isStale(ifVersion, groupVersion(group), things === undefined ? 'first' : 'whole')) return stale()
  if (parentId !== undefined && !isWithin(directory, parentId, topId)) return refuse(404, NOT_FOUND)
  const wanted = things && devicesInScope(directory, things, topId)
  if (things !== undefined && wanted === undefined) return refuse(404, NOT_FOUND)

  const faults = groupFaults(form, groupBasis(directory, group.companyId, group))
  if (faults.length > 0) return faulty(faults)
  const parent = directory.groups.get(parentId ?? group.parentId)
  if (parent === undefined) return refuse(404, NOT_FOUND)
  if (isWithin(directory, parent._id, groupId)) return faulty(BELOW_ITSELF)
  if (levelOf(directory, parent) + heightOf(directory, group) > MOST_LEVELS) return faulty(TOO_DEEP)

  const origin = originOf(command, group.companyId)
  const { name, description } = form
  const changes = changesOf(fieldsOf(group), {
    ...thresholdsOf(form),
    name: name.trim(),
    description: description.trim(),
    parentId,
  })
  return decided(
    ...(isEmpty(changes)
      ? []
      : [{ ...origin, type: 'group.updated', data: { groupId, ...changes } } as NewFact]),
    ...evaluationSet(group, form, origin),
    ...(wanted === undefined
      ? []
      : [...moved(wanted, groupId, origin), ...moved(leaving(directory, group, wanted), parent._id, origin)]),
  )
}

/** Some fields of a group, the requester's own too: as the account's pages do it. */
export function adjustGroup(
  directory: Directory,
  command: CommandOf<'group.adjust'>,
  topId: string,
): Decision {
  const { groupId, ifVersion, ...given } = command.data
  const group = directory.groups.get(groupId)
  if (group === undefined || !isWithin(directory, groupId, topId)) return refuse(404, NOT_FOUND)
  if (isStale(ifVersion, groupVersion(group), 'first')) return stale()
  const faults = groupFaults(lookedAt(group, given), groupBasis(directory, group.companyId, group))
  if (faults.length > 0) return faulty(faults)
  const changes = changesOf(fieldsOf(group), {
    ...thresholdsOf(given),
    image: given.image,
    name: given.name?.trim(),
    description: given.description?.trim(),
  })
  const origin = originOf(command, group.companyId)
  return decided(
    ...(isEmpty(changes)
      ? []
      : [{ ...origin, type: 'group.updated', data: { groupId, ...changes } } as NewFact]),
    ...evaluationSet(group, given, origin),
  )
}

/** What of a group is looked at: one end of a band that is given, or another margin, goes with the rest of the band as it is. */
function lookedAt(
  group: Group,
  { name, description, ...ends }: Omit<CommandOf<'group.adjust'>['data'], 'groupId' | 'ifVersion'>,
): Partial<GroupForm> {
  const { violationDelaySeconds, clearMarginTemperature, clearMarginHumidity } = ends
  const { lowTemperatureThreshold: lt, highTemperatureThreshold: ht } = ends
  const { lowHumidityThreshold: lh, highHumidityThreshold: hh } = ends
  const own = evaluationOf(group)
  const isOther = (margin: number | null | undefined, before: number | null) =>
    margin !== undefined && margin !== before
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(violationDelaySeconds !== undefined && { violationDelaySeconds }),
    ...(clearMarginTemperature !== undefined && { clearMarginTemperature }),
    ...(clearMarginHumidity !== undefined && { clearMarginHumidity }),
    ...(((lt ?? ht) !== undefined || isOther(clearMarginTemperature, own.clearMarginTemperature)) && {
      lowTemperatureThreshold: lt ?? group.lowTemperatureThreshold,
      highTemperatureThreshold: ht ?? group.highTemperatureThreshold,
    }),
    ...(((lh ?? hh) !== undefined || isOther(clearMarginHumidity, own.clearMarginHumidity)) && {
      lowHumidityThreshold: lh ?? group.lowHumidityThreshold,
      highHumidityThreshold: hh ?? group.highHumidityThreshold,
    }),
  }
}

function fieldsOf(group: Group) {
  const { name, description, parentId, image } = group
  return { name, description, parentId, image, ...thresholdsOf(group) }
}

function thresholdsOf<T extends { [K in keyof Thresholds]?: number | undefined }>({
  lowTemperatureThreshold,
  highTemperatureThreshold,
  lowHumidityThreshold,
  highHumidityThreshold,
}: T): Pick<T, keyof Thresholds> {
  return { lowTemperatureThreshold, highTemperatureThreshold, lowHumidityThreshold, highHumidityThreshold }
}

function leaving(directory: Directory, group: Group, staying: Device[]): Device[] {
  const kept = new Set(staying.map(({ no }) => no))
  return [...group.devices].filter((no) => !kept.has(no)).flatMap((no) => directory.devices[no] ?? [])
}
