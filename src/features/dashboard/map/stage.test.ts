import { expect, test } from 'vitest'
import { createFleet } from '../../../read-model/fleet.ts'
import type { Camera } from './camera.ts'
import type { Stage } from './stage.ts'
import { stageOf } from './testing.ts'

/** A stage whose map has not come yet. */
const stageAt = (opensAt?: Camera): Stage =>
  stageOf(
    createFleet((call) => call()),
    { opensAt },
  )

const somewhere: Camera = { x: 0.4, y: 0.6, zoom: 9, width: 800, height: 600 }

test('left before it looked at the fleet, the map has no place to open at again', () => {
  const stage = stageAt()
  stage.opening(800, 600)
  stage.look(somewhere)
  expect(stage.leftAt).toBeUndefined()
})

test('taken in hand, or opened where it was left, it opens there again', () => {
  const stage = stageAt()
  stage.taken()
  stage.look(somewhere)
  expect(stage.leftAt).toEqual(somewhere)
  expect(stageAt(somewhere).leftAt).toEqual(somewhere)
})
