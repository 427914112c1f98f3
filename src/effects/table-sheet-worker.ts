import type { FileTable } from '../format/file-table.ts'
import type { FromTableWorker } from './table-sheet.worker.ts'

/**
 * Makes a spreadsheet of a table off the page's thread, in a worker of our own origin.
 * @throws Error when it cannot be made
 */
export function makeTableSheet(table: FileTable): Promise<Blob> {
  return new Promise<Blob>((resolve, reject) => {
    const worker = new Worker(new URL('./table-sheet.worker.ts', import.meta.url), { type: 'module' })
    worker.addEventListener('error', ({ message }) => {
      worker.terminate()
      reject(new Error(message || 'The part that makes files could not be loaded'))
    })
    worker.addEventListener('message', ({ data }: MessageEvent<FromTableWorker>) => {
      worker.terminate()
      if ('file' in data) resolve(data.file)
      else reject(new Error(data.failed))
    })
    worker.postMessage(table)
  })
}
