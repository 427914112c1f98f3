import { Readable } from 'node:stream'
import { setImmediate as breath } from 'node:timers/promises'

/** Rows written between two breaths: some 1 ms of work, some 150 kB. */
const ROWS_A_BREATH = 200

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
  for (let from = 0; from < count; from += ROWS_A_BREATH) {
    let text = ''
    const to = Math.min(count, from + ROWS_A_BREATH)
    for (let i = from; i < to; i++) {
      text += separator + JSON.stringify(rowAt(i))
      separator = ','
    }
    yield text
    await breath()
  }
  yield separator === before ? before + after : after
}
