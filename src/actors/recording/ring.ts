/** Steps as they will stand in the file, as many as fit: the oldest make room for the newest. */
export type Ring = {
  readonly size: number
  /** characters of all that is kept */
  readonly bytes: number
  readonly dropped: number
  push(text: string): void
  /** oldest first */
  all(): string[]
}

export type RingLimit = { steps: number; bytes: number }

/** @param onDrop called with each that has made room, oldest first */
export function createRing(limit: RingLimit, onDrop: (text: string) => void): Ring {
  let kept: string[] = []
  let first = 0
  let bytes = 0
  let dropped = 0

  function drop(): void {
    const text = kept[first] as string
    kept[first++] = ''
    bytes -= text.length
    dropped++
    onDrop(text)
    // What lies before the first is let go of in one piece now and then, not with each.
    if (first * 2 > kept.length) {
      kept = kept.slice(first)
      first = 0
    }
  }

  return {
    get size() {
      return kept.length - first
    },
    get bytes() {
      return bytes
    },
    get dropped() {
      return dropped
    },
    push(text) {
      kept.push(text)
      bytes += text.length
      while (kept.length - first > 0 && (kept.length - first > limit.steps || bytes > limit.bytes)) drop()
    },
    all: () => kept.slice(first),
  }
}
