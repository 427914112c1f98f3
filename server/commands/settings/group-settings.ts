import type { CommandOf } from '#machines/contracts/commands.ts'
import { type Directory, isWithin } from '#machines/projections/directory.ts'
import { drivingScore, fatigueThreshold } from '#machines/projections/settings.ts'
import { drivingScoreVersion, isStale } from '#machines/projections/versions.ts'
import { type Decision, decided, faulty, NOT_FOUND, refuse, stale } from '../decision.ts'
import { changesOf, isEmpty, originOf } from '../structure.ts'

const DAY_MINUTES = 24 * 60
export const NOT_YOURS = "Only users of the company's top group may change this"

/** How long somebody of a group may drive; what is not given stays as it is. */
export function setFatigueThreshold(
  directory: Directory,
  command: CommandOf<'group.set-fatigue-threshold'>,
  topId: string,
): Decision {
  const { groupId, ...given } = command.data
  const group = directory.groups.get(groupId)
  if (group === undefined || !isWithin(directory, groupId, topId)) return refuse(404, NOT_FOUND)
  const faults = (['drivingMinutes', 'restMinutes'] as const)
    .filter((path) => given[path] !== undefined && (given[path] < 1 || given[path] > DAY_MINUTES))
    .map((path) => ({ path, message: `Must be between 1 and ${DAY_MINUTES} minutes` }))
  if (faults.length > 0) return faulty(faults)
  const now = fatigueThreshold(directory.settings, groupId)
  const changes = changesOf(now, given)
  if (isEmpty(changes)) return decided()
  return decided({
    ...originOf(command, group.companyId),
    type: 'group.fatigue-threshold-set',
    data: { groupId, ...now, ...changes },
  })
}

/** Which driving events count: for the whole company, so its top group sets it. */
export function setDrivingScore(
  directory: Directory,
  command: CommandOf<'company.set-driving-score'>,
  topId: string,
): Decision {
  const { companyId, ifVersion, ...setting } = command.data
  const top = directory.groups.get(topId)
  if (top?.companyId !== companyId || !directory.companies.has(companyId)) return refuse(404, NOT_FOUND)
  if (top.parentId !== null) return refuse(403, NOT_YOURS)
  if (isStale(ifVersion, drivingScoreVersion(directory, companyId))) return stale()
  if (isEmpty(changesOf(drivingScore(directory.settings, companyId).setting, setting))) return decided()
  return decided({
    ...originOf(command, companyId),
    type: 'company.driving-score-set',
    data: { companyId, ...setting },
  })
}
