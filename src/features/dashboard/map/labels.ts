/** px; `x`, `y`: the upper left corner. */
export type Box = { x: number; y: number; width: number; height: number }

export type LabelWish = {
  /** the mark's centre and size, px */
  x: number
  y: number
  radius: number
  /** the text's size, px */
  width: number
  height: number
}

const GAP = 4

/**
 * Places labels beside their marks, the first wish first: right, left, below, above, wherever it covers no mark, no
 * label and does not leave the map. What fits nowhere stays without.
 * @param marks boxes nothing may cover @param most labels beyond this are not placed
 * @returns for each wish its box, or undefined
 */
export function placeLabels(
  wishes: readonly LabelWish[],
  marks: readonly Box[],
  map: { width: number; height: number },
  most: number,
): (Box | undefined)[] {
  const taken = createTaken()
  for (const mark of marks) taken.add(mark)
  let placed = 0
  return wishes.map((wish) => {
    if (placed >= most) return undefined
    const box = around(wish).find((candidate) => isInside(candidate, map) && !taken.hits(candidate))
    if (box === undefined) return undefined
    taken.add(box)
    placed++
    return box
  })
}

function around({ x, y, radius, width, height }: LabelWish): Box[] {
  return [
    { x: x + radius + GAP, y: y - height / 2, width, height },
    { x: x - radius - GAP - width, y: y - height / 2, width, height },
    { x: x - width / 2, y: y + radius + GAP, width, height },
    { x: x - width / 2, y: y - radius - GAP - height, width, height },
  ]
}

/** Whether a box lies within the map. */
export function isInside(box: Box, map: { width: number; height: number }): boolean {
  return box.x >= 0 && box.y >= 0 && box.x + box.width <= map.width && box.y + box.height <= map.height
}

/** Boxes that only touch do not. */
export function overlaps(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

/** Whether a point lies in a box. */
export const holds = (box: Box, x: number, y: number): boolean =>
  x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height

const CELL = 64

/** Boxes by the cells they touch, so that a new one is compared with its neighbours alone. */
function createTaken() {
  const cells = new Map<number, Box[]>()
  function* keysOf({ x, y, width, height }: Box): Generator<number> {
    for (let row = Math.floor(y / CELL); row <= Math.floor((y + height) / CELL); row++)
      for (let column = Math.floor(x / CELL); column <= Math.floor((x + width) / CELL); column++)
        yield row * 4096 + column
  }
  return {
    add(box: Box): void {
      for (const key of keysOf(box)) {
        const boxes = cells.get(key)
        if (boxes) boxes.push(box)
        else cells.set(key, [box])
      }
    },
    hits(box: Box): boolean {
      for (const key of keysOf(box)) if (cells.get(key)?.some((other) => overlaps(other, box))) return true
      return false
    },
  }
}
