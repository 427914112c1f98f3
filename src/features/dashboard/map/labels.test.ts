import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Box, type LabelWish, overlaps, placeLabels } from './labels.ts'

const MAP = { width: 800, height: 500 }
const wish = fc.record({
  x: fc.integer({ min: -20, max: 820 }),
  y: fc.integer({ min: -20, max: 520 }),
  radius: fc.integer({ min: 3, max: 20 }),
  width: fc.integer({ min: 20, max: 140 }),
  height: fc.constant(32),
})
const boxOf = ({ x, y, radius }: LabelWish): Box => ({
  x: x - radius,
  y: y - radius,
  width: 2 * radius,
  height: 2 * radius,
})

test('no label covers another, a mark, or leaves the map', () => {
  fc.assert(
    fc.property(fc.array(wish, { maxLength: 80 }), (wishes) => {
      const marks = wishes.map(boxOf)
      const boxes = placeLabels(wishes, marks, MAP, 60).filter((box) => box !== undefined)
      expect(boxes.length).toBeLessThanOrEqual(60)
      boxes.forEach((box, i) => {
        expect(box.x >= 0 && box.y >= 0 && box.x + box.width <= 800 && box.y + box.height <= 500).toBe(true)
        for (const mark of marks) expect(overlaps(box, mark)).toBe(false)
        for (const other of boxes.slice(i + 1)) expect(overlaps(box, other)).toBe(false)
      })
    }),
  )
})

test('the first wish is placed before a later one takes its room', () => {
  const here = { x: 400, y: 250, radius: 8, width: 100, height: 32 }
  const [first, second] = placeLabels([here, { ...here, x: 420 }], [], MAP, 1)
  expect(first).toEqual({ x: 412, y: 234, width: 100, height: 32 })
  expect(second).toBeUndefined()
})

test('where the right is taken a label goes to the left', () => {
  const wished = { x: 400, y: 250, radius: 8, width: 100, height: 32 }
  const [box] = placeLabels([wished], [{ x: 410, y: 240, width: 20, height: 20 }], MAP, 60)
  expect(box?.x).toBe(288)
})
