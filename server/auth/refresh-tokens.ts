import { createHash, createHmac, hkdfSync, randomBytes, randomUUID } from 'node:crypto'

/**
 * Refresh tokens: `userId.sessionId.secret`. The ids say where to look, the secret (256 bits) proves; only its hash is kept.
 */
export type RefreshToken = { userId: string; sessionId: string; secret: string }

export const newSessionId = (): string => `s-${randomUUID()}`
/** 256 random bits, base64url. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** SHA-256, hex. Enough for what is random: there is nothing to guess. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** The token that a refresh token is exchanged for. */
export type Successor = (token: RefreshToken) => RefreshToken

/**
 * The same token always has the same successor, so two tabs that exchange it at once get the same one, and none has to
 * be kept for the second. Only the server can work it out.
 */
export function createSuccessor(secret: string): Successor {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'frostline refresh', 32))
  return ({ userId, sessionId, secret: spent }) => ({
    userId,
    sessionId,
    secret: createHmac('sha256', key).update(`${sessionId}:${spent}`).digest('base64url'),
  })
}

/** As `readRefreshToken` takes it apart. */
export const writeRefreshToken = ({ userId, sessionId, secret }: RefreshToken): string =>
  `${userId}.${sessionId}.${secret}`

/** undefined where the text is none. */
export function readRefreshToken(text: string): RefreshToken | undefined {
  const [userId, sessionId, secret, ...rest] = text.split('.')
  if (!userId || !sessionId || !secret || rest.length > 0) return undefined
  return { userId, sessionId, secret }
}
