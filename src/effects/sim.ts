import {
  type AnswerOf,
  type Call,
  type RequestOf,
  shownUrlOf,
  urlOf,
} from '#machines/contracts/calls/call.ts'
import { decode } from '#machines/contracts/decode.ts'
import { Refusal } from '#machines/contracts/entities/sessions.ts'
import { CallCancelled, CallRefused, SOMETHING_WENT_WRONG, Unreachable } from './call-failures.ts'

export type SimDeps = {
  baseUrl: string
  fetch: typeof fetch
  /** what `/sim` asks of callers from other machines, where the visitor has said it */
  token(): string | undefined
}

/** The world is not controlled from here without its token, or not with this one. */
export class TokenNeeded extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'TokenNeeded'
  }
}

/**
 * One call of `SIM_CALLS`, its answer decoded. None has a time limit: a world may be on its way for minutes.
 * @throws TokenNeeded, CallRefused, Unreachable, CallCancelled; ContractError for an answer that is none
 */
export type AskSim = <C extends Call>(
  call: C,
  request: RequestOf<C>,
  signal?: AbortSignal,
) => Promise<AnswerOf<C>>

/** The portal's way to the simulated world, beside the product's own calls: no session is needed and none is touched. */
export function createSim({ baseUrl, fetch, token }: SimDeps): AskSim {
  return async (call, { params, query, body }, signal) => {
    const url = `${baseUrl}${urlOf(call, params, query)}`
    const headers = new Headers({ accept: 'application/json' })
    const given = token()
    if (given !== undefined) setToken(headers, given)
    const init: RequestInit = { method: call.method, headers, ...(signal && { signal }) }
    if (call.method !== 'GET') {
      headers.set('content-type', 'application/json')
      init.body = JSON.stringify(body ?? {})
    }
    let response: Response
    try {
      response = await fetch(url, init)
    } catch (error) {
      throw signal?.aborted
        ? new CallCancelled(url)
        : new Unreachable(`${call.method} ${shownUrlOf(call, params)}`, error)
    }
    const answer: unknown = await response.json().catch(() => undefined)
    if (response.status === 403) throw new TokenNeeded(messageOf(answer))
    if (!response.ok) throw new CallRefused(response.status, messageOf(answer), answer, false)
    return decode(answer, call.answer, `answer of ${call.method} ${url}`)
  }
}

/** A token that no header can hold is not the right one, and is asked for again. */
function setToken(headers: Headers, token: string): void {
  try {
    headers.set('x-sim-token', token)
  } catch {
    throw new TokenNeeded('The token cannot be right: it has a letter that cannot be sent')
  }
}

function messageOf(answer: unknown): string {
  try {
    return decode(answer, Refusal, 'refusal').message
  } catch {
    return SOMETHING_WENT_WRONG
  }
}
