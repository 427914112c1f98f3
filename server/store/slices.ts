import { setImmediate as nextTurn } from 'node:timers/promises'

/** Does `work` on each item; others get their turn after each `sliceMs`. */
export async function inSlices<T>(
  items: Iterable<T>,
  sliceMs: number,
  work: (item: T) => void,
): Promise<void> {
  let started = performance.now()
  for (const item of items) {
    work(item)
    if (performance.now() - started < sliceMs) continue
    await nextTurn()
    started = performance.now()
  }
}
