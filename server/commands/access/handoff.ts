import type { CommandOf } from '#machines/contracts/commands.ts'
import type { Directory, Group } from '#machines/projections/directory.ts'
import { type Decision, decided, NOT_FOUND, refuse } from '../decision.ts'
import { crowdedOut, suspension } from './sessions.ts'

/**
 * A super admin enters a company as its top group. It is a session of its own, recorded in the company's history with who
 * it is; to everybody else there is no such call.
 */
export function handOff(directory: Directory, { at, data }: CommandOf<'session.hand-off'>): Decision {
  const user = directory.users.get(data.userId)
  const company = directory.companies.get(data.companyId)
  const top = topGroup(directory, data.companyId)
  if (user?.superAdmin !== true || company === undefined || top === undefined) return refuse(404, NOT_FOUND)
  const suspended = suspension(company)
  if (suspended) return { facts: [], refused: suspended }
  const { companyId, sessionId, refreshHash, expiresAt } = data
  return decided(...crowdedOut(user, at), {
    type: 'session.handed-off',
    at,
    companyId,
    by: user._id,
    data: { userId: user._id, sessionId, companyId, groupId: top._id, refreshHash, expiresAt },
  })
}

/** The group everything else of a company is below. */
export function topGroup({ groups }: Directory, companyId: string): Group | undefined {
  for (const group of groups.values())
    if (group.companyId === companyId && group.parentId === null) return group
  return undefined
}
