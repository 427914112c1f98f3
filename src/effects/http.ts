import { type AnswerOf, type Call, type RequestOf, urlOf } from '#machines/contracts/calls/call.ts'
import { decode } from '#machines/contracts/decode.ts'
import { Refusal } from '#machines/contracts/entities/sessions.ts'
import {
  CallCancelled,
  CallRefused,
  CallTimedOut,
  SOMETHING_WENT_WRONG,
  Unreachable,
} from './call-failures.ts'

export type Credentials = { accessToken: string; refreshToken: string; isSuperAdminUser: boolean }

/** Where the client gets its tokens from, and whom it tells of trouble. */
export type HttpDeps = {
  /** one setting: origin of the backend, '' for the page's own */
  baseUrl: string
  fetch: typeof fetch
  timeoutMs: number
  /** tokens good for the next minute, refreshed if need be, once however many ask; undefined: nobody is signed in */
  credentials(): Promise<Credentials | undefined>
  /** the server took this access token for run out: others instead, or undefined when there are none */
  renewed(refused: Credentials): Promise<Credentials | undefined>
  /** 401 although the token was fresh */
  onRefused(): void
  onTimeout(failure: CallTimedOut): void
  onUnreachable(failure: Unreachable): void
}

export type CallOptions = {
  signal?: AbortSignal
  /** nobody waits for it: no toast, no network error page */
  isBackground?: boolean
  /** with these tokens rather than those of the session */
  as?: Credentials
  /** the version a change was made of: refused with 412 where there is a newer one; left out, the change is made */
  ifMatch?: string
  /** for a call that takes a file */
  file?: Blob
}

export type Http = {
  /**
   * One call of the contract, its answer decoded.
   * @throws CallRefused, CallTimedOut, Unreachable, CallCancelled; ContractError for an answer that is none
   */
  ask<C extends Call>(call: C, request: RequestOf<C>, options?: CallOptions): Promise<AnswerOf<C>>
  /** A call answered with bytes of this type (`application/vnd.frostline.fleet`). Throws like `ask`. */
  askBytes<C extends Call>(
    call: C,
    request: RequestOf<C>,
    accept: string,
    options?: CallOptions,
  ): Promise<ArrayBuffer>
}

/** The portal's only way to ask the server. */
export function createHttp(deps: HttpDeps): Http {
  /** The documents: a first 404 is swallowed, i.e. told to the caller but to nobody else. */
  let hasSwallowed = false

  async function send(
    call: Call,
    request: AnyRequest,
    accept: string,
    options: CallOptions,
  ): Promise<Response> {
    const credentials = options.as ?? (call.access === 'anyone' ? undefined : await deps.credentials())
    let response = await once(call, request, accept, options, credentials)
    if (response.status === 401 && credentials && !options.as) {
      const others = await deps.renewed(credentials)
      if (others) response = await once(call, request, accept, options, others)
      // Without others nobody said that the session is over: the refresh may just have had no answer.
      if (others && response.status === 401) deps.onRefused()
    }
    if (response.ok) return response
    throw await failureOf(response, response.status === 401 && call.access !== 'anyone')
  }

  async function once(
    call: Call,
    request: AnyRequest,
    accept: string,
    { signal, isBackground = false, ifMatch, file }: CallOptions,
    credentials: Credentials | undefined,
  ): Promise<Response> {
    const url = `${deps.baseUrl}${urlOf(call, request.params, request.query)}`
    const timeout = AbortSignal.timeout(deps.timeoutMs)
    const headers = new Headers({ accept })
    if (credentials) {
      headers.set('authorization', `Bearer ${credentials.accessToken}`)
      headers.set('token', credentials.refreshToken)
      if (credentials.isSuperAdminUser) headers.set('isSuperAdminUser', 'true')
    }
    const init: RequestInit = {
      method: call.method,
      headers,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    }
    if (ifMatch !== undefined) headers.set('if-match', `"${ifMatch}"`)
    if (file !== undefined) init.body = formOf(file)
    else if (request.body !== undefined) {
      headers.set('content-type', 'application/json')
      init.body = JSON.stringify(request.body)
    }
    let response: Response
    try {
      response = await deps.fetch(url, init)
    } catch (error) {
      if (signal?.aborted) throw new CallCancelled(url)
      if (timeout.aborted) throw timedOut(url, isBackground)
      const failure = new Unreachable(url, error)
      if (!isBackground) deps.onUnreachable(failure)
      throw failure
    }
    if (response.status === 408) throw timedOut(url, isBackground)
    return response
  }

  function timedOut(url: string, isBackground: boolean): CallTimedOut {
    const failure = new CallTimedOut(url)
    if (!isBackground) deps.onTimeout(failure)
    return failure
  }

  async function failureOf(response: Response, isDealtWith: boolean): Promise<CallRefused> {
    const body = await bodyOf(response)
    const isQuiet = isDealtWith || (response.status === 404 && !hasSwallowed)
    if (response.status === 404) hasSwallowed = true
    return new CallRefused(response.status, messageOf(body), body, isQuiet)
  }

  return {
    async ask(call, request, options = {}) {
      const response = await send(call, request, 'application/json', options)
      return decode(await response.json(), call.answer, `answer of ${call.method} ${call.path}`)
    },
    async askBytes(call, request, accept, options = {}) {
      return (await send(call, request, accept, options)).arrayBuffer()
    },
  }
}

type AnyRequest = {
  params?: Record<string, unknown> | undefined
  query?: Record<string, unknown> | undefined
  body?: unknown
}

function formOf(file: Blob): FormData {
  const form = new FormData()
  form.set('file', file)
  return form
}

async function bodyOf(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch {
    return undefined
  }
}

function messageOf(body: unknown): string {
  try {
    return decode(body, Refusal, 'refusal').message
  } catch {
    return SOMETHING_WENT_WRONG
  }
}
