import { is, literal, type as open } from 'superstruct'
import {
  type AnswerOf,
  type Call,
  changesSomething,
  type RequestOf,
  shownUrlOf,
  takesIdempotencyKey,
  urlOf,
} from '#machines/contracts/calls/call.ts'
import { decode } from '#machines/contracts/decode.ts'
import { Refusal } from '#machines/contracts/entities/sessions.ts'
import { BUILD_HEADER, POSITION_HEADER } from '#machines/contracts/protocol.ts'
import {
  CallCancelled,
  CallRefused,
  CallTimedOut,
  NotUnderstood,
  SOMETHING_WENT_WRONG,
  Unreachable,
} from './call-failures.ts'
import type { CommandKeys } from './command-keys.ts'
import { pause } from './pause.ts'

export type Credentials = { accessToken: string; refreshToken: string; isSuperAdminUser: boolean }

/** Where the client gets its tokens from, and whom it notifies of trouble. */
export type HttpDeps = {
  /** one setting: origin of the backend, '' for the page's own */
  baseUrl: string
  fetch: typeof fetch
  /** ms for an answer; of bytes, such as a fleet, for it to begin, and for each silence in it */
  timeoutMs: number
  /** undefined: commands have no names, and are not sent again */
  commandKeys(): Promise<CommandKeys | undefined>
  /** ms after which a command that was cut off is sent again, under the name it had */
  repeatAfterMs: number
  /** tokens good for the next minute, refreshed if need be, once however many ask; undefined: nobody is signed in */
  credentials(): Promise<Credentials | undefined>
  /** the server took this access token for run out: others instead, or undefined when there are none */
  renewed(refused: Credentials): Promise<Credentials | undefined>
  /** up to where the visitor was told what happened: an answer is to be of no time before it */
  position(): number | undefined
  /** an answer came of the server of this build of the portal */
  onBuild(build: string): void
  /** 401, as the status or as the body's code, although the token was fresh */
  onRefused(): void
  onTimeout(failure: CallTimedOut, options: Waited): void
  onUnreachable(failure: Unreachable, options: Waited): void
}

/** `isBackground`: nobody waits for it, and what is on the screen stands without it: polling, refresh, prefetch. */
export type Waited = { isBackground: boolean }

export type CallOptions = Partial<Waited> & {
  signal?: AbortSignal
  /** with these tokens rather than those of the session */
  as?: Credentials
  /** the version a change was made of: refused with 412 where there is a newer one; left out, the change is made */
  ifMatch?: string
  /** for a call that takes a file */
  file?: Blob
  /** called where the node that answers has not come as far as the visitor was told: what it answers may be of before */
  onBehind?(): void
}

export type Http = {
  /**
   * One call of the contract, its answer decoded.
   * @throws CallRefused, CallTimedOut, Unreachable, CallCancelled, NotUnderstood
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

  async function send(requested: Requested): Promise<Answered> {
    const { call, as } = requested
    const credentials = as ?? (call.access === 'anyone' ? undefined : await deps.credentials())
    let answer = await lasting(deps, requested, credentials)
    if (answer.status === 401 && credentials && !as) {
      const others = await deps.renewed(credentials)
      if (others) answer = await lasting(deps, requested, others)
      // Without others nobody said that the session is over: the refresh may just have had no answer.
      if (others && answer.status === 401) deps.onRefused()
    }
    const { status, body } = answer
    if (status < 300) return answer
    const isQuiet = (status === 401 && call.access !== 'anyone') || (status === 404 && !hasSwallowed)
    if (status === 404) hasSwallowed = true
    throw new CallRefused(status, messageOf(body), body, isQuiet)
  }

  return {
    async ask(call, request, options) {
      const { body } = await send({ ...options, ...request, call, accept: JSON_TYPE })
      try {
        return decode(body, call.answer, `answer of ${call.method} ${call.path}`)
      } catch (error) {
        throw new NotUnderstood(error)
      }
    },
    async askBytes(call, request, accept, options) {
      const { bytes } = await send({ ...options, ...request, call, accept })
      if (bytes === undefined) throw new Error(`answer of ${call.method} ${call.path}: not ${accept}`)
      return bytes
    },
  }
}

type Requested = CallOptions & {
  call: Call
  params?: Record<string, unknown> | undefined
  query?: Record<string, unknown> | undefined
  body?: unknown
  accept: string
}

/** A command that was cut off is sent once more before anybody is notified: under its name it is done once. */
async function lasting(
  deps: HttpDeps,
  requested: Requested,
  credentials: Credentials | undefined,
): Promise<Answered> {
  const { call, params, signal, isBackground = false } = requested
  const shown = `${deps.baseUrl}${shownUrlOf(call, params)}`
  const command = takesIdempotencyKey(call) ? commandOf(requested) : undefined
  const isChange = changesSomething(call)
  const keys = isChange || command ? await deps.commandKeys() : undefined
  if (isChange) keys?.check()
  const key = command && keys?.of(command)
  const ask = () => once(deps, requested, shown, credentials, key)
  let status = 0
  try {
    const answer = await ask().catch(async (error: unknown) => {
      if (key === undefined || !(error instanceof Unreachable)) throw error
      await pause(deps.repeatAfterMs, signal).catch(() => {
        throw new CallCancelled(shown)
      })
      return ask()
    })
    status = answer.status
    if (status === 408) throw new CallTimedOut(shown)
    return answer
  } catch (error) {
    if (error instanceof CallTimedOut) deps.onTimeout(error, { isBackground })
    if (error instanceof Unreachable) deps.onUnreachable(error, { isBackground })
    throw error
  } finally {
    if (command) keys?.ended(command, status)
  }
}

/** Ms for a file, of 24 MB at the most, from a bad line; the server ends what comes too slowly before. */
const FILE_TIMEOUT = 15e5

/** @throws Unreachable, CallTimedOut, CallCancelled, and notifies nobody */
async function once(
  deps: HttpDeps,
  { call, params, query, body, accept, signal, ifMatch, file, onBehind }: Requested,
  shown: string,
  credentials: Credentials | undefined,
  key: string | undefined,
): Promise<Answered> {
  const url = `${deps.baseUrl}${urlOf(call, params, query)}`
  const silent = new AbortController()
  let newest: AbortSignal | undefined
  const waitFor = (ms: number): void => {
    const timeout = AbortSignal.timeout(ms)
    newest = timeout
    timeout.onabort = () => timeout === newest && silent.abort()
  }
  waitFor(call.takesFile ? FILE_TIMEOUT : deps.timeoutMs)
  const headers = new Headers({ accept })
  if (credentials) {
    headers.set('authorization', `Bearer ${credentials.accessToken}`)
    headers.set('token', credentials.refreshToken)
    if (credentials.isSuperAdminUser) headers.set('isSuperAdminUser', 'true')
    const position = deps.position()
    if (position !== undefined) headers.set(POSITION_HEADER, String(position))
  }
  const init: RequestInit = {
    method: call.method,
    headers,
    signal: signal ? AbortSignal.any([signal, silent.signal]) : silent.signal,
  }
  if (key !== undefined) headers.set('idempotency-key', key)
  if (ifMatch !== undefined) headers.set('if-match', `"${ifMatch}"`)
  if (file !== undefined) init.body = formOf(file)
  else if (body !== undefined) {
    headers.set('content-type', 'application/json')
    init.body = JSON.stringify(body)
  }
  try {
    const response = await deps.fetch(url, init)
    const build = response.headers.get(BUILD_HEADER)
    if (build !== null) deps.onBuild(build)
    if (response.headers.has(POSITION_HEADER)) onBehind?.()
    return await answered(response, accept, () => waitFor(deps.timeoutMs))
  } catch (error) {
    if (signal?.aborted) throw new CallCancelled(shown)
    if (silent.signal.aborted) throw new CallTimedOut(shown)
    throw new Unreachable(`${call.method} ${shown}`, error)
  }
}

const JSON_TYPE = 'application/json'

/** `status`: 401 also where the answer's body has that code. `bytes` of what was asked for as such, else `body`. */
type Answered = { status: number; body: unknown; bytes?: ArrayBuffer }

/**
 * Takes in the whole answer. Rejects where it breaks off.
 * @param onPart called when bytes begin, and with each part of them: they may be many, over a slow line
 */
async function answered(response: Response, accept: string, onPart: () => void): Promise<Answered> {
  const type = response.headers.get('content-type') ?? ''
  if (response.ok && accept !== JSON_TYPE && !type.startsWith(JSON_TYPE))
    return { status: response.status, body: undefined, bytes: await bytesOf(response, onPart) }
  const body = parsed(await response.text())
  return { status: is(body, SIGNED_OUT) ? 401 : response.status, body }
}

function bytesOf({ body }: Response, onPart: () => void): Promise<ArrayBuffer> {
  const parts = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    start: onPart,
    transform(part, to) {
      onPart()
      to.enqueue(part)
    },
  })
  return new Response(body?.pipeThrough(parts)).arrayBuffer()
}

const SIGNED_OUT = open({ code: literal(401) })

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What tells one command from another. */
const commandOf = ({ call, params, query, body, ifMatch }: Requested): string =>
  `${call.method} ${urlOf(call, params, query)} ${JSON.stringify([ifMatch, body, call.setsState && Math.random()])}`

function formOf(file: Blob): FormData {
  const form = new FormData()
  form.set('file', file)
  return form
}

function messageOf(body: unknown): string {
  try {
    return decode(body, Refusal, 'refusal').message
  } catch {
    return SOMETHING_WENT_WRONG
  }
}
