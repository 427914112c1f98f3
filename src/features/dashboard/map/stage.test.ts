import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DashboardEvent } from '#machines/dashboard/dashboard.machine.ts'
import { createFleet } from '../../../read-model/fleet.ts'
import type { Camera } from './camera.ts'
import { DOUBLE_MS } from './presses.ts'
import type { Stage } from './stage.ts'
import { stageOf } from './testing.ts'

let told: DashboardEvent[]
beforeEach(() => {
  told = []
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

/** A stage whose map has not come yet. */
const stageAt = (opensAt?: Camera): Stage =>
  stageOf(
    createFleet((call) => call()),
    { opensAt, tell: (event) => told.push(event) },
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

test('a press on the land lets go of what is selected, and not of what is selected after it', () => {
  const stage = stageAt()
  stage.press(10, 10, 2)
  vi.advanceTimersByTime(DOUBLE_MS)
  expect(told).toEqual([{ type: 'selection.clear' }])
  stage.press(10, 10, 2)
  stage.fly('356307042000001')
  vi.advanceTimersByTime(DOUBLE_MS)
  expect(told).toHaveLength(1)
})
