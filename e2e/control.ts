import { any, array, type Infer, type as open, type Struct, string } from 'superstruct'
import { AUTH_CALLS } from '#machines/contracts/calls/auth-calls.ts'
import { type AnswerOf, type Call, type RequestOf, urlOf } from '#machines/contracts/calls/call.ts'
import { DEVICE_CALLS } from '#machines/contracts/calls/device-calls.ts'
import { SimStatus } from '#machines/contracts/calls/sim-calls.ts'
import { decode } from '#machines/contracts/decode.ts'
import type { Thing } from '#machines/contracts/entities/devices.ts'
import type { FaultKind } from '#machines/contracts/scenario-script.ts'

const Mail = open({ to: string(), subject: string(), text: string(), links: array(string()) })
export type Mail = Infer<typeof Mail>

/** The device world's controls, as the director has them. */
export type Control = {
  status(): Promise<SimStatus>
  pause(): Promise<void>
  resume(): Promise<void>
  /** world seconds in a real one */
  setSpeed(speed: number): Promise<void>
  /** the world lives through so many seconds; returns when it has and all is stored */
  advance(seconds: number): Promise<void>
  inject(imei: string, fault: FaultKind, forSeconds: number): Promise<string>
  lift(id: string): Promise<void>
  suspend(companyId: string, suspended: boolean): Promise<void>
  logOut(userName: string): Promise<void>
  requireReset(userName: string): Promise<void>
  /** all mails to an address, newest first */
  outbox(to: string): Promise<Mail[]>
  /** mails to an address that carry a link to a password, newest first: those of violations come when they will */
  linkMails(to: string): Promise<Mail[]>
  /** the link of a mail runs out now */
  expireLink(token: string): Promise<void>
}

export function controlOf(origin: string): Control {
  const ask = async <T, S>(method: string, path: string, answer: Struct<T, S>, body?: unknown): Promise<T> =>
    decode(await answerTo(`${origin}/sim${path}`, simRequest(method, body)), answer, `${method} /sim${path}`)
  const outbox = (to: string) => ask('GET', `/outbox?to=${encodeURIComponent(to)}`, array(Mail))
  return {
    status: () => ask('GET', '/status', SimStatus),
    pause: () => ask('POST', '/clock', any(), { paused: true }),
    resume: () => ask('POST', '/clock', any(), { paused: false }),
    setSpeed: (speed) => ask('POST', '/clock', any(), { speed }),
    advance: (advanceSeconds) => ask('POST', '/clock', any(), { advanceSeconds }),
    inject: async (imei, fault, forSeconds) =>
      (await ask('POST', '/faults', open({ id: string() }), { imei, fault, forSeconds })).id,
    lift: (id) => ask('DELETE', `/faults/${id}`, any()),
    suspend: (companyId, suspended) => ask('POST', `/companies/${companyId}`, any(), { suspended }),
    logOut: (userName) => ask('POST', `/users/${userName}`, any(), { logout: true }),
    requireReset: (userName) => ask('POST', `/users/${userName}`, any(), { requireReset: true }),
    outbox,
    async linkMails(to) {
      const mails = await outbox(to)
      return mails.filter(({ links }) => links.some((link) => /\/(activate|set-password)\//.test(link)))
    },
    expireLink: (token) => ask('POST', `/tokens/${token}/expire`, any()),
  }
}

/** A caller of the API beside the portal: what it is told is what the portal must show. */
export type Caller = {
  groupId: string
  ask<C extends Call>(call: C, request: RequestOf<C>): Promise<AnswerOf<C>>
  /** every device in view with its newest reading */
  fleet(): Promise<Thing[]>
}

/** What the server answers to the right password. */
export async function signIn(origin: string, username: string, password: string) {
  const answer = await send(origin, AUTH_CALLS.login, { body: { username, password } })
  if ('messageKey' in answer) throw new Error(`${username} must set a password first`)
  return answer
}

export async function signedInCaller(origin: string, username: string, password: string): Promise<Caller> {
  let { user, access_token: token } = await signIn(origin, username, password)
  const { groupId } = user
  const ask: Caller['ask'] = async (call, request) => {
    try {
      return await send(origin, call, request, token)
    } catch (error) {
      // journeys set the clock forward by more than a token lives
      if (!(error instanceof Refused && error.status === 401)) throw error
      token = (await signIn(origin, username, password)).access_token
      return send(origin, call, request, token)
    }
  }
  return {
    groupId,
    ask,
    fleet: async () => (await ask(DEVICE_CALLS.observationsLatest, { params: { groupId } })).data,
  }
}

type AnyRequest = {
  params?: Record<string, unknown> | undefined
  query?: Record<string, unknown> | undefined
  body?: unknown
}

async function send<C extends Call>(
  origin: string,
  call: C,
  request: AnyRequest,
  token?: string,
): Promise<AnswerOf<C>> {
  const { headers, ...rest } = json(request.body)
  const sent = { ...headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) }
  const address = `${origin}${urlOf(call, request.params, request.query)}`
  return decode(
    await answerTo(address, { method: call.method, ...rest, headers: sent }),
    call.answer,
    call.path,
  )
}

/** The server said no. */
class Refused extends Error {
  readonly status: number

  constructor(status: number, answerTo: string, answer: string) {
    super(`${answerTo} answered ${status}: ${answer}`)
    this.status = status
  }
}

async function answerTo(address: string, request: RequestInit): Promise<unknown> {
  const answer = await fetch(address, request)
  const text = await answer.text()
  if (!answer.ok) throw new Refused(answer.status, `${request.method} ${address}`, text.slice(0, 300))
  return text === '' ? undefined : JSON.parse(text)
}

/** With the token for the world's controls, needed where they are on another machine. */
export function simRequest(method: string, body?: unknown): RequestInit {
  const { headers, ...rest } = json(body)
  const token = process.env.SIM_TOKEN
  return { method, ...rest, headers: { ...headers, ...(token && { 'x-sim-token': token }) } }
}

function json(body: unknown): { body?: string; headers: Record<string, string> } {
  if (body === undefined) return { headers: {} }
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
}
