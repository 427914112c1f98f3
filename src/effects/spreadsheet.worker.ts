import type { ObservationRow } from '#machines/contracts/entities/devices.ts'
import { messageOf } from '#machines/rules/message-of.ts'
import { observationSheet, type SheetOrder } from './observation-sheet.ts'

/** What the page says: rows, a part at a time, then what to make of them. */
export type ToWorker = { rows: readonly ObservationRow[] } | { make: Omit<SheetOrder, 'rows'> }
/** What the worker says. */
export type FromWorker = { written: number } | { file: Blob } | { failed: string }

const rows: ObservationRow[] = []
const say = (message: FromWorker) => postMessage(message)

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if ('rows' in data) {
    for (const row of data.rows) rows.push(row)
    return
  }
  observationSheet({ ...data.make, rows }, (written) => say({ written })).then(
    (file) => say({ file }),
    (error: unknown) => say({ failed: messageOf(error) }),
  )
})
