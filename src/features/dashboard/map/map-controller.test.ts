import { expect, test } from 'vitest'
import { createFleet } from '../../../read-model/fleet.ts'
import type { Camera } from './camera.ts'
import type { MapController } from './map-controller.ts'
import { controllerOf } from './testing.ts'

/** A map controller whose map has not come yet. */
const controllerAt = (opensAt?: Camera): MapController =>
  controllerOf(
    createFleet((call) => call()),
    { opensAt },
  )

const somewhere: Camera = { x: 0.4, y: 0.6, zoom: 9, width: 800, height: 600 }

test('left before it looked at the fleet, the map has no place to open at again', () => {
  const controller = controllerAt()
  controller.opening(800, 600)
  controller.look(somewhere)
  expect(controller.leftAt).toBeUndefined()
})

test('taken in hand, or opened where it was left, it opens there again', () => {
  const controller = controllerAt()
  controller.taken()
  controller.look(somewhere)
  expect(controller.leftAt).toEqual(somewhere)
  expect(controllerAt(somewhere).leftAt).toEqual(somewhere)
})
