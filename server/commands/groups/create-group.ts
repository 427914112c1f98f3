import type { CommandOf } from '#machines/contracts/commands.ts'
import { groupBasis } from '#machines/projections/bounds.ts'
import { type Directory, isWithin } from '#machines/projections/directory.ts'
import { groupFaults } from '#machines/rules/group-form.ts'
import { type Decision, decided, faulty, NOT_FOUND, refuse } from '../decision.ts'
import { devicesInScope, moved, originOf } from '../structure.ts'
import { levelOf, MOST_LEVELS, TOO_DEEP } from './depth.ts'
import { evaluationSet } from './set-evaluation.ts'

export const MOST_GROUPS = 5_000
const TOO_MANY_GROUPS =
  'Your company has 5,000 groups, and no more are kept: delete one, or use one that is there.'

/**
 * A group below another, and devices that leave the groups they are in for it. Parent and devices must be in the requester's
 * scope; `topId` is the requester's top group.
 */
export function createGroup(
  directory: Directory,
  command: CommandOf<'group.create'>,
  topId: string,
): Decision {
  const { things, violationDelaySeconds, clearMarginTemperature, clearMarginHumidity, ...group } =
    command.data
  const evaluation = { violationDelaySeconds, clearMarginTemperature, clearMarginHumidity }
  const { parentId, companyId } = group
  const parent = directory.groups.get(parentId)
  if (parentId !== '' && (parent === undefined || !isWithin(directory, parentId, topId)))
    return refuse(404, NOT_FOUND)
  if (companyId !== directory.groups.get(topId)?.companyId) return refuse(404, NOT_FOUND)
  const devices = devicesInScope(directory, things, topId)
  if (devices === undefined) return refuse(404, NOT_FOUND)
  const faults = groupFaults({ ...group, ...evaluation }, groupBasis(directory, companyId))
  if (faults.length > 0 || parent === undefined) return faulty(faults)
  if (levelOf(directory, parent) >= MOST_LEVELS) return faulty(TOO_DEEP)
  if (isFull(directory, companyId)) return refuse(409, TOO_MANY_GROUPS)
  const origin = originOf(command, companyId)
  return decided(
    {
      ...origin,
      type: 'group.created',
      data: { ...group, name: group.name.trim(), description: group.description.trim() },
    },
    ...evaluationSet({ _id: group.groupId }, evaluation, origin),
    ...moved(devices, group.groupId, origin),
  )
}

function isFull({ groups }: Directory, wanted: string): boolean {
  let count = 0
  for (const { companyId } of groups.values()) if (companyId === wanted) count++
  return count >= MOST_GROUPS
}
