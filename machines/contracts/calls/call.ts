/**
 * What a call is. Server routes, the portal's client and OpenAPI all come from tables of these (`../calls.ts`):
 * a call that is not in a table does not exist.
 */
import {
  coerce,
  defaulted,
  type Infer,
  max,
  min,
  object,
  optional,
  type Struct,
  size,
  string,
} from 'superstruct'
import type { AnyStruct } from '../choice.ts'
import { printable } from '../decode.ts'
import { Count, Instant, saying } from '../scalars.ts'

/**
 * Who may call: `anyone`; `session`: a full access token; `reset`: also one that is good for setting the password alone;
 * `device-key`: a company's key in `x-device-key`; `director`: from the server's own machine or with `SIM_TOKEN` in
 * `x-sim-token` (sim-calls.ts).
 */
export type Access = 'anyone' | 'session' | 'reset' | 'device-key' | 'director'

export type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** where it stands instead of `/api` */
  under?: '/sim'
  /** under `/api`; parameters in braces, as in the documents */
  path: string
  summary: string
  access: Access
  /** decoded from the path */
  params?: AnyStruct
  /** decoded from the query string: text in, values out */
  query?: AnyStruct
  /** refused where it holds a field the struct does not name */
  body?: AnyStruct
  /** the largest body that is read, bytes; `BODY_BYTES` where not said */
  bodyBytes?: number
  answer: AnyStruct
  /** other systems call it too, with a key of scope `read` in `x-device-key` in place of a token */
  takesKey?: true
  /** the body is a file, as the part `file` of a form (multipart/form-data) */
  takesFile?: true
  /** media type of an answer that is no JSON; `answer` says nothing of it then */
  media?: string
  /**
   * The answer has a `version`, also sent as its ETag. A change that says `If-Match` with one that is no longer
   * the newest is refused with 412 and what there is now (entities/changes.ts); one that says nothing is made.
   */
  versioned?: true
  /** takes no Idempotency-Key though it is no GET: it only reads, or each call makes another session */
  repeatable?: true
  /** sets a state that others or another call may change: asked for again it is another command, also where the first had no answer */
  setsState?: true
  /** changes something though it is `repeatable` */
  isChange?: true
  /** changes nothing but the session of who calls */
  isOfSession?: true
  /** status of a success, 200 where not said */
  status?: 200 | 201 | 202 | 204
}

/** Enough for each form. */
export const BODY_BYTES = 16 * 1024
/** Enough for all devices of a company, named one by one. */
export const LIST_BODY_BYTES = 4 * 1024 * 1024

/** Keeps the exact types of a table and checks its shape. */
export const calls = <const T extends Record<string, Call>>(table: T): T => table

/** Commands of somebody signed in are known again by their key; files are not: the same one again changes nothing. */
export const takesIdempotencyKey = ({ method, access, takesFile, repeatable }: Call): boolean =>
  method !== 'GET' && access === 'session' && !takesFile && !repeatable

/** Whether a call changes something: none of them is sent while one looks back. */
export const changesSomething = (call: Call): boolean =>
  !call.isOfSession && (takesIdempotencyKey(call) || call.takesFile === true || call.isChange === true)

export type ParamsOf<C extends Call> = C extends { params: infer S extends AnyStruct } ? Infer<S> : undefined
export type QueryOf<C extends Call> = C extends { query: infer S extends AnyStruct } ? Infer<S> : undefined
export type BodyOf<C extends Call> = C extends { body: infer S extends AnyStruct } ? Infer<S> : undefined
export type AnswerOf<C extends Call> = Infer<C['answer']>

type Given<K extends string, V> = V extends undefined
  ? { [P in K]?: undefined }
  : Partial<V> extends V
    ? { [P in K]?: V }
    : { [P in K]: V }
/** What a caller must hand over, in decoded form. */
export type RequestOf<C extends Call> = Given<'params', ParamsOf<C>> &
  Given<'query', QueryOf<C>> &
  Given<'body', BodyOf<C>>

export const API_PREFIX = '/api'

/**
 * Path and query of one request, `/api` or what stands for it included. Query values that are objects travel as JSON, as `?data=` does.
 * @throws RangeError where a path parameter is missing
 */
export function urlOf(call: Call, params?: Record<string, unknown>, query?: Record<string, unknown>): string {
  const path = pathOf(call, (name) => {
    const value = params?.[name]
    if (value === undefined) throw new RangeError(`${call.method} ${call.path}: ${name} is missing`)
    return encodeURIComponent(String(value))
  })
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined)
      search.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  const text = search.toString()
  return `${path}${text === '' ? '' : `?${text}`}`
}

/** The same for messages: without the query, and with `…` for a token in the path, as neither may be read there. */
export const shownUrlOf = (call: Call, params?: Record<string, unknown>): string =>
  pathOf(call, (name) => (/token/i.test(name) ? '…' : encodeURIComponent(String(params?.[name]))))

const pathOf = (call: Call, write: (parameter: string) => string): string =>
  `${call.under ?? API_PREFIX}${call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => write(name))}`

/** A list, or the one thing in it written without one. */
export const oneOrMore = <T, S>(list: Struct<T[], S>): Struct<T[], S> =>
  coerce(list, string(), (one) => [one])

/** A value written as JSON in a query parameter. */
export const fromJson = <T, S>(struct: Struct<T, S>): Struct<T, S> =>
  coerce(struct, string(), (text) => {
    try {
      return printable(JSON.parse(text))
    } catch {
      return text
    }
  })

/** A whole number, also as text. */
export const CountText = coerce(Count, string(), (text) => (/^\d{1,15}$/.test(text) ? Number(text) : text))

/** A whole number of a query, within bounds, with what it is where left out. */
export const whole = (least: number, most: number, otherwise: number) =>
  defaulted(
    coerce(
      saying(max(min(Count, least), most), { minimum: least, maximum: most, default: otherwise }),
      string(),
      (text) => (/^\d{1,16}$/.test(text) ? Number(text) : text),
    ),
    otherwise,
  )

/** Part of a longer list; `limit` is at most 100, and 50 where left out. */
export const Page = object({ skip: optional(CountText), limit: optional(CountText) })

/** A span of time as callers write it, ISO 8601 or epoch ms; decoded to epoch ms. */
export const Interval = object({ startDate: Instant, endDate: Instant })
export type Interval = Infer<typeof Interval>

/** A token of a link or a session as it stands in paths and queries. */
export const OpaqueToken = size(string(), 1, 1024)
