import { boolean, type Infer, type as open, optional } from 'superstruct'
import { decodeJson } from '#machines/contracts/decode.ts'
import { Finite, Id } from '#machines/contracts/scalars.ts'

const Claims = open({ sub: optional(Id), exp: Finite, superAdmin: optional(boolean()) })

/** When an access token runs out, epoch ms; undefined where it does not say. It is read, not verified: that is the server's part. */
export function tokenEnd(accessToken: string): number | undefined {
  const claims = claimsOf(accessToken)
  return claims && claims.exp * 1000
}

/** Whether a token says that it is an administrator's, of all companies. What they may do the server decides. */
export function isSuperAdmin(accessToken: string): boolean {
  return claimsOf(accessToken)?.superAdmin === true
}

/** Whose a token is; undefined where it does not say. */
export const userOf = (accessToken: string): string | undefined => claimsOf(accessToken)?.sub

function claimsOf(accessToken: string): Infer<typeof Claims> | undefined {
  const payload = accessToken.split('.')[1]
  if (payload === undefined) return undefined
  try {
    const text = atob(payload.replaceAll('-', '+').replaceAll('_', '/'))
    return decodeJson(text, Claims, 'access token')
  } catch {
    return undefined
  }
}
