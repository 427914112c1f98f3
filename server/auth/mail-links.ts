import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { mailboxOf } from '#machines/rules/mailbox.ts'

/**
 * Links by which whoever gets the mails of a company's schedules, or is asked whether they want them, says yes or no. Good for ever,
 * as mails are kept; nothing of them is stored.
 */
export type MailLinks = {
  /** path of the page of an address */
  to(companyId: string, address: string): string
  /** whose it is; undefined: none of ours */
  read(token: string): { companyId: string; address: string } | undefined
}

export const MAIL_PAGE = '/mail'

/** @param secret the server's own; links are signed with a key derived from it */
export function createMailLinks(secret: string): MailLinks {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'frostline scheduled mails', 32))
  const sign = (text: string): string => createHmac('sha256', key).update(text).digest('base64url')
  return {
    to(companyId, address) {
      const text = Buffer.from(`${companyId}\n${mailboxOf(address)}`).toString('base64url')
      return `${MAIL_PAGE}/${text}.${sign(text)}`
    },
    read(token) {
      const [text = '', signature = ''] = token.split('.')
      const [given, right] = [signature, sign(text)].map((part) => Buffer.from(part)) as [Buffer, Buffer]
      if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined
      const [companyId = '', address = ''] = Buffer.from(text, 'base64url').toString().split('\n')
      return { companyId, address }
    },
  }
}
