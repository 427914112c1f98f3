/** What the shader knows how to draw, by number. */
export const SHAPES = ['dot', 'arrow', 'up', 'down', 'drop', 'hollowDrop', 'ring', 'gappedRing'] as const
export type Shape = (typeof SHAPES)[number]

/** A colour as a point has it: red in the lowest byte, opaque. */
export const packedRgb = (red: number, green: number, blue: number): number =>
  ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0

/** Of the whole world, one step of a point's place; 32 bits of it are finer than a pixel at every zoom, and go round. */
export const PLACE_STEPS = 2 ** 32
/** Turns are told in so many steps. */
export const HEADING_STEPS = 256

/**
 * Points as the GPU takes them, written in place: four words each, the place (x, y as shares of the world in 32 bits), the
 * colour, and shape, heading and size (in half px) a byte each. `length` is how many there are; `version` says that they
 * are others than before.
 */
export type Points = { words: Uint32Array<ArrayBuffer>; length: number; version: number }

export const WORDS = 4

export const createPoints = (): Points => ({ words: new Uint32Array(), length: 0, version: 0 })

/** Makes room for `capacity` points; what was there is gone where there was less. */
export function makeRoom(points: Points, capacity: number): void {
  if (points.words.length < capacity * WORDS)
    points.words = new Uint32Array(Math.ceil(capacity * 1.25) * WORDS)
}

/** @param x @param y steps of the world @param heading degrees from north, clockwise @param size px across */
export function writePoint(
  words: Uint32Array,
  at: number,
  x: number,
  y: number,
  colour: number,
  shape: number,
  heading: number,
  size: number,
): void {
  const word = at * WORDS
  words[word] = x
  words[word + 1] = y
  words[word + 2] = colour
  words[word + 3] = shape | ((((heading / 360) * HEADING_STEPS) & 255) << 8) | ((size * 2) << 16)
}
