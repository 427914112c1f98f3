import { expect, test } from 'vitest'
import { LAND_ZOOM } from './land.ts'
import { asNearAsLand, ZOOM } from './zooms.ts'

test("each zoom is the documents' own on a map whose tiles are twice as wide", () => {
  expect(Object.values(ZOOM)).toEqual([7.5 - 1, 5.5 - 1, 17 - 1, 10 - 1])
})

test('nothing flies nearer than there is land to see', () => {
  expect(asNearAsLand(ZOOM.opened)).toBe(ZOOM.opened)
  expect(asNearAsLand(ZOOM.selected)).toBe(Math.min(ZOOM.selected, LAND_ZOOM))
})
