import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export type MailServerOptions = {
  /** any free one by default */
  port?: number
  /** asked of everybody */
  user?: string
  password?: string
  /** offers TLS, with a certificate that nobody vouches for */
  hasTls?: boolean
  /** what is said to a sender, a recipient, a message: an SMTP status and text; undefined: taken */
  sender?: (address: string) => string | undefined
  recipient?: (address: string) => string | undefined
  content?: (text: string) => string | undefined
}

/** A mail server on this machine; what it took can be read. */
export async function openMailServer(options: MailServerOptions = {}) {
  const taken: Buffer[] = []
  let secured = 0
  const isOpen = options.user === undefined
  const server = new SMTPServer({
    logger: false,
    authOptional: isOpen,
    disabledCommands: [...(options.hasTls ? [] : ['STARTTLS']), ...(isOpen ? ['AUTH'] : [])],
    onSecure(_socket, _session, callback) {
      secured++
      callback()
    },
    onAuth({ username, password }, _, callback) {
      if (username === options.user && password === options.password) callback(null, { user: username })
      else callback(refusal('535 That is not the password'))
    },
    onMailFrom: ({ address }, _, callback) => callback(refusal(options.sender?.(address))),
    onRcptTo: ({ address }, _, callback) => callback(refusal(options.recipient?.(address))),
    onData(stream, _, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const refused = refusal(options.content?.(bytes.toString()))
        if (!refused) taken.push(bytes)
        callback(refused)
      })
    },
  })
  const listening = server.listen(options.port ?? 0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  const login = isOpen ? '' : `${options.user}:${options.password}@`
  return {
    port,
    url: `smtp://${login}127.0.0.1:${port}`,
    received: (): Promise<Email[]> => Promise.all(taken.map((bytes) => PostalMime.parse(bytes))),
    /** connections that changed to TLS */
    secured: () => secured,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}

function refusal(message: string | undefined): Error | null {
  if (message === undefined) return null
  return Object.assign(new Error(message.slice(4)), { responseCode: Number(message.slice(0, 3)) })
}
