import type { Clock } from '#machines/contracts/clock.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import type { EventLog } from '../store/store.ts'
import type { AccessTokens, Claims } from './access-tokens.ts'

/** Whose request it is. They see `groupId` and everything below it. `expiresAt`: of the token, epoch ms on the server's clock. */
export type Visitor = {
  userId: string
  sessionId: string
  companyId: string
  groupId: string
  scope: 'full' | 'reset'
  superAdmin: boolean
  expiresAt: number
  /** whether nobody waits for an answer any more */
  hasLeft?(): boolean
}

export type VisitorOf = (token: string) => Promise<Visitor | undefined>

type Deps = {
  tokens: Pick<AccessTokens, 'verify'>
  log: Pick<EventLog, 'caughtUp'>
  readModels: Pick<ReadModels, 'directory' | 'settled'>
  clock: Clock
}

/** Seconds after the signing of a token in which what it was signed for may be known on another node alone. */
const FRESH_SECONDS = 30

/**
 * Who a token speaks for. A token whose session has ended speaks for nobody, from that moment on, nor does one of somebody who was
 * moved to another group: the next one says where they are. A token for setting a
 * password has no session and lives until it runs out or the password is set. One that was signed a moment ago may be
 * another node's: before it is refused, this node has all that was appended there.
 */
export function createVisitorOf({ tokens, log, readModels, clock }: Deps): VisitorOf {
  return async (token) => {
    const claims = await tokens.verify(token)
    if (claims === undefined) return undefined
    const visitor = known(claims)
    if (visitor !== undefined || clock.now() / 1000 - claims.iat > FRESH_SECONDS) return visitor
    await readModels.settled(await log.caughtUp())
    return known(claims)
  }

  function known(claims: Claims): Visitor | undefined {
    const user = readModels.directory.users.get(claims.sub)
    if (user === undefined) return undefined
    const session = user.sessions.get(claims.sid)
    if (claims.scope === 'full') {
      if (session === undefined || session.expiresAt <= clock.now()) return undefined
    } else if (!user.resetRequired || user.resetId !== claims.sid) return undefined
    const superAdmin = claims.superAdmin === true && user.superAdmin
    // only a super admin is let into a company not their own, and only by a token that names it
    if (session?.handoff && !superAdmin) return undefined
    const { companyId, groupId } = session?.handoff ?? user
    if (claims.scope === 'full' && claims.groupId !== groupId) return undefined
    return {
      userId: user._id,
      sessionId: claims.sid,
      companyId,
      groupId,
      scope: claims.scope,
      superAdmin,
      expiresAt: claims.exp * 1000,
    }
  }
}
