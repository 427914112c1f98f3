import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { KeyRefusal } from '../../auth/key-of.ts'
import { OutOfLine } from '../../cluster/line.ts'
import { NOT_FOUND, type Refused } from '../../commands/decision.ts'
import { StoreUnavailable } from '../../store/store.ts'

/** A request refused on purpose: becomes `{ code, message, …extra }` with that status. */
export class ApiError extends Error {
  readonly status: number
  readonly extra: Record<string, unknown>
  readonly headers: Record<string, string>
  constructor(
    status: number,
    message: string,
    extra: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.extra = extra
    this.headers = headers
  }
}

/** Also for what exists and may not be seen, so that nobody learns of it. */
export const notFound = (): ApiError => new ApiError(404, NOT_FOUND)
/** 401, with the header that says how to sign in. */
export const unauthorized = (message = 'Please login first'): ApiError =>
  new ApiError(401, message, {}, { 'www-authenticate': 'Bearer' })
/** Why a key of other systems opens nothing. */
export const keyRefusal = ({ status, message, waitMs }: KeyRefusal): ApiError =>
  new ApiError(
    status,
    message,
    {},
    waitMs === undefined ? {} : { 'retry-after': `${Math.ceil(waitMs / 1000)}` },
  )
/** 429, with `retry-after` in whole seconds. @param waitMs until the next attempt may succeed */
export const tooMany = (waitMs: number): ApiError => {
  const seconds = Math.ceil(waitMs / 1000)
  return new ApiError(
    429,
    `Too many attempts, try again in ${seconds} s`,
    {},
    { 'retry-after': `${seconds}` },
  )
}
/** What is answered to a command that was refused. */
export const refusal = ({ status, message, extra }: Refused): ApiError => new ApiError(status, message, extra)

const WENT_WRONG = 'Something went wrong'
const MESSAGES: Record<string, string> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'Send JSON, with content-type application/json',
  FST_ERR_CTP_BODY_TOO_LARGE: 'That is too large',
  FST_ERR_CTP_INVALID_JSON_BODY: 'The body is no JSON',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'The body is empty',
}

async function refusals(app: FastifyInstance): Promise<void> {
  app.setErrorHandler((error: FastifyError | ApiError, request, reply) => {
    if (error instanceof ApiError) {
      reply.headers(error.headers)
      return say(reply, error.status, error.message, error.extra)
    }
    if (error instanceof StoreUnavailable || statusOf(error) === 503) {
      request.log.warn(error)
      return say(reply.header('retry-after', '5'), 503, 'Not available now, try again shortly')
    }
    if (error instanceof OutOfLine) return say(reply.header('retry-after', '1'), 429, error.message)
    const status = statusOf(error)
    if (status === 429) return say(reply, 429, 'Too many requests, try again shortly')
    if (status >= 400 && status < 500) return say(reply, status, MESSAGES[error.code] ?? error.message)
    request.log.error(error)
    return say(reply, 500, WENT_WRONG)
  })
}

/** Answers `{ code, message }` to what the router does not know. */
export const answerNotFound = (_: FastifyRequest, reply: FastifyReply) => say(reply, 404, NOT_FOUND)

function say(reply: FastifyReply, code: number, message: string, extra: Record<string, unknown> = {}) {
  return reply
    .code(code)
    .type('application/json')
    .send({ code, message, ...extra })
}

const statusOf = (error: Error): number =>
  'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500

export const refusalsPlugin = fp(refusals, { name: 'refusals', fastify: '5.x' })
