import { Worker } from 'node:worker_threads'
import { createTurns } from '../../cluster/turns.ts'
import type { LoadBookOf } from './contents/load-book.ts'

const inTurn = createTurns()

/**
 * The story of a load as PDF, drawn on a thread of its own: it takes a quarter of a second, in which the server could answer nothing.
 * One after the other. @throws Error what the thread threw
 */
export const drawLoadBook = (of: LoadBookOf): Promise<Uint8Array> =>
  inTurn('', () => {
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
    new Worker(new URL('./load-book-thread.ts', import.meta.url), { name: 'load-book', workerData: of })
      .once('message', resolve)
      .once('error', reject)
      .once('exit', () => reject(new Error('the thread that draws loads ended before it was done')))
    return promise
  })
