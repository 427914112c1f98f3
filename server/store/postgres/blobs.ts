/** Several pieces of bytes as one parameter, which SQL takes apart with `substring(bytes FROM start FOR length)`. */
export type Blobs = { bytes: Uint8Array; starts: number[]; lengths: number[] }

/** Lays pieces one behind the other; as an array of `bytea` each would be quoted by itself, here and there. */
export function blobsOf(pieces: readonly Uint8Array[]): Blobs {
  const starts: number[] = []
  const lengths: number[] = []
  let length = 0
  for (const piece of pieces) {
    starts.push(length + 1)
    lengths.push(piece.length)
    length += piece.length
  }
  const bytes = Buffer.allocUnsafe(length)
  for (const [i, piece] of pieces.entries()) bytes.set(piece, (starts[i] as number) - 1)
  return { bytes, starts, lengths }
}
