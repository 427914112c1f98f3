/** The thread that makes reports: one at a time, of what the server hands it. */
import { parentPort, workerData } from 'node:worker_threads'
import { type MakeFiles, ReportFault } from './order.ts'
import { type Ask, createSources } from './source.ts'
import type { FromThread, RequestedOrder, ThreadData, ToThread } from './worker-messages.ts'

/** Progress is reported so often at most, ms. */
const PROGRESS_EVERY_MS = 250

function serve(port: NonNullable<typeof parentPort>, makeFiles: MakeFiles): void {
  const requested = new Map<number, PromiseWithResolvers<never>>()
  let lastId = 0
  let canceling = new AbortController()
  const post = (message: FromThread, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer)

  const ask: Ask = (want, wanted) => {
    const id = ++lastId
    const answer = Promise.withResolvers<never>()
    requested.set(id, answer)
    post({ is: 'ask', id, want, ask: wanted } as FromThread)
    return answer.promise
  }
  const sourceOf = createSources(ask)

  async function make(requested: RequestedOrder): Promise<void> {
    canceling = new AbortController()
    const { signal } = canceling
    let publishedAt = Number.NEGATIVE_INFINITY
    try {
      const { order, source } = await sourceOf(requested)
      const files = await makeFiles(
        order,
        source,
        (done) => {
          const now = performance.now()
          if (now - publishedAt < PROGRESS_EVERY_MS) return
          publishedAt = now
          post({ is: 'progress', done })
        },
        signal,
      )
      const buffers = new Set(files.map(({ bytes }) => bytes.buffer as ArrayBuffer))
      post({ is: 'made', files }, [...buffers])
    } catch (error) {
      const isPlain = error instanceof ReportFault
      const reason =
        error instanceof Error ? (isPlain ? error.message : (error.stack ?? error.message)) : String(error)
      post({ is: 'failed', reason, isPlain })
    }
  }

  port.on('message', (message: ToThread) => {
    if (message.is === 'make') void make(message.order)
    else if (message.is === 'cancel') canceling.abort(new Error('cancelled'))
    else {
      const waiting = requested.get(message.id)
      requested.delete(message.id)
      if (message.is === 'answer') waiting?.resolve(message.answer as never)
      else waiting?.reject(message.isPlain ? new ReportFault(message.reason) : new Error(message.reason))
    }
  })
}

const { module } = workerData as ThreadData
const { makeFiles }: { makeFiles: MakeFiles } =
  module === undefined ? await import('./contents/make-files.ts') : await import(module)
if (parentPort) serve(parentPort, makeFiles)
