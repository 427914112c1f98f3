import { any, type as open, type Struct, string } from 'superstruct'
import { type Call, urlOf } from '#machines/contracts/calls/call.ts'
import { SimStatus } from '#machines/contracts/calls/sim-calls.ts'
import { type Answer, CALLS, type CallName } from '#machines/contracts/calls.ts'
import { decode } from '#machines/contracts/decode.ts'

/** Password of every account of the demo scenario. */
const PASSWORD = 'Fr0st#line24'

export type Requested = {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
  token?: string
  headers?: Record<string, string>
}

/** Somebody who speaks HTTP to a server that listens; answers are decoded by the contract. */
export function callerOf(address: string) {
  async function send(method: string, path: string, { token, headers, body }: Requested = {}) {
    const response = await fetch(`${address}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  async function answered<T, S>(method: string, path: string, struct: Struct<T, S>, requested?: Requested) {
    const { status, text } = await send(method, path, requested)
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`)
    return decode(text === '' ? undefined : JSON.parse(text), struct, path)
  }
  const sim = {
    status: () => answered('GET', '/sim/status', SimStatus),
    pause: () => answered('POST', '/sim/clock', SimStatus, { body: { paused: true } }),
    /** lives on until this instant of the world; it must not be past */
    async advanceTo(at: number) {
      const { now } = await sim.status()
      const body = { advanceSeconds: (at - now) / 1000 }
      return now === at ? sim.status() : answered('POST', '/sim/clock', SimStatus, { body })
    },
    inject: (imei: string, fault: string, forSeconds: number) =>
      answered('POST', '/sim/faults', open({ id: string() }), { body: { imei, fault, forSeconds } }),
    reset: () => answered('POST', '/sim/reset', SimStatus),
    ask: (method: string, path: string, body?: unknown) => answered(method, `/sim${path}`, any(), { body }),
  }
  /** @throws ContractError, Error for any status but the call's own */
  async function ask<N extends CallName>(name: N, requested: Requested = {}): Promise<Answer<N>> {
    const call: Call = CALLS[name]
    const path = urlOf(call, requested.params, requested.query)
    return answered(call.method, path, call.answer as Struct<Answer<N>>, requested)
  }
  return {
    send,
    sim,
    ask,
    /** @returns an access token */
    async signIn(username: string): Promise<string> {
      const answer = await ask('login', { body: { username, password: PASSWORD } })
      if (!('access_token' in answer)) throw new Error(`${username} must set a new password`)
      return answer.access_token
    },
  }
}
