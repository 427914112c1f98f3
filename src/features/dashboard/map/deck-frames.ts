/**
 * deck.gl asks for sixty frames a second to see whether there is anything to do. Here it gets them when there is: it takes in
 * new layers before the map draws, not after, and a map at rest costs nothing.
 */
export type DeckFrames = {
  /** of the overlay's properties */
  readonly animationFrameProvider: {
    requestAnimationFrame(callback: FrameRequestCallback): number
    cancelAnimationFrame(handle: number): void
  }
  /** Lets it look now. */
  run(): void
}

export function createDeckFrames(): DeckFrames {
  let waiting: FrameRequestCallback | undefined
  return {
    animationFrameProvider: {
      requestAnimationFrame(callback) {
        waiting = callback
        return 1
      },
      cancelAnimationFrame() {
        waiting = undefined
      },
    },
    run() {
      const call = waiting
      waiting = undefined
      call?.(performance.now())
    },
  }
}
