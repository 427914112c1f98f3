import type { Fact } from '#machines/contracts/facts.ts'
import { LIVE_CLOSE } from '#machines/contracts/live-messages.ts'

/** Who is behind a token. They see `groupId` and everything below it. */
export type Visitor = {
  userId: string
  sessionId: string
  companyId: string
  groupId: string
  superAdmin?: boolean
  /** when the token runs out, epoch ms on the server's clock */
  expiresAt: number
}

/** Answers who a token speaks for; undefined where it is unknown, run out, or its session has ended. */
export type VerifyToken = (token: string) => Visitor | undefined | Promise<Visitor | undefined>

export type Ending = { code: number; reason: string }

/** Why a fact ends this visitor's links, undefined where it does not. */
export function endedBy(fact: Fact, visitor: Visitor): Ending | undefined {
  switch (fact.type) {
    case 'session.ended':
      return fact.data.sessionId === visitor.sessionId
        ? { code: LIVE_CLOSE.refused, reason: 'session ended' }
        : undefined
    case 'user.deleted':
      return fact.data.userId === visitor.userId
        ? { code: LIVE_CLOSE.refused, reason: 'user deleted' }
        : undefined
    case 'company.suspended':
      return fact.data.companyId === visitor.companyId
        ? { code: LIVE_CLOSE.suspended, reason: 'company suspended' }
        : undefined
    case 'user.updated':
      return fact.data.userId === visitor.userId && fact.data.groupId !== undefined
        ? { code: LIVE_CLOSE.moved, reason: 'moved to another group' }
        : undefined
    default:
      return undefined
  }
}
