import { createRoot } from 'react-dom/client'
import { expect, onTestFinished, test } from 'vitest'
import '../../../styles/tokens.css'
import { createFleet } from '../../../read-model/fleet.ts'
import { plainDevice, snapshotOf } from '../../../read-model/testing/make-fleet.ts'
import { FleetMap } from './fleet-map.tsx'
import type { MapRoom } from './stage.ts'
import { stageOf } from './testing.ts'

test('whose context the browser took away and gave back, the fleet is drawn again where the map looked', async () => {
  const fleet = createFleet((call) => call())
  const stage = stageOf(fleet)
  const place = document.body.appendChild(document.createElement('div'))
  place.style.cssText = 'position: relative; width: 600px; height: 400px'
  const root = createRoot(place)
  onTestFinished(() => {
    root.unmount()
    place.remove()
  })
  /** maps the fleet was drawn on */
  const drawnOn = new Set<HTMLCanvasElement>()
  place.addEventListener('fleet-drawn', () => drawnOn.add(canvasOf(place)), { capture: true })
  root.render(<FleetMap stage={stage} />)
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

const canvasOf = (place: HTMLElement) => place.querySelector('canvas.maplibregl-canvas') as HTMLCanvasElement
const roomOf = (place: HTMLElement) => place.querySelector<MapRoom>('section')
const isContextLost = (canvas: HTMLCanvasElement) => canvas.getContext('webgl2')?.isContextLost() ?? true
