import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { POSITION_HEADER } from '#machines/contracts/protocol.ts'
import type { ReadModels } from '../../read-models/read-models.ts'
import { type EventLog, unlessUnavailable } from '../../store/store.ts'

/** Resolves when this node may answer a request. */
export type CatchUp = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

type Deps = {
  log: Pick<EventLog, 'caughtUp'>
  readModels: Pick<ReadModels, 'seq' | 'settled'>
  /** ms that an answer waits at most (2,000) */
  mostMs?: number
}

const MOST_MS = 2_000

/**
 * Who was told of a change by one node may ask another: it waits until it has all up to the position that the request names, or has
 * all that there is, where the record was begun anew. Where it does not come that far in time, as without a database, what it has is
 * answered, and says where the node is.
 */
export function createCatchUp({ log, readModels, mostMs = MOST_MS }: Deps): CatchUp {
  return async (request, reply) => {
    const wanted = positionOf(request)
    if (wanted <= readModels.seq) return
    const over = new AbortController()
    const reached = log
      .caughtUp()
      .then((head) => readModels.settled(Math.min(head, wanted)))
      .then(() => true)
      .catch(unlessUnavailable((error) => request.log.error(error)))
    const late = pause(mostMs, undefined, { signal: over.signal }).catch(() => {})
    const isReached = await Promise.race([reached, late])
    over.abort()
    if (isReached !== true) reply.header(POSITION_HEADER, String(readModels.seq))
  }
}

/** 0: none is named, or nothing that is one. */
function positionOf({ headers }: FastifyRequest): number {
  const named = headers[POSITION_HEADER]
  return typeof named === 'string' && /^\d{1,15}$/.test(named) ? Number(named) : 0
}
