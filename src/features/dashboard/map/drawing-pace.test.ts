import { expect, test } from 'vitest'
import { createDrawingPace, forcedDrawing } from './drawing-pace.ts'

const SWIFT = 'ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero)), SwiftShader driver)'
const CARD = 'ANGLE (NVIDIA, NVIDIA GeForce RTX 3060 Direct3D11)'

/** Moves the map for some frames of `took` ms each. */
function move(pace: ReturnType<typeof createDrawingPace>, took: number, frames = 60): void {
  pace.setMoving(true)
  for (let frame = 0; frame < frames; frame++) pace.onFrame(frame * took)
}

test('a card draws all while the map moves, a processor what its frames have time for, and all at rest', () => {
  const card = createDrawingPace(CARD, undefined)
  move(card, 16)
  expect(card.most()).toBe(Number.POSITIVE_INFINITY)
  const processor = createDrawingPace(SWIFT, undefined)
  move(processor, 200)
  const slow = processor.most()
  expect(slow).toBeLessThan(20_000)
  move(processor, 20, 400)
  expect(processor.most()).toBeGreaterThan(100_000)
  processor.setMoving(false)
  processor.landIsThere()
  expect(processor.most()).toBe(Number.POSITIVE_INFINITY)
})

test('before its land is whole a processor draws some, so that neither waits for the other', () => {
  const processor = createDrawingPace(SWIFT, undefined)
  expect(processor.most()).toBe(20_000)
  processor.landIsThere()
  expect(processor.most()).toBe(Number.POSITIVE_INFINITY)
  expect(createDrawingPace(CARD, undefined).most()).toBe(Number.POSITIVE_INFINITY)
})

test('a card that shows slow frames is no card', () => {
  const pace = createDrawingPace(CARD, undefined)
  move(pace, 300)
  expect(pace.drawing).toBe('software')
  const forced = createDrawingPace(CARD, 'gpu')
  move(forced, 300)
  expect(forced.drawing).toBe('gpu')
})

test('the map held still says nothing of its frames', () => {
  const pace = createDrawingPace(SWIFT, undefined)
  move(pace, 5000)
  expect(pace.most()).toBe(20_000)
})

test('tells the frames of the last second', () => {
  const pace = createDrawingPace(SWIFT, undefined)
  for (let now = 0; now <= 2000; now += 100) pace.onFrame(now)
  expect(pace.figures(2000)).toMatchObject({ drawing: 'software', renderer: SWIFT, framesPerSecond: 10 })
  expect(pace.figures(5000).framesPerSecond).toBe(0)
})

test.each([
  ['?draw=gpu', 'gpu'],
  ['?a=b&draw=software', 'software'],
  ['?draw=brush', undefined],
  ['', undefined],
])('the address %j forces %s', (search, drawing) => {
  expect(forcedDrawing(search)).toBe(drawing)
})
