import { userByLogin } from '#machines/projections/directory.ts'
import { type Core, DECIDERS, validityOfLink } from '../../server/ports.ts'

const { changeSuspension, expireLink, requireReset, runOutSessions, signOutUser } = DECIDERS

/** What a director does to companies and people: what they feel of it are facts like any other. */
export function createPeople(
  { access, execute, readModels }: Pick<Core, 'access' | 'execute' | 'readModels'>,
  now: () => number,
) {
  const { directory } = readModels
  const idOf = (userName: string) => userByLogin(directory, userName)?._id
  const company = (companyId: string) => directory.companies.get(companyId)

  return {
    nameOf: (companyId: string) => company(companyId)?.name,
    userNameOf: (userId: string) => directory.users.get(userId)?.userName ?? userId,
    isSuspended: (companyId: string) => company(companyId)?.suspended,
    async suspend(companyId: string, isSuspended: boolean): Promise<void> {
      const type = isSuspended ? ('company.suspend' as const) : ('company.resume' as const)
      await execute(`company-${companyId}`, { type, by: null, data: { companyId } }, changeSuspension)
    },
    /** @returns whether there is such a user */
    async requireReset(userName: string): Promise<boolean> {
      const userId = idOf(userName)
      if (userId === undefined) return false
      const command = { type: 'user.require-reset' as const, by: null, data: { userId } }
      await execute(`user-${userId}`, command, requireReset)
      return true
    },
    /** `runOut`: as if their sessions had come to their end, instead of somebody having signed them out */
    async endSessions(userName: string, how: 'signOut' | 'runOut'): Promise<boolean> {
      const userId = idOf(userName)
      if (userId === undefined) return false
      const command = { type: 'user.sign-out' as const, by: null, data: { userId } }
      await execute(`user-${userId}`, command, how === 'signOut' ? signOutUser : runOutSessions)
      return true
    },
    /** @returns whose link it was; undefined where it is none that is still good */
    async expireLink(token: string): Promise<string | undefined> {
      const link = directory.links.byToken.get(access.emailLinks.hashToken(token))
      if (link === undefined || validityOfLink(directory, link, now()) === -1) return undefined
      const { userId, linkId } = link
      const command = { type: 'link.expire' as const, by: null, data: { userId, linkId } }
      await execute(`user-${userId}`, command, expireLink)
      return userId
    },
  }
}
export type People = ReturnType<typeof createPeople>
