import type { SheetOrder } from './observation-sheet.ts'
import type { FromWorker, ToWorker } from './spreadsheet.worker.ts'

/** Rows handed over at once: more would hold the page up. */
const PART = 5000

/**
 * Makes a spreadsheet of observations off the page's thread, in a worker of our own origin.
 * @param onWritten rows that are in the file so far
 * @param signal leaves off, at once
 * @throws Error when it cannot be made, or was called off
 */
export function makeSpreadsheet(
  { rows, ...make }: SheetOrder,
  onWritten: (rows: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  return new Promise<Blob>((resolve, reject) => {
    const worker = new Worker(new URL('./spreadsheet.worker.ts', import.meta.url), { type: 'module' })
    const say = (message: ToWorker) => worker.postMessage(message)
    const end = (finish: () => void) => {
      worker.terminate()
      finish()
    }
    signal.addEventListener('abort', () => end(() => reject(new Error('The file was called off'))))
    worker.addEventListener('error', ({ message }) =>
      end(() => reject(new Error(message || 'The part that makes files could not be loaded'))),
    )
    worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
      if ('written' in data) onWritten(data.written)
      else if ('file' in data) end(() => resolve(data.file))
      else end(() => reject(new Error(data.failed)))
    })
    const handOver = (from: number): void => {
      if (signal.aborted) return
      if (from >= rows.length) say({ make })
      else {
        say({ rows: rows.slice(from, from + PART) })
        setTimeout(() => handOver(from + PART))
      }
    }
    handOver(0)
  })
}
