import { Worker } from 'node:worker_threads'
import type { LoadBookOf } from './contents/load-book.ts'

/**
 * The story of a load as PDF, drawn on a thread of its own: it takes a quarter of a second, in which the server could answer nothing.
 * @throws Error what the thread threw
 */
export function drawLoadBook(of: LoadBookOf): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
  new Worker(new URL('./load-book-thread.ts', import.meta.url), { name: 'load-book', workerData: of })
    .once('message', resolve)
    .once('error', reject)
    .once('exit', () => reject(new Error('the thread that draws loads ended before it was done')))
  return promise
}
