import { decodeJson } from '#machines/contracts/decode.ts'
import { decodeLiveFrame } from '#machines/contracts/live-frame.ts'
import { LiveMessage } from '#machines/contracts/live-messages.ts'

/** A portal without a screen: follows `/live`, checks that nothing is missing between frames, and counts. */
export type LiveClient = {
  /** rows told so far; a device that spoke twice between two frames is told once */
  rows(): number
  bytes(): number
  /** frames that did not join on to the one before */
  gaps(): number
  close(): void
}

/** @returns once the server has said welcome */
export async function followLive(url: string, token: string): Promise<LiveClient> {
  let rows = 0
  let bytes = 0
  let gaps = 0
  let seq: number | undefined
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/live`)
  socket.binaryType = 'arraybuffer'
  const welcome = Promise.withResolvers<void>()
  socket.onopen = () => socket.send(JSON.stringify({ type: 'hello', token }))
  socket.onclose = ({ code, reason }) => welcome.reject(new Error(`/live closed: ${code} ${reason}`))

  const join = (prevSeq: number, next: number): void => {
    if (seq !== undefined && prevSeq > seq) gaps++
    seq = Math.max(seq ?? 0, next)
  }
  socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
    if (typeof data === 'string') {
      bytes += Buffer.byteLength(data)
      const message = decodeJson(data, LiveMessage, 'live message')
      if (message.type === 'age') join(message.prevSeq, message.seq)
      if (message.type === 'welcome') {
        seq = message.seq
        welcome.resolve()
      }
      return
    }
    bytes += data.byteLength
    const frame = decodeLiveFrame(data)
    join(frame.prevSeq, frame.seq)
    rows += frame.device.length
  }
  await welcome.promise
  return { rows: () => rows, bytes: () => bytes, gaps: () => gaps, close: () => socket.close() }
}
