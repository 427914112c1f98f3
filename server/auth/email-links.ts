import { createHmac, hkdfSync, randomUUID } from 'node:crypto'
import type { Clock } from '#machines/contracts/clock.ts'
import type { NewLink } from '#machines/contracts/commands.ts'
import type { LinkPurpose } from '#machines/contracts/messages.ts'
import type { Env } from '../config/config.ts'
import { hashSecret } from './refresh-tokens.ts'

/**
 * Links of mails. Token and code of a link follow from its id and a key that the log does not hold, so whoever writes
 * the mail can write it again, and whoever reads the log learns nothing (docs/decisions/0016).
 */
export type EmailLinks = {
  /** a link that runs out after the time its purpose has; only a password link has a code */
  make(purpose: LinkPurpose): NewLink
  /** what stands in the address: 43 characters of base64url, 256 bits */
  tokenOf(linkId: string): string
  /** six digits */
  codeOf(linkId: string): string
  hashToken(token: string): string
  /** of a code somebody gives for a link; keyed, as of a million codes each could be tried */
  hashCode(linkId: string, code: string): string
}

type Deps = { secret: string; clock: Clock; env: Pick<Env, 'activationTtl' | 'resetTtl'> }

/** `secret`: of all nodes; with another one the links that were mailed open nothing any more. */
export function createEmailLinks({ secret, clock, env }: Deps): EmailLinks {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'frostline links', 32))
  const mac = (text: string): Buffer => createHmac('sha256', key).update(text).digest()

  const tokenOf = (linkId: string): string => mac(`link:${linkId}`).toString('base64url')
  // of 48 bits: no code is likelier than another by more than one in 10^8
  const codeOf = (linkId: string): string =>
    String(mac(`code:${linkId}`).readUIntBE(0, 6) % 1_000_000).padStart(6, '0')
  const hashCode = (linkId: string, code: string): string => mac(`proof:${linkId}:${code}`).toString('hex')

  return {
    tokenOf,
    codeOf,
    hashToken: hashSecret,
    hashCode,
    make(purpose) {
      const linkId = `l-${randomUUID()}`
      const ttl = purpose === 'activation' ? env.activationTtl : env.resetTtl
      return {
        linkId,
        purpose,
        tokenHash: hashSecret(tokenOf(linkId)),
        codeHash: purpose === 'password' ? hashCode(linkId, codeOf(linkId)) : null,
        expiresAt: clock.now() + ttl * 1000,
      }
    },
  }
}
