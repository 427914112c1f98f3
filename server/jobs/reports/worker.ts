import { Worker } from 'node:worker_threads'
import { type OnProgress, ReportFault, type ReportFile } from './order.ts'
import type {
  FromThread,
  RequestedOrder,
  RequestName,
  Requests,
  ThreadData,
  ToThread,
} from './worker-messages.ts'

type Give = <W extends RequestName>(want: W, ask: Requests[W]['ask']) => Promise<Requests[W]['answer']>

/** Makes files on a thread of its own. */
export type ReportWorker = {
  /**
   * One at a time. Rejects with ReportFault for a reason that whoever asked may read; with another Error where the thread
   * threw or died; with the signal's reason once it was given.
   */
  make(order: RequestedOrder, onProgress: OnProgress, signal: AbortSignal): Promise<ReportFile[]>
  /** ends the thread; the next report starts another */
  rest(): Promise<void>
}

/** A thread that does not answer a cancellation for so long is ended. */
const LAST_MOMENT_MS = 500
/** MB of a thread's heap; typed arrays are beside it */
const HEAP_MB = 1536

/** @param module address of a module with `makeFiles`; undefined: the real one */
export function createReportWorker(give: Give, module: string | undefined): ReportWorker {
  let worker: Worker | undefined

  function started(): Worker {
    if (worker !== undefined) return worker
    const data: ThreadData = { module }
    const thread = new Worker(new URL('./worker-thread.ts', import.meta.url), {
      name: 'reports',
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      // the server prints what it has to say
      stdout: false,
      stderr: false,
    })
    // one that dies between two reports is replaced, and is no error of the server
    const forget = (): void => {
      if (worker === thread) worker = undefined
    }
    thread.on('error', forget).on('exit', forget)
    worker = thread
    return thread
  }

  async function answer(to: Worker, { id, want, ask }: FromThread & { is: 'ask' }): Promise<void> {
    const say = (message: ToThread) => to.postMessage(message)
    try {
      say({ is: 'answer', id, answer: await give(want, ask as never) })
    } catch (error) {
      const isPlain = error instanceof ReportFault
      say({ is: 'refused', id, reason: isPlain ? error.message : String(error), isPlain })
    }
  }

  async function rest(): Promise<void> {
    const ending = worker
    worker = undefined
    await ending?.terminate()
  }

  return {
    rest,
    async make(order, onProgress, signal) {
      signal.throwIfAborted()
      const mine = started()
      const made = Promise.withResolvers<ReportFile[]>()
      const over = new AbortController()
      const hear = (message: FromThread): void => {
        if (message.is === 'ask') void answer(mine, message)
        else if (message.is === 'progress') onProgress(message.done)
        else if (message.is === 'made') made.resolve(message.files)
        else made.reject(message.isPlain ? new ReportFault(message.reason) : thrown(message.reason))
      }
      const die = (error: Error): void => made.reject(deathOf(error))
      const exit = (): void => made.reject(new ReportFault('The report worker ended before it was done'))
      mine.on('message', hear).once('error', die).once('exit', exit)
      const cancel = (): void => {
        mine.postMessage({ is: 'cancel' } satisfies ToThread)
        const late = setTimeout(() => made.reject(signal.reason), LAST_MOMENT_MS)
        over.signal.addEventListener('abort', () => clearTimeout(late))
      }
      signal.addEventListener('abort', cancel, { once: true, signal: over.signal })
      try {
        mine.postMessage({ is: 'make', order } satisfies ToThread)
        return await made.promise
      } catch (error) {
        // it may be in any state: the next report gets a fresh one
        await rest()
        signal.throwIfAborted()
        throw error
      } finally {
        over.abort()
        mine.off('message', hear).off('error', die).off('exit', exit)
      }
    },
  }
}

/** What the thread threw, with its own trace. */
const thrown = (trace: string): Error => Object.assign(new Error(trace.split('\n')[0]), { stack: trace })

function deathOf(error: Error): Error {
  if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') return error
  return new ReportFault('The report is too large to be made; choose fewer devices or a shorter range')
}
