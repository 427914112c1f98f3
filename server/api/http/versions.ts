import type { FastifyReply, FastifyRequest } from 'fastify'
import type { EditConflict } from '#machines/contracts/entities/changes.ts'
import type { Refused } from '../../commands/decision.ts'
import { type ApiError, refusal } from './refusals.ts'

/** The version that a change is of, from `If-Match`; null where it names none, or any. */
export function ifVersion({ headers }: FastifyRequest): string | null {
  const given = headers['if-match']?.trim()
  return given === undefined || given === '*' ? null : given.replace(/^(W\/)?"(.*)"$/, '$2')
}

/** The answer, with its version as ETag. */
export function versioned<T extends { version: string }>(reply: FastifyReply, answer: T): T {
  reply.header('etag', `"${answer.version}"`)
  return answer
}

/** A change refused: who came too late gets what there is now, and who changed it. */
export function refusedEdit(
  refused: Refused,
  current: () => unknown,
  last: Pick<EditConflict, 'by' | 'at'>,
): ApiError {
  if (refused.status !== 412) return refusal(refused)
  const conflict: Omit<EditConflict, 'code' | 'message'> = { current: current(), ...last }
  return refusal({ ...refused, extra: conflict })
}
