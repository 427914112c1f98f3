import { randomUUID } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { boolean, enums, type Infer, number, optional, type } from 'superstruct'
import type { Clock } from '#machines/contracts/clock.ts'
import { decode } from '#machines/contracts/decode.ts'
import { Id } from '#machines/contracts/scalars.ts'

/**
 * What an access token holds. `scope` `reset`: good for setting the password and for nothing else. `iat`, `exp`: when it was
 * signed, and when it runs out, epoch seconds.
 */
export const Claims = type({
  sub: Id,
  companyId: Id,
  groupId: Id,
  sid: Id,
  scope: enums(['full', 'reset']),
  superAdmin: optional(boolean()),
  iat: number(),
  exp: number(),
})
export type Claims = Infer<typeof Claims>

export type AccessTokens = {
  /** @param ttl seconds it is good for, on the server's clock */
  sign(claims: Omit<Claims, 'iat' | 'exp'>, ttl: number): Promise<string>
  /** undefined for what is no token of ours, or has run out */
  verify(token: string): Promise<Claims | undefined>
}

const ISSUER = 'frostline'

/** HS256 tokens on the server's clock: with a simulator on, that is the simulator's. */
export function createAccessTokens(secret: string, clock: Clock): AccessTokens {
  const key = new TextEncoder().encode(secret)
  return {
    sign(claims, ttl) {
      const now = Math.floor(clock.now() / 1000)
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuer(ISSUER)
        .setJti(randomUUID())
        .setIssuedAt(now)
        .setExpirationTime(now + ttl)
        .sign(key)
    },
    async verify(token) {
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: ['HS256'],
          issuer: ISSUER,
          currentDate: new Date(clock.now()),
        })
        return decode(payload, Claims, 'access token')
      } catch {
        return undefined
      }
    },
  }
}
