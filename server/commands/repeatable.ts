import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash, randomUUID } from 'node:crypto'
import { commandKey } from '../store/append-keys.ts'

/**
 * A request that may be sent again: what it appends has keys by which the record knows it, and what it makes has the same ids each
 * time. `id`, `at`: of the request when it was first asked for.
 */
export type Repeatable = {
  readonly id: string
  readonly at: number
  /** appends and ids made until now */
  places: number
  /** whether something was appended or begun: its answer is given again */
  hasChanged: boolean
  /** its answer is made: what goes on behind it is not part of it */
  isOver: boolean
}

const current = new AsyncLocalStorage<Repeatable>()

/** The work of a request; resolves with its answer and whether something was changed. */
export async function asRepeatable<T>(
  { id, at }: Pick<Repeatable, 'id' | 'at'>,
  work: () => T | Promise<T>,
): Promise<{ answer: T; hasChanged: boolean }> {
  const request: Repeatable = { id, at, places: 0, hasChanged: false, isOver: false }
  try {
    const answer = await current.run(request, work)
    return { answer, hasChanged: request.hasChanged }
  } finally {
    request.isOver = true
  }
}

/** The request that is worked on, where it may be sent again. */
export function currentRequest(): Repeatable | undefined {
  const request = current.getStore()
  return request?.isOver ? undefined : request
}

/** The request has begun something that is not in the record yet, and is not to be begun again. */
export function noteChanged(): void {
  const request = currentRequest()
  if (request !== undefined) request.hasChanged = true
}

/** The key in the record of what the request appends next. */
export const nextAppendKey = (request: Repeatable): string =>
  commandKey(request.at, request.id, request.places++)

/** A new id with this prefix (`g`: a group); of a request that is sent again the same as before. */
export function newId(prefix: string): string {
  const request = currentRequest()
  if (request === undefined) return `${prefix}-${randomUUID()}`
  const digest = createHash('sha256')
    .update(`${request.at} ${request.id} ${request.places++}`)
    .digest('hex')
  return `${prefix}-${digest.slice(0, 8)}-${digest.slice(8, 12)}-${digest.slice(12, 16)}-${digest.slice(16, 20)}-${digest.slice(20, 32)}`
}
