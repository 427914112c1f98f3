import type { Clock } from '#machines/contracts/clock.ts'
import { createExecute, type Execute } from '../commands/execute.ts'
import type { Env } from '../env.ts'
import type { EventLog } from '../log/log.ts'
import type { ReadModels } from '../projecting/read-models.ts'
import { type AccessTokens, createAccessTokens } from './access-tokens.ts'
import { type Attempts, createAttempts } from './attempts.ts'
import { tokenSecret } from './token-secret.ts'
import { createVisitorOf, type Visitor, type VisitorOf } from './visitor.ts'

export type Access = {
  tokens: AccessTokens
  visitorOf: VisitorOf
  /** for sockets: full tokens alone */
  verifyToken(token: string): Promise<Visitor | undefined>
  attempts: Attempts
  execute: Execute
}

type Deps = {
  env: Pick<Env, 'tokenSecret' | 'dataDir'>
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
  const tokens = createAccessTokens(tokenSecret(env.tokenSecret, env.dataDir), clock)
  const visitorOf = createVisitorOf(tokens, readModels, clock)
  return {
    tokens,
    visitorOf,
    async verifyToken(token) {
      const visitor = await visitorOf(token)
      return visitor?.scope === 'full' ? visitor : undefined
    },
    attempts: createAttempts(uptime),
    execute: createExecute({ log, readModels, clock }),
  }
}
