import type { FastifyReply, FastifyRequest } from 'fastify'
import type { EditConflict } from '#machines/contracts/entities/changes.ts'
import type { Refused } from '../../commands/decision.ts'
import { type ApiError, refusal } from './refusals.ts'

/** The version that a change is of, as `If-Match` says it; null where it says none, or any. */
export function ifVersion({ headers }: FastifyRequest): string | null {
  const said = headers['if-match']?.trim()
  return said === undefined || said === '*' ? null : said.replace(/^(W\/)?"(.*)"$/, '$2')
}

/** The answer, with its version as ETag. */
export function versioned<T extends { version: string }>(reply: FastifyReply, answer: T): T {
  reply.header('etag', `"${answer.version}"`)
  return answer
}

/** A change refused: to who came too late it is told what there is now, and who was before them. */
export function refusedEdit(
  refused: Refused,
  current: () => unknown,
  last: Pick<EditConflict, 'by' | 'at'>,
): ApiError {
  if (refused.status !== 412) return refusal(refused)
  const conflict: Omit<EditConflict, 'code' | 'message'> = { current: current(), ...last }
  return refusal({ ...refused, extra: conflict })
}
