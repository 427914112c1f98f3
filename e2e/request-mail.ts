import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { AUTH_CALLS } from '#machines/contracts/calls/auth-calls.ts'
import { urlOf } from '#machines/contracts/calls/call.ts'
import type { App } from './app.ts'

let visitors = 1

/**
 * Somebody asks for a mail to set another password, each time from another address of this machine: mails are limited by
 * address too, and tests of one app ask for more of them than a visitor would.
 * @throws Error when the server refuses
 */
export async function requestMail({ url, api }: Pick<App, 'url' | 'api'>, email: string): Promise<void> {
  const { hostname } = new URL(url)
  const call = AUTH_CALLS.forgotPassword
  // elsewhere than on Linux only one address is ours
  if (process.platform !== 'linux' || !hostname.startsWith('127.'))
    return void (await api.ask(call, { body: { email } }))
  visitors++
  const localAddress = `127.0.${visitors >> 8}.${visitors & 0xff}`
  const headers = { 'content-type': 'application/json' }
  const asking = request(`${url}${urlOf(call)}`, { method: call.method, localAddress, headers })
  asking.end(JSON.stringify({ email }))
  const [answer] = (await once(asking, 'response')) as [IncomingMessage]
  answer.resume()
  const status = answer.statusCode ?? 0
  if (status >= 300) throw new Error(`Asked for a mail to ${email}, the server answered ${status}`)
}
