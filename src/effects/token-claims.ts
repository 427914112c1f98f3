import { type as open } from 'superstruct'
import { decodeJson } from '#machines/contracts/decode.ts'
import { Finite } from '#machines/contracts/scalars.ts'

/** When an access token runs out, epoch ms; undefined where it does not say. It is read, not verified: that is the server's part. */
export function tokenEnd(accessToken: string): number | undefined {
  const payload = accessToken.split('.')[1]
  if (payload === undefined) return undefined
  try {
    const text = atob(payload.replaceAll('-', '+').replaceAll('_', '/'))
    return decodeJson(text, open({ exp: Finite }), 'access token').exp * 1000
  } catch {
    return undefined
  }
}
