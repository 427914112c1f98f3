import { createTransport } from 'nodemailer'
import type { Outcome } from '../sending/channel.ts'
import type { Letter } from './letter.ts'
import type { Transport } from './transport.ts'

type Options = {
  /** `smtp://` or `smtps://`, with user and password where there are some */
  url: string
  /** an address, or `Name <address>` */
  from: string
}

/** Ms a server may take: to let us in, to greet, to say anything at all. */
const TIMEOUTS = {
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 15_000,
  socketTimeout: 30_000,
}

/** Letters over SMTP, a connection each: TLS where the server offers it, always with `smtps://` or `?requireTLS=true`. */
export function smtpTransport({ url, from }: Options): Transport {
  const transporter = createTransport({ url, ...TIMEOUTS, disableFileAccess: true, disableUrlAccess: true })
  return {
    via: 'smtp',
    async deliver(letter, signal): Promise<Outcome> {
      try {
        await transporter.sendMail({ ...(await messageOf(letter, from)), signal })
        return { is: 'sent' }
      } catch (error) {
        return outcomeOf(error)
      }
    },
  }
}

const messageOf = async (
  { id, to, subject, text, html, unsubscribe, attachments = [] }: Letter,
  from: string,
) => ({
  from,
  to,
  subject,
  text,
  html,
  attachments: await Promise.all(
    attachments.map(async ({ content, ...rest }) => ({ ...rest, content: bufferOf(await content()) })),
  ),
  // stable: a server or a reader that has the letter already knows it again
  messageId: `<${id}@${domainOf(from)}>`,
  // no out-of-office answers to it (RFC 3834)
  headers: {
    'Auto-Submitted': 'auto-generated',
    ...(unsubscribe !== undefined && {
      'List-Unsubscribe': `<${unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }),
  },
})

/** A letter that says a file is with it leaves with its file or not at all. */
function bufferOf(bytes: Uint8Array | undefined): Buffer {
  if (bytes === undefined) throw Object.assign(new Error('its file is gone'), { code: 'EMESSAGE' })
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

const domainOf = (from: string): string => /@([^\s<>@]+?)>?$/.exec(from.trim())?.[1] ?? 'localhost'

/**
 * RFC 5321: 5yz is for good, 4yz for now. Only what is said of the recipient or the content is said of the letter;
 * a sender or a password that is not taken is ours to mend, and letters wait for it.
 */
function outcomeOf(error: unknown): Outcome {
  const { code, command, responseCode, message } = error as {
    code?: string
    command?: string
    responseCode?: number
    message: string
  }
  const reason = withoutTokens(message)
  const isOfLetter = command === 'RCPT TO' || command === 'DATA'
  if (isOfLetter && responseCode !== undefined && responseCode >= 500) return { is: 'refused', reason }
  // service not available, closing channel: said of the server, whenever it is said
  if (isOfLetter && responseCode !== undefined && responseCode !== 421) return { is: 'later', reason }
  // not even asked: the letter is larger than the server says it takes, or has an address that is none
  if (responseCode === undefined && (code === 'EMESSAGE' || code === 'EENVELOPE'))
    return { is: 'refused', reason }
  return { is: 'closed', reason }
}

/** A server may quote a letter in its refusal; the reason goes into the log, links and codes never do. */
const withoutTokens = (text: string): string =>
  text.replaceAll(/[\w-]{32,}|\b\d{6}\b/g, '[secret]').slice(0, 500)
