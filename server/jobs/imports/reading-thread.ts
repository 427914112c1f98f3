import { parentPort, workerData } from 'node:worker_threads'
import { type Line, readRows, UnreadableFile } from './read-rows.ts'

/** What the thread says: some lines, that there are no more, or why it cannot read the file. */
export type FromReadingThread =
  | { is: 'lines'; lines: Line[] }
  | { is: 'end' }
  | { is: 'unreadable'; reason: string }

const LINES_AT_ONCE = 500
/** slices on the way that nobody has taken yet */
const MOST_AHEAD = 4

const port = parentPort
if (port === null) throw new Error('runs as a thread alone')

let ahead = 0
let wake = (): void => {}
port.on('message', () => {
  ahead--
  wake()
})

const say = (message: FromReadingThread): void => port.postMessage(message)

async function hand(lines: Line[]): Promise<void> {
  say({ is: 'lines', lines })
  ahead++
  while (ahead >= MOST_AHEAD)
    await new Promise<void>((resolve) => {
      wake = resolve
    })
}

try {
  let lines: Line[] = []
  for await (const line of readRows(workerData as Uint8Array)) {
    lines.push(line)
    if (lines.length < LINES_AT_ONCE) continue
    await hand(lines)
    lines = []
  }
  if (lines.length > 0) await hand(lines)
  say({ is: 'end' })
} catch (error) {
  say({
    is: 'unreadable',
    reason: error instanceof UnreadableFile ? error.message : 'The file cannot be read',
  })
} finally {
  port.close()
}
