import { messageOf } from '#machines/rules/message-of.ts'
import type { FileTable } from '../format/file-table.ts'
import { tableSheet } from './table-sheet.ts'

export type FromTableWorker = { file: Blob } | { failed: string }

const say = (message: FromTableWorker) => postMessage(message)

addEventListener('message', ({ data }: MessageEvent<FileTable>) => {
  tableSheet(data).then(
    (file) => say({ file }),
    (error: unknown) => say({ failed: messageOf(error) }),
  )
})
