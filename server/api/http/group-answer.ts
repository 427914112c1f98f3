import { urlOf } from '#machines/contracts/calls/call.ts'
import { GROUP_CALLS } from '#machines/contracts/calls/group-calls.ts'
import type { Evaluation } from '#machines/contracts/entities/evaluation.ts'
import type { GroupInfo, GroupNode } from '#machines/contracts/entities/group-info.ts'
import {
  DEFAULT_OVER_SPEEDING_THRESHOLD,
  type Group as GroupAnswer,
} from '#machines/contracts/entities/groups.ts'
import { boundsOf } from '#machines/projections/bounds.ts'
import {
  type Company,
  type Directory,
  devicesWithin,
  evaluationOf,
  type Group,
  groupsWithin,
} from '#machines/projections/directory.ts'
import { fatigueThreshold } from '#machines/projections/settings.ts'
import { groupVersion } from '#machines/projections/versions.ts'

/**
 * A group with all below it, as one who sees `topId` may know it: the top group's parent is left out.
 * @param withThings lists the imeis too; of the group itself alone, with 100,000 devices they weigh megabytes
 */
export function groupAnswer(
  directory: Directory,
  group: Group,
  topId: string,
  withThings = false,
): GroupAnswer {
  const build = (current: Group): GroupAnswer => {
    const child = children(directory, current).map(build)
    const assigned = child.reduce((sum, { totalVehicles }) => sum + totalVehicles, 0)
    return {
      ...fieldsOf(directory, current, topId),
      users: countUsers(directory, current),
      totalVehicles: assigned + current.devices.size,
      assignedVehicles: assigned,
      unAssignedvehicles: current.devices.size,
      child,
    }
  }
  const answer = build(group)
  if (!withThings) return answer
  const imei = (no: number) => directory.devices[no]?.imei ?? ''
  return {
    ...answer,
    things: [...group.devices].sort((a, b) => a - b).map(imei),
    allThings: Array.from(devicesWithin(directory, group._id), imei),
  }
}

/** A group as selectors name it, with all below. */
export function groupNode(directory: Directory, group: Group): GroupNode {
  return {
    _id: group._id,
    name: group.name,
    child: children(directory, group).map((child) => groupNode(directory, child)),
  }
}

/** What the shell knows of a visitor's own group; a company's top group is at depth 1. */
export function groupInfo(directory: Directory, groupId: string): GroupInfo {
  const group = directory.groups.get(groupId)
  let depthLevel = 0
  for (
    let at = group;
    at !== undefined;
    at = at.parentId === null ? undefined : directory.groups.get(at.parentId)
  )
    depthLevel++
  return { depthLevel, groupImage: imagePath(group?.image ?? null), name: group?.name ?? '' }
}

/** Whether any device is in a group or below it. */
export const hasThings = (directory: Directory, groupId: string): boolean =>
  groupsWithin(directory, groupId).some(({ devices }) => devices.size > 0)

/** Groups directly below one, in its own order; those below them are not among them. */
export const children = (directory: Directory, group: Group): Group[] =>
  group.child.flatMap((id) => directory.groups.get(id) ?? [])

function fieldsOf(directory: Directory, group: Group, topId: string) {
  const company = directory.companies.get(group.companyId)
  return {
    _id: group._id,
    id: group._id,
    name: group.name,
    description: group.description,
    image: imagePath(group.image),
    parentId: group._id === topId ? null : group.parentId,
    companyId: group.companyId,
    highTemperatureThreshold: group.highTemperatureThreshold,
    lowTemperatureThreshold: group.lowTemperatureThreshold,
    highHumidityThreshold: group.highHumidityThreshold,
    lowHumidityThreshold: group.lowHumidityThreshold,
    ...evaluationOf(group),
    ...(company && { companyEvaluation: evaluationOfCompany(company) }),
    ...boundsOf(directory, group.companyId),
    overSpeedingThreshold: DEFAULT_OVER_SPEEDING_THRESHOLD,
    fatigueThreshold: fatigueThreshold(directory.settings, group._id),
    version: groupVersion(group),
    bam: company?.bam ?? null,
    partner: company?.partner ?? null,
  }
}

const evaluationOfCompany = ({
  violationDelaySeconds,
  clearMarginTemperature,
  clearMarginHumidity,
}: Company): Evaluation => ({ violationDelaySeconds, clearMarginTemperature, clearMarginHumidity })

/** Who enters companies that are not theirs is nobody's colleague. */
export function countUsers(directory: Directory, { users }: Group): number {
  let count = 0
  for (const id of users) if (directory.users.get(id)?.superAdmin === false) count++
  return count
}

/** Where a picture is found. */
export const imagePath = (image: string | null): string | null =>
  image === null ? null : urlOf(GROUP_CALLS.image, { image })
