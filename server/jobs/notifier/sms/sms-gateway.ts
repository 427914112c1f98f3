import type { Outcome, Transport } from '../sending/channel.ts'
import type { TextMessage } from './text-message.ts'

/** A way for text messages to leave the server: what a provider of them must be. */
export type SmsProvider = Transport<TextMessage, 'http' | 'outbox'>

/** Without a gateway: that it was written is logged, with its text, and it can be read in the outbox from then on. */
export const outboxProvider: SmsProvider = { via: 'outbox', deliver: async () => ({ is: 'sent' }) }

const TIMEOUT_MS = 15_000
const LONGEST_REASON = 300

/**
 * Any gateway behind one address: `POST` of `{ to, text, id }` as JSON. 2xx: taken. 4xx: this message is refused, for good;
 * but 401, 403, 404, 405, 407, 408, 425 and 429 are said of us or the gateway, and all wait. Else later. `id` is the same
 * whenever a message is tried, so that a gateway that took it already can know it.
 * @param address user and password in it are sent as basic authorization
 */
export function httpProvider(address: string): SmsProvider {
  const { url, headers } = requestTo(address)
  return {
    via: 'http',
    async deliver({ id, to, text }, signal): Promise<Outcome> {
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify({ to, text, id }),
          redirect: 'manual',
          signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
        })
        // taken is taken, however the rest of the answer fares
        if (response.ok) await response.body?.cancel().catch(() => {})
        return response.ok ? { is: 'sent' } : outcomeOf(response.status, await bodyOf(response))
      } catch (error) {
        return { is: 'closed', reason: reasonOf(error) }
      }
    },
  }
}

function requestTo(address: string): { url: URL; headers: Record<string, string> } {
  const url = new URL(address)
  const { username, password } = url
  url.username = ''
  url.password = ''
  if (username === '' && password === '') return { url, headers: {} }
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { url, headers: { authorization: `Basic ${Buffer.from(login).toString('base64')}` } }
}

const NOT_OF_THE_MESSAGE = new Set([401, 403, 404, 405, 407, 408, 425, 429])

function outcomeOf(status: number, body: string): Outcome {
  const reason = `${status} ${body}`.trim().slice(0, LONGEST_REASON)
  // a redirect may lead to a page that says 200 to anything
  if (status < 400 || NOT_OF_THE_MESSAGE.has(status)) return { is: 'closed', reason }
  return { is: status < 500 ? 'refused' : 'later', reason }
}

/** The beginning of an answer; the rest is not waited for. */
async function bodyOf(response: Response): Promise<string> {
  let body = ''
  for await (const bytes of response.body ?? []) {
    body += Buffer.from(bytes).toString()
    if (body.length >= LONGEST_REASON) break
  }
  return body.replaceAll(/\s+/g, ' ')
}

/** Node hides what went wrong behind `fetch failed`. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error ? `${message}: ${cause.message}` : message
}
