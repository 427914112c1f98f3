import { createHash, randomBytes, randomUUID } from 'node:crypto'

/**
 * Refresh tokens: `userId.sessionId.secret`. The ids say where to look, the secret (256 bits) proves; only its hash is kept.
 */
export type RefreshToken = { userId: string; sessionId: string; secret: string }

export const newSessionId = (): string => `s-${randomUUID()}`
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** SHA-256, hex. Enough for what is random: there is nothing to guess. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')

export const writeRefreshToken = ({ userId, sessionId, secret }: RefreshToken): string =>
  `${userId}.${sessionId}.${secret}`

/** undefined where the text is none. */
export function readRefreshToken(text: string): RefreshToken | undefined {
  const [userId, sessionId, secret, ...rest] = text.split('.')
  if (!userId || !sessionId || !secret || rest.length > 0) return undefined
  return { userId, sessionId, secret }
}
