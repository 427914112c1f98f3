import { setImmediate as breath } from 'node:timers/promises'

/** Rows written between two breaths: some 10 ms of work. */
const ROWS_A_BREATH = 2000

/**
 * A JSON array of `count` rows, written while others are served: 100,000 of them are tens of megabytes.
 * @param before @param after what stands around the rows
 */
export async function* jsonRows(
  count: number,
  rowAt: (i: number) => unknown,
  before = '[',
  after = ']',
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
