import type { DirectorAction } from '#machines/contracts/director-actions.ts'
import type { Actions } from './actions.ts'
import type { People } from './people.ts'

/** What is done to companies and people, each remembered with a sentence; false where there is no such one. */
export function createPeopleActions(people: People, actions: Actions) {
  const noted = async (isThere: boolean, done: DirectorAction, what: string): Promise<boolean> => {
    if (isThere) await actions.note(done, what)
    return isThere
  }
  return {
    async suspendCompany(companyId: string, isSuspended: boolean) {
      const name = people.nameOf(companyId)
      if (name === undefined) return false
      if (people.isSuspended(companyId) === isSuspended) return true
      await people.suspend(companyId, isSuspended)
      const kind = isSuspended ? ('company.suspend' as const) : ('company.resume' as const)
      return noted(true, { do: kind, companyId }, isSuspended ? `${name} suspended` : `${name} let in again`)
    },
    requireReset: async (userName: string) =>
      noted(
        await people.requireReset(userName),
        { do: 'user.require-reset', userName },
        `${userName} must set a new password`,
      ),
    logoutUser: async (userName: string) =>
      noted(
        await people.endSessions(userName, 'signOut'),
        { do: 'user.sign-out', userName },
        `${userName} signed out`,
      ),
    expireSessions: async (userName: string) =>
      noted(
        await people.endSessions(userName, 'runOut'),
        { do: 'user.end-sessions', userName },
        `Sessions of ${userName} ran out`,
      ),
    async expireToken(token: string) {
      const userId = await people.expireLink(token)
      if (userId === undefined) return false
      const whose = people.userNameOf(userId)
      return noted(true, { do: 'link.expire', userId }, `Link of a mail to ${whose} ran out`)
    },
  }
}
