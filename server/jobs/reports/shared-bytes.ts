type Held = { buffer: WeakRef<ArrayBufferLike>; at: number; length: number }

/** @param make undefined: there are none */
export type SharedBytes = <T extends Uint8Array | undefined>(
  name: string,
  make: () => Promise<T>,
) => Promise<T | Uint8Array>

/** Large bytes that are made once for all who ask for them, while anybody still has them: a further slow reader costs nothing. */
export function createSharedBytes(): SharedBytes {
  const held = new Map<string, Held>()
  const underWay = new Map<string, Promise<Uint8Array | undefined>>()

  /** Whoever sends bytes makes another view of them: it is their buffer that is held. */
  function hold(name: string, bytes: Uint8Array): void {
    for (const [other, { buffer }] of held) if (buffer.deref() === undefined) held.delete(other)
    held.set(name, { buffer: new WeakRef(bytes.buffer), at: bytes.byteOffset, length: bytes.length })
  }

  return async <T extends Uint8Array | undefined>(name: string, make: () => Promise<T>) => {
    const known = held.get(name)
    const buffer = known?.buffer.deref()
    if (known !== undefined && buffer !== undefined) return new Uint8Array(buffer, known.at, known.length)
    const making = (underWay.get(name) as Promise<T> | undefined) ?? make()
    underWay.set(name, making)
    const bytes = await making.finally(() => underWay.delete(name))
    if (bytes !== undefined) hold(name, bytes)
    return bytes
  }
}
