import type { Clock } from '#machines/contracts/clock.ts'
import { createExecute, type Execute } from '../commands/execute.ts'
import type { Env } from '../env.ts'
import type { EventLog } from '../log/log.ts'
import type { ReadModels } from '../projecting/read-models.ts'
import { type AccessTokens, createAccessTokens } from './access-tokens.ts'
import { type Attempts, createAttempts } from './attempts.ts'
import { createLinks, type Links } from './links.ts'
import { createSuccessor, type Successor } from './refresh-tokens.ts'
import { createReportLinks, type ReportLinks } from './report-links.ts'
import { tokenSecret } from './token-secret.ts'
import { createVisitorOf, type Visitor, type VisitorOf } from './visitor.ts'

export type Access = {
  tokens: AccessTokens
  visitorOf: VisitorOf
  /** for sockets: full tokens alone */
  verifyToken(token: string): Promise<Visitor | undefined>
  /** wrong passwords and codes */
  attempts: Attempts
  /** mails that nobody had to sign in for */
  mailsAsked: Attempts
  links: Links
  reportLinks: ReportLinks
  successor: Successor
  execute: Execute
}

type Deps = {
  env: Pick<Env, 'tokenSecret' | 'dataDir' | 'activationTtl' | 'resetTtl'>
  log: EventLog
  readModels: ReadModels
  clock: Clock
  /** ms that only ever grow, whatever the house's clock does: limits on guessing live in real time */
  uptime?: () => number
}

/** Who comes in and how: one for the whole house, shared by REST and sockets. */
export function createAccess({
  env,
  log,
  readModels,
  clock,
  uptime = () => performance.now(),
}: Deps): Access {
  const secret = tokenSecret(env.tokenSecret, env.dataDir)
  const tokens = createAccessTokens(secret, clock)
  const visitorOf = createVisitorOf(tokens, readModels, clock)
  return {
    tokens,
    visitorOf,
    async verifyToken(token) {
      const visitor = await visitorOf(token)
      return visitor?.scope === 'full' ? visitor : undefined
    },
    attempts: createAttempts(uptime),
    mailsAsked: createAttempts(uptime),
    links: createLinks({ secret, clock, env }),
    reportLinks: createReportLinks(secret, clock),
    successor: createSuccessor(secret),
    execute: createExecute({ log, readModels, clock }),
  }
}
