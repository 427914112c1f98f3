import type { Protocol } from './protocol.ts'

/** What came over a connection and is no whole frame yet: the chunks as they came, joined when a frame may be whole. */
export type FrameStream = { bytes: Buffer; chunks: Buffer[]; waiting: number; needed: number }

export const createFrameStream = (): FrameStream => ({
  bytes: Buffer.alloc(0),
  chunks: [],
  waiting: 0,
  needed: 0,
})

/** Whether bytes wait that are no whole frame. */
export const isWaiting = (stream: FrameStream): boolean => stream.waiting > 0

/** Keeps the chunk, not a copy: it must not be written over. */
export function pushChunk(stream: FrameStream, chunk: Buffer): void {
  stream.chunks.push(chunk)
  stream.waiting += chunk.length
}

/**
 * Takes the next whole frame, wherever the chunks were cut; undefined while more must come.
 * @throws FrameError where no frame can begin
 */
export function nextFrame(stream: FrameStream, protocol: Protocol, isLetIn: boolean): Uint8Array | undefined {
  // a frame that comes byte by byte is joined once, when it is whole
  if (stream.waiting < stream.needed) return undefined
  join(stream)
  // whoever has not said who they are is given no way to keep the line open
  if (isLetIn) drop(stream, protocol.gap(stream.bytes))
  const length = protocol.frameLength(stream.bytes, isLetIn)
  stream.needed = length ?? 0
  if (length === undefined || stream.waiting < length) return undefined
  const frame = stream.bytes.subarray(0, length)
  drop(stream, length)
  stream.needed = 0
  return frame
}

function join(stream: FrameStream): void {
  if (stream.chunks.length === 0) return
  const { bytes, chunks } = stream
  stream.bytes =
    bytes.length === 0 && chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat([bytes, ...chunks])
  stream.chunks = []
}

function drop(stream: FrameStream, length: number): void {
  stream.bytes = stream.bytes.subarray(length)
  stream.waiting -= length
}
