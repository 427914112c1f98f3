import { lngOf, unitX, unitY } from '../../../read-model/mercator.ts'
import '../../../styles/tokens.css'
import { MapLibreOverlay } from '@deck.gl/maplibre'
import type { Device } from '@luma.gl/core'
import { Map as MapLibre } from 'maplibre-gl'
import { afterEach, expect, test, vi } from 'vitest'
import { violationBit } from '#machines/contracts/device-state.ts'
import type { HistoryThresholds } from '#machines/contracts/entities/devices.ts'
import { incident } from '../../../layout/incidents/testing.ts'
import { palettes } from '../../../map/palette.ts'
import { prepareMapLibre } from '../../../map/setup.ts'
import { drawWayOf } from '../../../map/way-layers.ts'
import { createFleet, type Fleet } from '../../../read-model/fleet.ts'
import { imeiOf, type PlainDevice, plainDevice, snapshotOf } from '../../../read-model/testing/make-fleet.ts'
import { badgesOf } from './badges.ts'
import { type Camera, worldPx } from './camera.ts'
import { createDrawingPace, type Drawing } from './drawing-pace.ts'
import { createFleetLayer, type FleetLayer } from './fleet-layer.ts'
import { bytesOf, FONT, readPalette } from './palette.ts'
import type { PictureLayer } from './picture-layer.ts'

const WIDTH = 600
const HEIGHT = 400
const LAHORE = { lat: 31.5, lng: 74.3 }
const GROUND = { light: '#f1f4f7', dark: '#171e26' }
const HOT = violationBit('HIGH_TEMPERATURE_DETECTED')

let drawn: Drawn | undefined
afterEach(() => {
  drawn?.end()
  drawn = undefined
  vi.restoreAllMocks()
  delete document.documentElement.dataset.theme
})

/** A fleet on bare ground, and what of it is on the screen. */
type Drawn = {
  fleet: Fleet
  layer: FleetLayer
  map: MapLibre
  /** red, green, blue, alpha of each px, row by row from the top, once everything asked for is drawn */
  pixels(): Promise<Uint8Array>
  /** `px`: so far to the right */
  look(zoom: number, px?: number): void
  end(): void
}

async function draw(
  devices: PlainDevice[],
  { zoom = 12, drawing = 'gpu' as Drawing, theme = 'light' as 'light' | 'dark' } = {},
): Promise<Drawn> {
  prepareMapLibre()
  await Promise.all([500, 600].map((weight) => document.fonts.load(`${weight} 12px ${FONT}`)))
  document.documentElement.dataset.theme = theme
  const container = document.createElement('div')
  container.style.cssText = `width: ${WIDTH}px; height: ${HEIGHT}px`
  document.body.append(container)
  const map = new MapLibre({
    container,
    style: {
      version: 8,
      sources: {},
      layers: [{ id: 'ground', type: 'background', paint: { 'background-color': GROUND[theme] } }],
    },
    center: [LAHORE.lng, LAHORE.lat],
    zoom,
    attributionControl: false,
    fadeDuration: 0,
  })
  const device = await new Promise<Device>((resolve) => {
    overlay = new MapLibreOverlay({ interleaved: true, layers: [], onDeviceInitialized: resolve })
    map.addControl(overlay)
  })
  const fleet: Fleet = createFleet((call) => call())
  fleet.load(snapshotOf(1, devices))
  let onDrawn: (() => void) | undefined
  const layer = createFleetLayer({
    map,
    overlay: overlay as MapLibreOverlay,
    device,
    fleet,
    pace: createDrawingPace('a card', drawing),
    realMs: (span) => span,
    prefersLessMotion: () => true,
    hasCard: () => false,
    covered: () => [],
    isLinkLost: () => false,
    onSelectedAt: () => undefined,
    onDrawn: () => onDrawn?.(),
  })
  const cameraAt = (at: number, px = 0): Camera => ({
    x: unitX(LAHORE.lng) + px / worldPx(at),
    y: unitY(LAHORE.lat),
    zoom: at,
    width: WIDTH,
    height: HEIGHT,
  })
  layer.look(cameraAt(zoom))
  layer.tone(readPalette(document.body), theme)
  if (!map.isStyleLoaded()) await map.once('idle')
  return {
    fleet,
    layer,
    map,
    async pixels() {
      // The first that is told of may have been asked for before.
      for (let time = 0; time < 2; time++)
        await new Promise<void>((resolve) => {
          onDrawn = resolve
          layer.refresh()
        })
      return readPixels(map)
    },
    look(next, px) {
      const camera = cameraAt(next, px)
      map.jumpTo({ zoom: next, center: [lngOf(camera.x), LAHORE.lat] })
      layer.look(camera)
    },
    end() {
      layer.stop()
      map.remove()
      container.remove()
    },
  }
}
let overlay: MapLibreOverlay | undefined

/** They are gone when the frame is over. */
function readPixels(map: MapLibre): Promise<Uint8Array> {
  return new Promise((resolve) => {
    map.once('render', () => {
      const gl = map.getCanvas().getContext('webgl2') as WebGL2RenderingContext
      const upsideDown = new Uint8Array(WIDTH * HEIGHT * 4)
      gl.readPixels(0, 0, WIDTH, HEIGHT, gl.RGBA, gl.UNSIGNED_BYTE, upsideDown)
      const pixels = new Uint8Array(upsideDown.length)
      for (let y = 0; y < HEIGHT; y++)
        pixels.set(upsideDown.subarray(y * WIDTH * 4, (y + 1) * WIDTH * 4), (HEIGHT - 1 - y) * WIDTH * 4)
      resolve(pixels)
    })
    map.triggerRepaint()
  })
}

/** How many px within `reach` of a place are other than before. */
function changedNear(
  before: Uint8Array,
  after: Uint8Array,
  place: { x: number; y: number },
  reach: number,
): number {
  let count = 0
  for (let y = place.y - reach; y <= place.y + reach; y++)
    for (let x = place.x - reach; x <= place.x + reach; x++) {
      const at = (y * WIDTH + x) * 4
      if ([0, 1, 2].some((byte) => before[at + byte] !== after[at + byte])) count++
    }
  return count
}

/** How many px within `reach` of a place have a colour, give or take. */
function countOf(pixels: Uint8Array, tone: string, place: { x: number; y: number }, reach: number): number {
  const colour = bytesOf(tone)
  let count = 0
  for (let y = place.y - reach; y <= place.y + reach; y++)
    for (let x = place.x - reach; x <= place.x + reach; x++) {
      const at = (Math.round(y) * WIDTH + Math.round(x)) * 4
      if (colour.every((byte, i) => Math.abs(byte - (pixels[at + i] as number)) < 12)) count++
    }
  return count
}

const MIDDLE = { x: WIDTH / 2, y: HEIGHT / 2 }
const toned = () => readPalette(document.body)
const device = (no: number, given: Partial<PlainDevice> = {}) =>
  plainDevice(no, { lat: LAHORE.lat * 1e6, lng: LAHORE.lng * 1e6, ...given })
/** px to the right of the middle, at zoom 12 */
const lngAt = (px: number) => Math.round(lngOf(unitX(LAHORE.lng) + px / (512 * 2 ** 12)) * 1e6)

test('a device is drawn where it is, and nowhere else', async () => {
  drawn = await draw([device(1, { lng: lngAt(120) })])
  const pixels = await drawn.pixels()
  expect(countOf(pixels, toned().fine, { x: MIDDLE.x + 120, y: MIDDLE.y }, 6)).toBeGreaterThan(20)
  expect(countOf(pixels, toned().fine, { x: MIDDLE.x - 120, y: MIDDLE.y }, 40)).toBe(0)
})

test('one that is too hot is seen among five thousand calm ones at its place', async () => {
  const devices = Array.from({ length: 5000 }, (_, no) => device(no, { state: no === 2500 ? HOT : 0 }))
  drawn = await draw(devices)
  expect(countOf(await drawn.pixels(), toned().hot, MIDDLE, 10)).toBeGreaterThan(40)
})

test('a warehouse has another mark than a vehicle', async () => {
  const pictures: Uint8Array[] = []
  for (const kind of [0, 0, 1]) {
    drawn = await draw([device(1, { kind, name: 'The same' })])
    pictures.push(await drawn.pixels())
    drawn.end()
    drawn = undefined
  }
  const [vehicle, again, warehouse] = pictures as [Uint8Array, Uint8Array, Uint8Array]
  expect(differing(vehicle, again)).toBe(0)
  expect(differing(vehicle, warehouse)).toBeGreaterThan(0)
})

test('enlarged, or on a finer screen, pictures are drawn anew: as large, and finer', async () => {
  drawn = await draw([device(1, { state: HOT, temperature: 900 })])
  const handed = vi.spyOn(overlay as MapLibreOverlay, 'setProps')
  const ratio = vi.spyOn(window, 'devicePixelRatio', 'get')
  const drawnAt = async (is: number) => {
    ratio.mockReturnValue(is)
    await drawn?.pixels()
    const layers = handed.mock.lastCall?.[0].layers as PictureLayer[]
    const { pictures, ratio: drawnFor } = (layers.find(({ id }) => id === 'marks') as PictureLayer).props
    return pictures.map(({ frame: { height } }) => ({ size: height / drawnFor, px: height }))
  }
  const [mark, name] = await drawnAt(1)
  expect(await drawnAt(2)).toEqual([mark, name].map((one) => ({ size: one?.size, px: 2 * (one?.px ?? 0) })))
})

test.each(['light', 'dark'] as const)('who has what is open is written at its mark: %s', async (theme) => {
  const hot = device(1, { state: HOT })
  drawn = await draw([hot], { theme })
  const badge = { x: MIDDLE.x - 11, y: MIDDLE.y + 11 }
  const above = { x: MIDDLE.x + 11, y: MIDDLE.y - 11 }
  const before = await drawn.pixels()
  const holder = { userId: 'u2', userName: 'Ayesha Malik', since: '2026-06-15T04:10:00.000Z' }
  const taken = { incident: incident(1, { holder }), shelving: undefined }
  drawn.layer.setBadges(badgesOf(new Map([[hot.imei, taken]])))
  const after = await drawn.pixels()
  expect(changedNear(before, after, badge, 8)).toBeGreaterThan(80)
  expect(changedNear(before, after, above, 8)).toBe(0)
})

test.each(['light', 'dark'] as const)(
  'an opened door has a sign above the stop on the way: %s',
  async (theme) => {
    drawn = await draw([device(1)], { theme })
    drawn.layer.select(imeiOf(1))
    const withDoor = (door: 0 | 1) =>
      drawWayOf({
        points: [-120, -60, -60, -20].map((px, i) => ({
          ...{ dateTime: new Date(i * 600_000).toISOString(), lat: LAHORE.lat, lng: lngAt(px) / 1e6 },
          ...{ temperature: 5, humidity: 50, door: px === -60 ? door : 0 },
        })),
        thresholds: { lowTemperatureThreshold: 2, highTemperatureThreshold: 8 } as HistoryThresholds,
      })
    const signs: number[] = []
    for (const door of [0, 1] as const) {
      drawn.layer.setWay(withDoor(door))
      signs.push(
        countOf(await drawn.pixels(), palettes[theme].mark, { x: MIDDLE.x - 60, y: MIDDLE.y - 14 }, 7),
      )
    }
    expect(signs[0]).toBe(0)
    expect(signs[1]).toBeGreaterThan(40)
  },
)

test('what a filter leaves out is gone, the rest stays', async () => {
  drawn = await draw([device(1, { lng: lngAt(-120) }), device(2, { lng: lngAt(120), state: HOT })])
  const [left, right] = [-120, 120].map((px) => ({ x: MIDDLE.x + px, y: MIDDLE.y }))
  const both = await drawn.pixels()
  expect(countOf(both, toned().hot, right!, 10)).toBeGreaterThan(40)
  drawn.layer.setMask(Uint8Array.of(1, 0))
  const one = await drawn.pixels()
  expect(countOf(one, toned().hot, right!, 10)).toBe(0)
  expect(countOf(one, toned().fine, left!, 6)).toBeGreaterThan(20)
})

test('what is pressed while the map moves is what is seen there, not what was', async () => {
  drawn = await draw([device(1, { state: HOT, name: 'Too hot', temperature: 900 })])
  await drawn.pixels()
  expect(drawn.layer.hit(MIDDLE.x, MIDDLE.y)).toMatchObject({ kind: 'device', row: 0 })
  drawn.look(12, 200)
  expect(drawn.layer.hit(MIDDLE.x - 200, MIDDLE.y)).toMatchObject({ kind: 'device', row: 0 })
  expect(drawn.layer.hit(MIDDLE.x, MIDDLE.y)).toBe('land')
})

test('while rows are counted anew, no press meets the device that has the row of another', async () => {
  const hot = device(2, { state: HOT, name: 'Too hot', temperature: 900 })
  drawn = await draw([hot])
  await drawn.pixels()
  drawn.fleet.load(snapshotOf(2, [device(1, { lng: lngAt(-200) }), hot]))
  expect(drawn.layer.hit(MIDDLE.x, MIDDLE.y)).toBeUndefined()
  await drawn.pixels()
  expect(drawn.layer.hit(MIDDLE.x, MIDDLE.y)).toMatchObject({ kind: 'device', row: 1 })
})

test.each(['light', 'dark'] as const)(
  'at rest a card and a processor draw the same, at every zoom, in the %s theme',
  async (theme) => {
    const devices = Array.from({ length: 30_000 }, (_, no) =>
      device(no, {
        lat: (LAHORE.lat + Math.sin(no * 7.1) * 2) * 1e6,
        lng: (LAHORE.lng + Math.cos(no * 3.3) * 3) * 1e6,
        state: no % 97 === 0 ? HOT : 0,
      }),
    )
    const pictures: Record<Drawing, Uint8Array[]> = { gpu: [], software: [] }
    for (const drawing of ['gpu', 'software'] as const) {
      drawn = await draw(devices, { drawing, theme, zoom: 5 })
      for (const zoom of [5, 7, 9, 12]) {
        drawn.look(zoom)
        drawn.layer.setMoving(true)
        const moving = await drawn.pixels()
        drawn.layer.setMoving(false)
        const resting = await drawn.pixels()
        pictures[drawing].push(resting)
        // What the processor leaves out while the map moves is there again when it rests.
        if (zoom === 7) expect(differing(moving, resting) > 0.001, drawing).toBe(drawing === 'software')
      }
      drawn.end()
      drawn = undefined
    }
    for (const [i, picture] of pictures.gpu.entries())
      expect(differing(picture, pictures.software[i] as Uint8Array)).toBeLessThan(0.001)
    expect(differing(pictures.gpu[0] as Uint8Array, pictures.gpu[1] as Uint8Array)).toBeGreaterThan(0.01)
  },
)

/** Share of the px of which a byte differs by more than a rounding. */
function differing(a: Uint8Array, b: Uint8Array): number {
  let count = 0
  for (let at = 0; at < a.length; at += 4)
    if ([0, 1, 2].some((i) => Math.abs((a[at + i] as number) - (b[at + i] as number)) > 2)) count++
  return count / (a.length / 4)
}
