import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Call, takesIdempotencyKey } from '#machines/contracts/calls/call.ts'
import { IdempotencyKey } from '#machines/contracts/calls/idempotency-key.ts'
import type { Clock } from '#machines/contracts/clock.ts'
import { ContractError, decode } from '#machines/contracts/decode.ts'
import type { Visitor } from '../../auth/visitor.ts'
import { createTurns } from '../../cluster/turns.ts'
import { createDailyAllowance } from '../../commands/daily-allowance.ts'
import { asRepeatable } from '../../commands/repeatable.ts'
import { ANSWERS_KEPT_MS, type AnswerStore } from '../../store/answers.ts'
import { ApiError } from './refusals.ts'

/** A larger answer is made anew of what the command did, and so is one beyond what a company has of them a day. */
const MOST_BYTES = 64 * 1024
const BYTES_A_DAY = 256 * 1024 * 1024

type Deps = { answers: AnswerStore; clock: Clock; bytesADay?: number }
type Requested = { request: FastifyRequest; reply: FastifyReply; call: Call; visitor: Visitor }
type Kept = { etag?: string; answer: unknown }

/** Answers a request with what `work` makes, or, where it was sent before under its key, with what it was answered then. */
export type Once = (requested: Requested, work: () => unknown) => Promise<unknown>

/**
 * Commands with an `Idempotency-Key` are done once: at the same time, after a restart and on another node too. What is kept can be
 * read with the key alone, of which the server keeps a digest: some answers have secrets. What a super admin does in one company is
 * another command than the same in the next.
 */
export function createOnce({ answers, clock, bytesADay = BYTES_A_DAY }: Deps): Once {
  const inTurn = createTurns()
  const room = createDailyAllowance(clock, bytesADay)

  async function once({ request, reply, call, visitor }: Requested, key: string, work: () => unknown) {
    const who = whoOf(visitor)
    const id = digest('id', who, key)
    const requested = requestedFor(request)
    const secret = createHash('sha256').update(`answer\n${who}\n${key}`).digest()
    return inTurn(id, async () => {
      const now = clock.now()
      const claimed = await answers.claim(id, requested, now, now - ANSWERS_KEPT_MS)
      if (claimed.asked !== requested)
        throw new ApiError(422, 'This Idempotency-Key was used for another request: take a new one')
      if (claimed.bytes !== undefined) return replay(reply, opened(claimed.bytes, secret))
      const done = await asRepeatable({ id, at: claimed.at }, work).catch(async (error: unknown) => {
        // a refusal did nothing; after any other failure nobody knows
        if (error instanceof ApiError) await answers.release(id)
        throw error
      })
      if (!done.hasChanged) await answers.release(id)
      else await keep(id, { ...claimed, bytes: sealed(keptOf(reply, done.answer), secret) })
      return done.answer
    })

    function keep(of: string, answered: Parameters<AnswerStore['keep']>[1]): Promise<void> | undefined {
      const { length } = answered.bytes
      if (length > MOST_BYTES || !room.take(visitor.companyId, length)) return undefined
      // it is done: that its answer cannot be kept now is no reason to say otherwise
      return answers.keep(of, answered).catch((error: unknown) => {
        request.log.warn(error, `the answer of ${call.method} ${call.path} is not kept`)
      })
    }
  }

  return async (requested, work) => {
    const given = requested.request.headers['idempotency-key']
    if (given === undefined || !takesIdempotencyKey(requested.call)) return work()
    return once(requested, keyOf(given), work)
  }
}

function keyOf(given: unknown): string {
  try {
    return decode(given, IdempotencyKey, 'header idempotency-key')
  } catch (error) {
    if (error instanceof ContractError)
      throw new ApiError(400, 'header idempotency-key: 8 to 128 visible characters of ASCII')
    throw error
  }
}

const digest = (...parts: string[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('base64url')

/** Whose a key is. Nobody but a super admin is ever in another company than their own. */
const whoOf = ({ userId, companyId, superAdmin }: Visitor): string =>
  superAdmin ? `${userId} ${companyId}` : userId

/** What tells one request from another. */
const requestedFor = ({ method, url, headers, body }: FastifyRequest): string =>
  digest(method, url, headers['if-match'] ?? '', JSON.stringify(body) ?? '')

const keptOf = (reply: FastifyReply, answer: unknown): Kept => {
  const etag = reply.getHeader('etag')
  return { answer, ...(typeof etag === 'string' && { etag }) }
}

function replay(reply: FastifyReply, { etag, answer }: Kept): unknown {
  reply.header('idempotency-replayed', 'true')
  if (etag !== undefined) reply.header('etag', etag)
  return answer
}

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

function sealed(kept: Kept, secret: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, secret, nonce)
  const text = Buffer.concat([cipher.update(JSON.stringify(kept)), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), text])
}

function opened(bytes: Uint8Array, secret: Buffer): Kept {
  const cipher = createDecipheriv(CIPHER, secret, bytes.subarray(0, NONCE_BYTES))
  cipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  const text = Buffer.concat([cipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), cipher.final()])
  return JSON.parse(text.toString()) as Kept
}
