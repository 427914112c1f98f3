import { Readable } from 'node:stream'
import { setImmediate as breath } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import type { Infer } from 'superstruct'
import type { Page } from '#machines/contracts/calls/call.ts'

/** Rows written between two breaths at most, some 150 kB, and for how long, real ms: some rows take more making than others. */
const ROWS_A_BREATH = 200
const BREATH_MS = 5
/** Rows of a page at most, and where nobody says how many. */
const MOST_ROWS = 100
const ROWS_OF_A_PAGE = 50

/** The page of a list that is asked for; without `skip` and `limit` all of it, written while others are served where it is long. */
export function pageOrAll<T, R>(
  rows: IteratorObject<T>,
  { skip, limit }: Infer<typeof Page>,
  rowOf: (row: T) => R,
  reply: FastifyReply,
): R[] | Readable {
  if (skip !== undefined || limit !== undefined)
    return rows
      .drop(skip ?? 0)
      .take(Math.min(limit ?? ROWS_OF_A_PAGE, MOST_ROWS))
      .map(rowOf)
      .toArray()
  const all = rows.toArray()
  if (all.length <= ROWS_A_BREATH) return all.map(rowOf)
  reply.type('application/json')
  return jsonRows(all.length, (i) => rowOf(all[i] as T))
}

/**
 * A JSON array of `count` rows, written while others are served: 100,000 of them are tens of megabytes. Rows are made when who
 * reads them has taken those before, so that an answer nobody reads holds next to nothing.
 * @param before @param after what stands around the rows
 */
export const jsonRows = (count: number, rowAt: (i: number) => unknown, before = '[', after = ']'): Readable =>
  Readable.from(written(count, rowAt, before, after), { highWaterMark: 1 })

async function* written(
  count: number,
  rowAt: (i: number) => unknown,
  before: string,
  after: string,
): AsyncGenerator<string> {
  let separator = before
  let text = ''
  let begunAt = performance.now()
  for (let i = 0; i < count; i++) {
    text += separator + JSON.stringify(rowAt(i))
    separator = ','
    if ((i + 1) % ROWS_A_BREATH !== 0 && performance.now() - begunAt < BREATH_MS) continue
    yield text
    text = ''
    await breath()
    begunAt = performance.now()
  }
  yield text + (separator === before ? before + after : after)
}
