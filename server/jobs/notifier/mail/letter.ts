import { LONGEST_ID } from '#machines/contracts/scalars.ts'
import type { DownloadLinks } from '../../../auth/download-links.ts'
import type { EmailLinks } from '../../../auth/email-links.ts'
import type { MailLinks } from '../../../auth/mail-links.ts'
import type { AlertSource } from '../alerts/concerned.ts'
import type { Message } from '../sending/channel.ts'

/** `content`: read when the letter leaves; undefined: it is not there any more */
export type Attachment = {
  filename: string
  contentType: string
  content: () => Promise<Uint8Array | undefined>
}

/** What one person gets. Its `id` becomes the Message-ID. */
export type Letter = Message & {
  to: { name: string; address: string }
  subject: string
  text: string
  html: string
  /** addresses it leads to, the one it is about first */
  links: string[]
  attachments?: Attachment[]
  /** where one click of a mail reader ends these mails (RFC 8058) */
  unsubscribe?: string
}

/** The id of a letter that a fact (`seq`) about something (`id`) has: no other fact's, and as long as ids may be. */
export function letterId(id: string, seq: number): string {
  const end = `-${seq}`
  return `${id.slice(0, LONGEST_ID - end.length)}${end}`
}

/** What letters are written from, besides the fact they tell of; what one is about may be other facts. */
export type Source = AlertSource & {
  links: Pick<EmailLinks, 'tokenOf' | 'codeOf' | 'hashToken'>
  reportLinks: Pick<DownloadLinks, 'to'>
  mailLinks: Pick<MailLinks, 'to'>
  /** a file of a report, counted from 0 */
  reportFile(reportId: string, n: number): Promise<Uint8Array | undefined>
  /** what addresses start with, without a slash at the end */
  publicUrl: string
}
