/** `gpu`: every frame draws all; `software`: while the map moves or its land still comes, as many as its frames have time for. */
export type Drawing = 'gpu' | 'software'

/** What the map tells of its drawing. */
export type DrawingFigures = {
  drawing: Drawing
  /** what draws, in the browser's words */
  renderer: string
  /** points drawn while the map moves, at most */
  whileMoving: number
  /** of the last second */
  framesPerSecond: number
}

/** How many points the map draws, by what the machine shows it can do. */
export type DrawingPace = {
  readonly drawing: Drawing
  /** points to draw now, at most */
  most(): number
  /** the map begins or ends to move */
  setMoving(isMoving: boolean): void
  /** the land below the points is whole: none of its frames waits for all of them any more */
  landIsThere(): void
  /** a frame was drawn, ms that never step */
  onFrame(now: number): void
  figures(now: number): DrawingFigures
}

/** Renderers without a card behind them. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render|swrast|lavapipe/i
/** ms a frame should take while the map moves; from SLOW on a card is no use */
const WISHED = 80
const SLOW = 150
/** Frames after which a machine has shown what it can do. */
const ENOUGH = 12
const FIRST = 20_000
const FEWEST = 5000
/** Longer than this between two frames somebody holds the map still, ms. */
const PAUSE = 600

/** @param forced by the address, for tests and for those who know better */
export function createDrawingPace(renderer: string, forced: Drawing | undefined): DrawingPace {
  let drawing: Drawing = forced ?? (SOFTWARE.test(renderer) ? 'software' : 'gpu')
  let budget = FIRST
  let isMoving = false
  let isLandThere = false
  let last: number | undefined
  let average = WISHED
  let seen = 0
  const frames: number[] = []

  function learn(took: number): void {
    average += (took - average) / 8
    seen++
    if (forced === undefined && seen > ENOUGH && average > SLOW) drawing = 'software'
    if (average > WISHED * 1.25) budget = Math.max(FEWEST, budget * 0.9)
    else if (average < WISHED * 0.75) budget = Math.min(1e6, budget * 1.1)
  }

  return {
    get drawing() {
      return drawing
    },
    most: () =>
      (isMoving || !isLandThere) && drawing === 'software' ? Math.round(budget) : Number.POSITIVE_INFINITY,
    setMoving(next) {
      isMoving = next
      last = undefined
    },
    landIsThere() {
      isLandThere = true
    },
    onFrame(now) {
      if (isMoving && last !== undefined && now - last < PAUSE) learn(now - last)
      last = now
      frames.push(now)
      while (now - (frames[0] as number) > 1000) frames.shift()
    },
    figures: (now) => ({
      drawing,
      renderer,
      whileMoving: drawing === 'gpu' ? Number.POSITIVE_INFINITY : Math.round(budget),
      framesPerSecond: frames.filter((at) => now - at < 1000).length,
    }),
  }
}

/** What the address asks for: `?draw=gpu`, `?draw=software`. */
export function forcedDrawing(search: string): Drawing | undefined {
  const requested = new URLSearchParams(search).get('draw')
  return requested === 'gpu' || requested === 'software' ? requested : undefined
}
