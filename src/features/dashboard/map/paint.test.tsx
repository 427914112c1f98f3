import { expect, test } from 'vitest'
import { createFleet } from '../../../read-model/fleet.ts'
import { plainDevice, snapshotOf } from '../../../read-model/testing/make-fleet.ts'
import { paintScene } from './paint.ts'
import { readPalette } from './palette.ts'
import '../../../styles/tokens.css'

const SIZE = 60

/** One device that stands still, as it looks in the middle of a map; only its name is another's. */
function picture(kind: number): string {
  const fleet = createFleet((call) => call())
  fleet.load(snapshotOf(1, [plainDevice(1, { kind })]))
  const canvas = document.createElement('canvas')
  canvas.width = SIZE
  canvas.height = SIZE
  const ctx = canvas.getContext('2d') as CanvasRenderingContext2D
  const paint = {
    ctx,
    palette: readPalette(document.body),
    scheme: 'light',
    width: SIZE,
    height: SIZE,
    hasCard: true,
    isStale: false,
  } as const
  const at = { x: SIZE / 2, y: SIZE / 2, radius: 10, severity: 0 }
  paintScene(paint, { marks: [{ ...at, kind: 'device', row: 0, isSelected: true }], pxPerSecond: 0 }, fleet)
  return canvas.toDataURL()
}

test('a warehouse has another mark than a vehicle', () => {
  expect(picture(0)).toBe(picture(0))
  expect(picture(1)).not.toBe(picture(0))
})
