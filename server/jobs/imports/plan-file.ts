import { Worker } from 'node:worker_threads'
import { IMPORT_LINES } from '#machines/contracts/entities/device-records.ts'
import { columnsOf, type Planning, planRow, rowOf } from '../../commands/devices/plan-import.ts'
import type { Line } from './read-rows.ts'
import type { FromReadingThread } from './reading-thread.ts'

/** Why a file is refused as a whole, for whoever sent it. */
export class ImportFault extends Error {}

/** MB of the thread's heap, and how long it may take */
const HEAP_MB = 512
const READING_MS = 120_000

/** A file that is being read. */
export type FileReading = {
  readonly planning: Planning
  /** lines so far, without the heading and blank ones */
  lines: number
  /** once the heading was seen */
  columns: Exclude<ReturnType<typeof columnsOf>, string> | undefined
}

export const startReading = (planning: Planning): FileReading => ({ planning, lines: 0, columns: undefined })

/**
 * Reads a file on a thread and plans it here, a slice of lines at a time; `onSlice` is called after each.
 * @throws ImportFault, the reason of `signal`
 */
export async function planFile(
  reading: FileReading,
  bytes: Uint8Array,
  { signal, onSlice }: { signal: AbortSignal; onSlice: () => void },
): Promise<void> {
  await eachSlice(bytes, signal, (lines) => {
    takeLines(reading, lines)
    onSlice()
  })
  if (reading.columns === undefined) throw new ImportFault('The file is empty')
}

function takeLines(reading: FileReading, lines: readonly Line[]): void {
  for (const { line, cells } of lines) {
    if (reading.columns === undefined) {
      if (cells.every((cell) => cell.trim() === '')) continue
      const columns = columnsOf(cells)
      if (typeof columns === 'string') throw new ImportFault(columns)
      reading.columns = columns
      continue
    }
    const row = rowOf(cells, reading.columns, line)
    if (row === undefined) continue
    if (reading.lines >= IMPORT_LINES)
      throw new ImportFault(`The list has more than ${IMPORT_LINES.toLocaleString('en')} lines: part it`)
    planRow(reading.planning, row)
    reading.lines++
  }
}

/** Has a thread read the file; what is too large for it ends the thread and not the server. */
function eachSlice(bytes: Uint8Array, signal: AbortSignal, take: (lines: Line[]) => void): Promise<void> {
  signal.throwIfAborted()
  const worker = new Worker(new URL('./reading-thread.ts', import.meta.url), {
    name: 'device-import',
    workerData: bytes,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const tooMuch = (): void =>
    reject(new ImportFault('The file takes too much to read: part it, or save it as CSV'))
  const timer = setTimeout(tooMuch, READING_MS)
  const cancelled = (): void => reject(signal.reason)
  signal.addEventListener('abort', cancelled, { once: true })
  worker.on('message', (message: FromReadingThread) => {
    if (message.is === 'end') resolve()
    else if (message.is === 'unreadable') reject(new ImportFault(message.reason))
    else
      try {
        take(message.lines)
        worker.postMessage('taken')
      } catch (error) {
        reject(error)
      }
  })
  worker.once('error', (error: Error & { code?: string }) =>
    error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuch() : reject(error),
  )
  worker.once('exit', tooMuch)
  return promise.finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', cancelled)
    void worker.terminate()
  })
}
