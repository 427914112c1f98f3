import { createRoot } from 'react-dom/client'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import '../../../styles/tokens.css'
import { createFleet, type Fleet } from '../../../read-model/fleet.ts'
import { unitX } from '../../../read-model/mercator.ts'
import { frameOf, imeiOf, plainDevice, snapshotOf } from '../../../read-model/testing/make-fleet.ts'
import { FleetMap } from './fleet-map.tsx'
import type { MapRoom } from './map-controller.ts'
import { DOUBLE_MS } from './presses.ts'
import { controllerOf } from './testing.ts'

afterEach(() => vi.useRealTimers())

/** The map of a fleet, 600 × 400 px, and what it told. */
function show(fleet: Fleet) {
  const events: string[] = []
  const controller = controllerOf(fleet, { send: ({ type }) => events.push(type) })
  const moving = vi.spyOn(controller, 'setMoving')
  const place = document.body.appendChild(document.createElement('div'))
  place.style.cssText = 'position: fixed; inset: 0; width: 600px; height: 400px'
  const root = createRoot(place)
  onTestFinished(() => {
    root.unmount()
    place.remove()
  })
  root.render(<FleetMap controller={controller} />)
  return { fleet, controller, place, events, moving }
}

/** The map of a fleet of one, drawn. */
async function shown() {
  const fleet = createFleet((call) => call())
  const on = show(fleet)
  fleet.load(snapshotOf(1, [plainDevice(7)]))
  await expect.poll(() => textsOn(on.place)).toContain('Reefer 7')
  return on
}

test('whose context the browser took away and gave back, the fleet is drawn again where the map looked', async () => {
  const { place } = await shown()
  /** maps the fleet was drawn on */
  const drawnOn = new Set<HTMLCanvasElement>()
  place.addEventListener('fleet-drawn', () => drawnOn.add(canvasOf(place)), { capture: true })
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
  expect(textsOn(place)).toContain('Reefer 7')
})

const MISSING = -0x80000000
const ROTTERDAM = { lat: 51.9e6, lng: 4.5e6 }

test('a fleet of which nothing is known yet is opened on with its first place', async () => {
  const fleet = createFleet((call) => call())
  fleet.load(snapshotOf(1, [plainDevice(7, { at: 0, lat: MISSING, lng: MISSING })]))
  const { controller } = show(fleet)
  await expect.poll(() => controller.figures()).toBeDefined()
  expect(controller.leftAt).toBeUndefined()
  fleet.merge(frameOf(1, 2, [plainDevice(7, ROTTERDAM)]), 0)
  expect(controller.leftAt?.x).toBeCloseTo(unitX(4.5), 3)
})

test('what has left the map since it opened is brought back into sight, and only then', async () => {
  const fleet = createFleet((call) => call())
  fleet.load(snapshotOf(1, [plainDevice(7, ROTTERDAM)]))
  const { controller } = show(fleet)
  await expect.poll(() => controller.leftAt).toBeDefined()
  const opened = controller.leftAt
  fleet.merge(frameOf(1, 2, [plainDevice(7, { ...ROTTERDAM, lng: 4.51e6 })]), 0)
  controller.keepShown()
  expect(controller.leftAt).toEqual(opened)
  fleet.merge(frameOf(2, 3, [plainDevice(7, { ...ROTTERDAM, lng: 6e6 })]), 0)
  controller.keepShown()
  expect(controller.leftAt?.x).toBeCloseTo(unitX(6), 3)
})

const CORNER = { clientX: 30, clientY: 30 }
const MIDDLE = { clientX: 300, clientY: 200 }
/** Two steps nearer to a point. */
const wheel = (place: HTMLElement, at: typeof CORNER) => {
  const zoom = () => Number(roomOf(place)?.dataset.zoom)
  const nearer = zoom() + 2
  const turned = () => {
    canvasOf(place).dispatchEvent(new WheelEvent('wheel', { ...at, deltaY: -200, bubbles: true }))
    return zoom()
  }
  return expect.poll(turned).toBeGreaterThan(nearer)
}

test.each<[how: string, move: (place: HTMLElement) => unknown]>([
  [
    'by an arrow key',
    (place) =>
      canvasOf(place).dispatchEvent(
        new KeyboardEvent('keydown', { key: 'ArrowLeft', keyCode: 37, bubbles: true }),
      ),
  ],
  [
    'to a box drawn with Shift',
    (place) => {
      const mouse = (type: string, at: typeof CORNER) =>
        canvasOf(place).dispatchEvent(
          new MouseEvent(type, { ...at, shiftKey: true, buttons: 1, bubbles: true }),
        )
      mouse('mousedown', CORNER)
      mouse('mousemove', { clientX: 90, clientY: 80 })
      mouse('mouseup', { clientX: 90, clientY: 80 })
    },
  ],
  ['by the wheel to where the device is out of sight', (place) => wheel(place, CORNER)],
])('moved %s, the map follows no device any more', async (_, move) => {
  const { controller, place, events } = await shown()
  controller.select(imeiOf(7), true)
  await move(place)
  await expect.poll(() => events).toEqual(['map.moved'])
})

test('the wheel upon the device that is followed does not take the map from it', async () => {
  const { controller, place, events, moving } = await shown()
  controller.select(imeiOf(7), true)
  await wheel(place, MIDDLE)
  await expect.poll(() => moving.mock.lastCall?.[0]).toBe(false)
  expect(events).toEqual([])
})

test('a press on the land lets go of what is selected, and not of what is selected after it', async () => {
  const { controller, events } = await shown()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  controller.press(30, 30, 2)
  vi.advanceTimersByTime(DOUBLE_MS)
  expect(events).toEqual(['selection.clear'])
  controller.press(30, 30, 2)
  controller.fly(imeiOf(7))
  vi.advanceTimersByTime(DOUBLE_MS)
  expect(events).toHaveLength(1)
})

test('a press lets go of nothing while devices that came are not drawn: it may have met one', async () => {
  const { fleet, controller, events } = await shown()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  fleet.load(snapshotOf(2, [plainDevice(6), plainDevice(7)]))
  controller.press(30, 30, 2)
  vi.advanceTimersByTime(DOUBLE_MS)
  expect(events).toEqual([])
})

const textsOn = (place: HTMLElement) => roomOf(place)?.drawnTexts?.map(({ text }) => text)
const canvasOf = (place: HTMLElement) => place.querySelector('canvas.maplibregl-canvas') as HTMLCanvasElement
const roomOf = (place: HTMLElement) => place.querySelector<MapRoom>('section')
const isContextLost = (canvas: HTMLCanvasElement) => canvas.getContext('webgl2')?.isContextLost() ?? true
