import type { MapLibreOverlay } from '@deck.gl/maplibre'
import type { Device } from '@luma.gl/core'
import type { Map as MapLibre } from 'maplibre-gl'
import type { Scheme } from '../../../format/temperature-colour.ts'
import type { Way } from '../../../map/way-layers.ts'
import { type Clusters, clusterBox, clusterFleet } from '../../../read-model/clusters.ts'
import type { Fleet } from '../../../read-model/fleet.ts'
import { drawAside } from './aside.ts'
import { type Camera, latOf, lngOf, placeThen, screenX, screenY, viewOf } from './camera.ts'
import { createDeckFrames } from './deck-frames.ts'
import type { DrawingPace } from './drawing-pace.ts'
import { createFleetPoints } from './fleet-points.ts'
import { type Hit, hitAt } from './hits.ts'
import { type Icon, iconsOf, type MapText } from './icons.ts'
import { type Box, holds } from './labels.ts'
import { layersOf } from './layers.ts'
import { type Motion, placeOf, progressOf } from './motion.ts'
import { type Label, labelsOf } from './name-labels.ts'
import { bytesOf, type Palette, SEVERITY_TONES } from './palette.ts'
import { packedRgb } from './points.ts'
import { buildScene, hitTest, isCrowded, type Scene } from './scene.ts'
import { createSprites, type Sprites } from './sprites.ts'

export type FleetLayer = {
  /** The map looks elsewhere. */
  look(camera: Camera): void
  /** It begins or ends to move. */
  setMoving(isMoving: boolean): void
  /** 1 for rows to show; all where undefined */
  setMask(mask: Uint8Array | undefined): void
  select(imei: string | null): void
  /** of the selected device; undefined: not known */
  setWay(way: Omit<Way, 'scheme'> | undefined): void
  /** Draws every picture anew: the theme is another, or the font has come. */
  tone(palette: Palette, scheme: Scheme): void
  /** What is drawn at a point of the map, px. */
  hit(x: number, y: number, slack?: number): Hit | undefined
  /** Looks at all anew: the link is lost. */
  refresh(): void
  stop(): void
}

export type FleetLayerDeps = {
  map: MapLibre
  overlay: MapLibreOverlay
  device: Device
  fleet: Fleet
  pace: DrawingPace
  /** real ms that a span of the server's clock takes */
  realMs(span: number): number
  prefersLessMotion(): boolean
  /** whether the selected device has a card beside it */
  hasCard(): boolean
  /** boxes of the map that something lies on, px: nothing is written there */
  covered(): readonly Box[]
  /** whether the link is lost */
  isStale(): boolean
  /** where the selected device is drawn, null where it is out of sight */
  onSelectedAt(at: { x: number; y: number } | null): void
  /** what was drawn is on the screen */
  onDrawn(texts: readonly MapText[], marks: number): void
}

/** Between two drawings while the map rests, ms: with a card, and without, where the page waits while all is drawn anew. */
const REST_MS = 500
const REST_MS_SOFTWARE = 1000
/** With a card behind it, what glides is drawn as often as a step of one px asks for, but no more often than this. */
const GLIDE_MS = 50
/** While the map moves, circles and names are put in order again after so long, ms. */
const MOVING_MS = 250

const NO_CLUSTERS = { length: 0, singles: new Uint32Array() } as Clusters
const NO_SCENE: Scene = { marks: [], wrong: [], pxPerSecond: 0 }

/**
 * The fleet on the map, in the map's own context. While nothing changes it draws nothing; what changes at rest is gathered
 * for half a second or one, and while the map moves its own frames draw what is there already.
 */
export function createFleetLayer(deps: FleetLayerDeps): FleetLayer {
  const { map, overlay, fleet, pace } = deps
  const points = createFleetPoints()
  const frames = createDeckFrames()
  const onlyWhenAsked = { animationFrameProvider: frames.animationFrameProvider } as object
  const ratio = devicePixelRatio || 1
  const sprites: Sprites = createSprites(deps.device, ratio)
  let camera: Camera | undefined
  /** where the map looked when its marks were put in order: they lie on the land, and go with it */
  let drawn: Camera | undefined
  let mask: Uint8Array | undefined
  let palette: Palette | undefined
  let scheme: Scheme = 'light'
  let colours: number[] = []
  let halo: [number, number, number] = [1, 1, 1]
  let selected: string | null = null
  let way: Way | undefined
  let clusters = NO_CLUSTERS
  let boxKey = ''
  let isStale = true
  let isMoving = false
  let labels: Label[] = []
  let icons: Icon[] = []
  let scene = NO_SCENE
  let drawnAt = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let frame = 0
  let isFirst = true
  let isOver = false
  let isNew = false

  const aside = drawAside(map, () => onShown())
  const motionNow = (now: number): Motion => ({
    now,
    perMs: deps.realMs(1000) / 1000,
    isStill: deps.prefersLessMotion(),
  })
  const selectedRow = (): number => (selected === null ? -1 : fleet.names.rowOf(selected))

  function draw(): void {
    if (camera === undefined || palette === undefined || camera.width === 0) return
    const now = performance.now()
    const motion = motionNow(now)
    const box = clusterBox(viewOf(camera))
    const isElsewhere = box.key !== boxKey
    if (isStale || isElsewhere) {
      clusters = fleet.columns.size === 0 ? NO_CLUSTERS : clusterFleet(fleet, box, mask)
      boxKey = box.key
    }
    if (isStale || isElsewhere || scene.pxPerSecond > 0)
      points.feed({
        columns: fleet.columns,
        mask,
        motion,
        colours,
        singles: clusters.singles,
        isCrowded: isCrowded(clusters),
      })
    isStale = false
    drawn = camera
    const row = selectedRow()
    const covered = deps.covered()
    scene = buildScene({
      columns: fleet.columns,
      clusters,
      camera,
      motion,
      troubleRows: points.troubleRows,
      selectedRow: row,
      covered,
    })
    labels = labelsOf({
      marks: scene.marks,
      wrong: scene.wrong,
      fleet,
      palette,
      scheme,
      width: camera.width,
      height: camera.height,
      covered,
      hasCard: deps.hasCard(),
      isStale: deps.isStale(),
    })
    icons = iconsOf({ scene, labels, sprites, palette, camera, ratio, kinds: fleet.columns.kind })
    overlay.setProps({
      layers: layersOf({ points, way: way && shownWay(way), icons, sprites, ratio, halo, pace }),
      ...onlyWhenAsked,
    })
    frames.run()
    map.triggerRepaint()
    drawnAt = now
    isNew = true
    tellSelected()
    if (scene.pxPerSecond > 0) later(glidePause())
  }

  /** Up to where the device is drawn now. */
  function shownWay({ points: told, band }: Way): Way {
    const row = selectedRow()
    const last = told.at(-1)
    if (row < 0 || last === undefined) return { points: [], band, scheme }
    const { columns } = fleet
    const { x, y } = placeOf(columns, row, progressOf(columns, row, motionNow(performance.now())))
    if (Number.isNaN(x)) return { points: told, band, scheme }
    return { points: [...told, { ...last, lng: lngOf(x), lat: latOf(y) }], band, scheme }
  }

  /** The card goes along with the map in each frame. */
  function tellSelected(): void {
    const row = selectedRow()
    if (camera === undefined || row < 0 || Number.isNaN(fleet.columns.x[row] as number)) {
      deps.onSelectedAt(null)
      return
    }
    const { columns } = fleet
    const place = placeOf(columns, row, progressOf(columns, row, motionNow(performance.now())))
    const at = { x: screenX(camera, place.x), y: screenY(camera, place.y) }
    const isInSight = at.x > -40 && at.y > -40 && at.x < camera.width + 40 && at.y < camera.height + 40
    deps.onSelectedAt(isInSight ? at : null)
  }

  function onRender(): void {
    pace.onFrame(performance.now())
    if (!aside.isBusy) onShown()
    // Shaders that were not ready are drawn with in the next frame.
    frames.run()
  }

  function onShown(): void {
    if (!isNew) return
    isNew = false
    const texts = icons.flatMap((icon) => icon.texts)
    requestAnimationFrame(() => {
      if (isOver) return
      deps.onDrawn(texts, scene.marks.length)
      if (!isFirst || fleet.columns.size === 0) return
      isFirst = false
      performance.mark('frostline:first-markers')
      markLand()
    })
  }

  /** Marks the first frame that has the fleet and every tile of the land below it. */
  function markLand(): void {
    if (isOver) return
    if (map.loaded()) performance.mark('frostline:land')
    else map.once('render', markLand)
  }

  /** Draws in `pause` ms after the last drawing, once however often it is asked for; the sooner wish counts. */
  let due = Number.POSITIVE_INFINITY
  function later(pause: number): void {
    const at = Math.max(performance.now(), drawnAt + pause)
    if (at >= due) return
    due = at
    clearTimeout(timer)
    timer = setTimeout(pause > 0 ? onNews : onFrame, at - performance.now())
  }

  /** News may wait for somebody who types; what the visitor did to the map may not. */
  function onNews(): void {
    due = Number.POSITIVE_INFINITY
    const asked = performance.now()
    fleet.nextFrame(() => {
      if (!isOver && drawnAt < asked) draw()
    })
  }

  function onFrame(): void {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(() => {
      due = Number.POSITIVE_INFINITY
      if (!isOver) draw()
    })
  }

  const restPause = (): number => (pace.drawing === 'gpu' ? REST_MS : REST_MS_SOFTWARE)
  const glidePause = (): number =>
    pace.drawing === 'gpu' ? Math.max(GLIDE_MS, Math.min(restPause(), 1000 / scene.pxPerSecond)) : restPause()

  const unsubscribe = fleet.subscribe(() => {
    isStale = true
    later(isFirst ? 0 : restPause())
  })
  map.on('render', onRender)
  aside.set(pace.drawing === 'software')

  function anew(): void {
    isStale = true
    later(0)
  }

  return {
    look(next) {
      const isOther = camera?.width !== next.width || camera.height !== next.height
      camera = next
      tellSelected()
      later(isOther ? 0 : MOVING_MS)
    },
    setMoving(next) {
      if (next === isMoving) return
      isMoving = next
      pace.setMoving(next)
      aside.set(!next && pace.drawing === 'software')
      // Names and circles where they belong, on whole px, and every point.
      if (!next) later(0)
    },
    setMask(next) {
      mask = next
      anew()
    },
    select(imei) {
      selected = imei
      later(0)
    },
    setWay(next) {
      way = next && { ...next, scheme }
      later(0)
    },
    tone(nextPalette, nextScheme) {
      palette = nextPalette
      scheme = nextScheme
      if (way) way = { ...way, scheme }
      sprites.clear()
      colours = SEVERITY_TONES.map(({ ink }) => packedRgb(...bytesOf(nextPalette[ink])))
      const [red, green, blue] = bytesOf(nextPalette.surface)
      halo = [red / 255, green / 255, blue / 255]
      anew()
    },
    hit(x, y, slack = 2) {
      if (camera === undefined || drawn === undefined) return undefined
      const then = placeThen({ x, y }, camera, drawn)
      const mark = hitTest(scene.marks, then.x, then.y, slack)
      if (mark?.kind === 'device') return mark
      const label = labels.find(({ box }) => holds(box, then.x, then.y))
      if (label) return label.mark
      const at = { columns: fleet.columns, mask, camera, x, y, slack }
      // What is wrong lies above the circles.
      const wrong = hitAt({ ...at, rows: points.troubleRows })
      return wrong?.kind === 'device' ? wrong : (mark ?? hitAt(at))
    },
    refresh: anew,
    stop() {
      isOver = true
      unsubscribe()
      map.off('render', onRender)
      aside.stop()
      clearTimeout(timer)
      cancelAnimationFrame(frame)
      sprites.destroy()
    },
  }
}
