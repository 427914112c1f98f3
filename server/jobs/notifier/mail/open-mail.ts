import type { Clock } from '#machines/contracts/clock.ts'
import type { DownloadLinks } from '../../../auth/download-links.ts'
import type { EmailLinks } from '../../../auth/email-links.ts'
import type { MailLinks } from '../../../auth/mail-links.ts'
import type { Env } from '../../../config/config.ts'
import type { ReadModels } from '../../../read-models/read-models.ts'
import type { Store } from '../../../store/store.ts'
import type { Source } from './letter.ts'
import { type Mailer, startMailer } from './mailer.ts'
import { smtpTransport } from './smtp.ts'
import { outboxTransport } from './transport.ts'

export type MailParts = {
  env: Pick<Env, 'smtpUrl' | 'mailFrom' | 'publicUrl' | 'simulator'>
  /** what links start with, given or not */
  publicUrl: string
  store: Pick<Store, 'log' | 'checkpoints'>
  readModels: ReadModels
  links: EmailLinks
  reportLinks: DownloadLinks
  mailLinks: MailLinks
  reportFile: Source['reportFile']
  clock: Clock
  warn(message: string): void
}

/** The mailer as the environment wants it; says what an operator may not have meant. */
export function openMail({
  env,
  publicUrl,
  links,
  reportLinks,
  mailLinks,
  reportFile,
  warn,
  ...parts
}: MailParts): Mailer {
  const { smtpUrl, mailFrom, simulator } = env
  if (smtpUrl === undefined && !simulator)
    warn('SMTP_URL is not set: nobody gets any mail, letters are only written into the log')
  if (smtpUrl !== undefined && env.publicUrl === undefined)
    warn(`PUBLIC_URL is not set: links in mails start with ${publicUrl}`)
  return startMailer({
    ...parts,
    warn,
    source: { links, reportLinks, mailLinks, reportFile, publicUrl },
    transport: smtpUrl === undefined ? outboxTransport : smtpTransport({ url: smtpUrl, from: mailFrom }),
  })
}
