import type { ScenarioEvent } from '#machines/contracts/scenario-script.ts'
import { userByLogin } from '#machines/projections/directory.ts'
import { type Core, DECIDERS, streamOfLoads, validityOfLink } from '../../server/ports.ts'

const { changeSuspension, expireLink, openLoad, requireReset, runOutSessions, setProfile, signOutUser } =
  DECIDERS

type Event<Do extends ScenarioEvent['do']> = Extract<ScenarioEvent, { do: Do }>

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
    /** ids of the companies that are, whoever suspended them */
    suspended: () => [...directory.companies].flatMap(([id, { suspended }]) => (suspended ? [id] : [])),
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
    /** Somebody makes a profile of their company's, or changes it; nothing where they may not. */
    async setProfile({ userName, profileId, profile }: Event<'profile.set'>): Promise<void> {
      const user = userByLogin(directory, userName)
      if (user === undefined) return
      const { _id: userId, companyId, groupId } = user
      const data = { profileId, isNew: true, ...profile, ifVersion: null }
      const keeper = { userId, companyId, groupId, superAdmin: false }
      await execute(streamOfLoads(companyId), { type: 'profile.set', by: userId, data }, (state, command) =>
        setProfile(state, command, keeper),
      )
    },
    /** Somebody says that goods are on a device from now on; nothing where it carries a load already. */
    async openLoad(
      { userName, reference, profileId }: Event<'load.open'>,
      imei: string,
      loadId: string,
    ): Promise<void> {
      const user = userByLogin(directory, userName)
      if (user === undefined) return
      const { _id: by, companyId, groupId: topId } = user
      const data = { loadId, imei, reference, profileId, since: null }
      await execute(streamOfLoads(companyId), { type: 'load.open', by, data }, (state, command) =>
        openLoad(state, command, { companyId, topId }),
      )
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
