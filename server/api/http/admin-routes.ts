import { hashSecret, newSecret, newSessionId, writeRefreshToken } from '../../auth/refresh-tokens.ts'
import type { Visitor } from '../../auth/visitor.ts'
import { handOff } from '../../commands/access/handoff.ts'
import type { HttpContext } from './context.ts'
import { groupInfo } from './group-answer.ts'
import { notFound, refusal } from './refusals.ts'
import { claimsOf, HANDOFF_MS, placeOf, sessionUser } from './session-answer.ts'

type Deps = Pick<HttpContext, 'answerCall' | 'env' | 'access' | 'execute' | 'clock' | 'readModels'>

/** For super admins alone; to everybody else none of this exists. */
export function adminRoutes({
  answerCall,
  env,
  access,
  execute,
  clock,
  readModels: { directory },
}: Deps): void {
  const { tokens } = access

  function superAdmin({ userId, superAdmin }: Visitor) {
    const user = directory.users.get(userId)
    if (!superAdmin || user === undefined) throw notFound()
    return user
  }

  answerCall('companies', ({ visitor }) => {
    superAdmin(visitor)
    return [...directory.companies.values()].map(({ companyId, name, suspended }) => ({
      _id: companyId,
      name,
      suspended,
    }))
  })

  answerCall('handoff', async ({ visitor, params: { companyId }, reply }) => {
    const user = superAdmin(visitor)
    const sessionId = newSessionId()
    const secret = newSecret()
    const { refused } = await execute(
      `user-${user._id}`,
      {
        type: 'session.hand-off',
        by: user._id,
        data: {
          userId: user._id,
          companyId,
          sessionId,
          refreshHash: hashSecret(secret),
          expiresAt: clock.now() + HANDOFF_MS,
        },
      },
      handOff,
    )
    if (refused) throw refusal(refused)
    const { groupId } = placeOf(user, sessionId)
    const { name, depthLevel, groupImage } = groupInfo(directory, groupId)
    const query = new URLSearchParams({
      group: groupId,
      company: companyId,
      groupName: name,
      depthLevel: String(depthLevel),
      groupImage: groupImage ?? '',
      refreshToken: writeRefreshToken({ userId: user._id, sessionId, secret }),
      token: await tokens.sign(claimsOf(user, sessionId), env.accessTtl),
      identityId: sessionId,
      user: JSON.stringify(sessionUser(user, sessionId)),
    })
    reply.header('cache-control', 'no-store')
    return { link: `${env.publicUrl ?? ''}/adminLogin?${query}` }
  })
}
