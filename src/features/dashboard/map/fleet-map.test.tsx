import { createRoot } from 'react-dom/client'
import { expect, onTestFinished, test } from 'vitest'
import '../../../styles/tokens.css'
import { createFleet, type Fleet } from '../../../read-model/fleet.ts'
import { unitX } from '../../../read-model/mercator.ts'
import { frameOf, plainDevice, snapshotOf } from '../../../read-model/testing/make-fleet.ts'
import { FleetMap } from './fleet-map.tsx'
import type { MapRoom } from './stage.ts'
import { stageOf } from './testing.ts'

/** A map of a fleet, 600 × 400 px. */
function show(fleet: Fleet) {
  const stage = stageOf(fleet)
  const place = document.body.appendChild(document.createElement('div'))
  place.style.cssText = 'position: relative; width: 600px; height: 400px'
  const root = createRoot(place)
  onTestFinished(() => {
    root.unmount()
    place.remove()
  })
  root.render(<FleetMap stage={stage} />)
  return { stage, place }
}

test('whose context the browser took away and gave back, the fleet is drawn again where the map looked', async () => {
  const fleet = createFleet((call) => call())
  const { place } = show(fleet)
  /** maps the fleet was drawn on */
  const drawnOn = new Set<HTMLCanvasElement>()
  place.addEventListener('fleet-drawn', () => drawnOn.add(canvasOf(place)), { capture: true })
  fleet.load(snapshotOf(1, [plainDevice(7)]))
  await expect.poll(() => roomOf(place)?.drawnTexts?.map(({ text }) => text)).toContain('Reefer 7')

  const lost = canvasOf(place)
  const context = lost.getContext('webgl2')?.getExtension('WEBGL_lose_context')
  // it can be given back when all have been told
  const isLost = new Promise((resolve) =>
    lost.addEventListener('webglcontextlost', () => setTimeout(resolve)),
  )
  context?.loseContext()
  await isLost
  drawnOn.clear()
  context?.restoreContext()
  await expect.poll(() => [...drawnOn].some((canvas) => canvas !== lost && !isContextLost(canvas))).toBe(true)
  expect(roomOf(place)?.drawnTexts?.map(({ text }) => text)).toContain('Reefer 7')
})

const MISSING = -0x80000000
const ROTTERDAM = { lat: 51.9e6, lng: 4.5e6 }

test('a fleet of which nothing is known yet is opened on with its first place', async () => {
  const fleet = createFleet((call) => call())
  fleet.load(snapshotOf(1, [plainDevice(7, { at: 0, lat: MISSING, lng: MISSING })]))
  const { stage } = show(fleet)
  await expect.poll(() => stage.figures()).toBeDefined()
  expect(stage.leftAt).toBeUndefined()
  fleet.merge(frameOf(1, 2, [plainDevice(7, ROTTERDAM)]), 0)
  expect(stage.leftAt?.x).toBeCloseTo(unitX(4.5), 3)
})

test('what has left the map since it opened is brought back into sight, and only then', async () => {
  const fleet = createFleet((call) => call())
  fleet.load(snapshotOf(1, [plainDevice(7, ROTTERDAM)]))
  const { stage } = show(fleet)
  await expect.poll(() => stage.leftAt).toBeDefined()
  const opened = stage.leftAt
  fleet.merge(frameOf(1, 2, [plainDevice(7, { ...ROTTERDAM, lng: 4.51e6 })]), 0)
  stage.keepShown()
  expect(stage.leftAt).toEqual(opened)
  fleet.merge(frameOf(2, 3, [plainDevice(7, { ...ROTTERDAM, lng: 6e6 })]), 0)
  stage.keepShown()
  expect(stage.leftAt?.x).toBeCloseTo(unitX(6), 3)
})

const canvasOf = (place: HTMLElement) => place.querySelector('canvas.maplibregl-canvas') as HTMLCanvasElement
const roomOf = (place: HTMLElement) => place.querySelector<MapRoom>('section')
const isContextLost = (canvas: HTMLCanvasElement) => canvas.getContext('webgl2')?.isContextLost() ?? true
