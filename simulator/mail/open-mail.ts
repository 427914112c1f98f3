import type { Clock } from '#machines/contracts/clock.ts'
import type { Links } from '../access/links.ts'
import type { Env } from '../env.ts'
import type { Store } from '../log/log.ts'
import type { ReadModels } from '../projecting/read-models.ts'
import { type Mailer, startMailer } from './mailer.ts'
import { smtpTransport } from './smtp.ts'
import { outboxTransport } from './transport.ts'

type Parts = {
  env: Pick<Env, 'smtpUrl' | 'mailFrom' | 'publicUrl' | 'simulator'>
  /** where the house listens, e.g. `http://127.0.0.1:4000` */
  address: string
  store: Pick<Store, 'log' | 'checkpoints'>
  readModels: ReadModels
  links: Links
  clock: Clock
  warn(message: string): void
}

/** The mailer as the environment wants it; says what an operator may not have meant. */
export function openMail({ env, address, links, warn, ...parts }: Parts): Mailer {
  const { smtpUrl, mailFrom, simulator } = env
  const publicUrl = env.publicUrl ?? fromThisMachine(address)
  if (smtpUrl === undefined && !simulator)
    warn('SMTP_URL is not set: nobody gets any mail, letters are only written into the log')
  if (smtpUrl !== undefined && env.publicUrl === undefined)
    warn(`PUBLIC_URL is not set: links in mails start with ${publicUrl}`)
  return startMailer({
    ...parts,
    warn,
    source: { links, publicUrl },
    transport: smtpUrl === undefined ? outboxTransport : smtpTransport({ url: smtpUrl, from: mailFrom }),
  })
}

/** Who listens on every address of the machine has none of them to show. */
function fromThisMachine(address: string): string {
  const url = new URL(address)
  if (url.hostname === '0.0.0.0' || url.hostname === '[::]') url.hostname = 'localhost'
  return url.origin
}
