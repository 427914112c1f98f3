import type { Layer as Deck } from '@deck.gl/core'
import type { MapLibreOverlay } from '@deck.gl/maplibre'
import type { Device } from '@luma.gl/core'
import type { Map as MapLibre } from 'maplibre-gl'
import type { Scheme } from '../../../format/temperature-colour.ts'
import type { DrawWay } from '../../../map/way-layers.ts'
import { type Clusters, clusterBox, clusterFleet } from '../../../read-model/clusters.ts'
import type { Fleet } from '../../../read-model/fleet.ts'
import { latOf, lngOf } from '../../../read-model/mercator.ts'
import { type Aside, drawAside } from './aside.ts'
import type { Badges } from './badges.ts'
import { type Camera, placeThen, screenX, screenY, viewOf } from './camera.ts'
import { createDeckFrames, type DeckFrames } from './deck-frames.ts'
import type { DrawingPace } from './drawing-pace.ts'
import { createFleetPoints, type FleetPoints } from './fleet-points.ts'
import { type Hit, hitAt } from './hits.ts'
import { type Icon, iconsOf, type MapText } from './icons.ts'
import { type Box, holds } from './labels.ts'
import { layersOf } from './layers.ts'
import { type Motion, placeOf, progressOf } from './motion.ts'
import { type Label, labelsOf } from './name-labels.ts'
import { bytesOf, type Palette, SEVERITY_TONES } from './palette.ts'
import { packedRgb } from './points.ts'
import { buildScene, hitTest, isCrowded, type Ring, type Rings, type Scene } from './scene.ts'
import { createSprites, type Sprites, screenRatio } from './sprites.ts'

export type FleetLayer = {
  /** The map looks elsewhere. */
  look(camera: Camera): void
  /** It begins or ends to move. */
  setMoving(isMoving: boolean): void
  /** 1 for rows to show; all where undefined */
  setMask(mask: Uint8Array | undefined): void
  select(imei: string | null): void
  /** who has what is open */
  setBadges(badges: Badges): void
  /** whose load somebody must look at */
  setRings(rings: Rings): void
  /** draws that of the selected device; undefined: not known */
  setWay(way: DrawWay | undefined): void
  /** Draws every picture anew: the theme is another, or the font has come. */
  tone(palette: Palette, scheme: Scheme): void
  /** What is drawn at a point of the map, px; undefined: not known before it is drawn anew. */
  hit(x: number, y: number, slack?: number): Hit | 'land' | undefined
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
  isLinkLost(): boolean
  /** where the selected device is drawn, null where it is out of sight */
  onSelectedAt(at: { x: number; y: number } | null): void
  /** what was drawn is on the screen */
  onDrawn(texts: readonly MapText[], marks: number): void
}

/** Land that has not come by then, ms after the first points, is not waited for. */
const LAND_MS = 5000
/** Between two drawings while the map rests, ms: with a card, and without, where the page waits while all is drawn anew: a reading is seen within a second. */
const REST_MS = 500
const REST_MS_SOFTWARE = 900
/** With a card behind it, what glides is drawn as often as a step of one px asks for, but no more often than this. */
const GLIDE_MS = 50
/** While the map moves, circles and names are put in order again after so long, ms. */
const MOVING_MS = 250

const NO_CLUSTERS = { length: 0, singles: new Uint32Array() } as Clusters
const NO_SCENE: Scene = { marks: [], wrong: [], pxPerSecond: 0 }

/** What is shown and how, where the map looks, and what was drawn last. */
type Layer = FleetLayerDeps & {
  readonly points: FleetPoints
  readonly frames: DeckFrames
  sprites: Sprites
  readonly aside: Aside
  camera: Camera | undefined
  mask: Uint8Array | undefined
  palette: Palette | undefined
  scheme: Scheme
  colours: number[]
  halo: [number, number, number]
  selected: string | null
  badges: Badges | undefined
  rings: Rings | undefined
  way: DrawWay | undefined
  isMoving: boolean
  /** the fleet, or what is shown of it, is other than drawn */
  isStale: boolean
  /** where the map looked when its marks were put in order: they lie on the land, and go with it */
  drawn: Camera | undefined
  /** of the fleet when it was drawn: rows of another are other devices */
  structure: number
  clusters: Clusters
  boxKey: string
  scene: Scene
  labels: Label[]
  icons: Icon[]
  drawnAt: number
  /** the map has not drawn it yet; it has, and that is not on the screen yet */
  isNew: boolean
  isDrawn: boolean
  /** the map has drawn the fleet on all of the land that is in sight */
  isOnLand: boolean
  /** nothing of the fleet was on the screen yet; not on the land below it */
  isFirst: boolean
  isLandless: boolean
  isOver: boolean
  /** when it is drawn next; infinite: not before something changes */
  due: number
  timer: ReturnType<typeof setTimeout> | undefined
  frame: number
}

/**
 * The fleet on the map, in the map's own context. While nothing changes it draws nothing; what changes at rest is gathered
 * for half a second or one, and while the map moves its own frames draw what is there already.
 */
export function createFleetLayer(deps: FleetLayerDeps): FleetLayer {
  const layer: Layer = {
    ...deps,
    points: createFleetPoints(),
    frames: createDeckFrames(),
    sprites: createSprites(deps.device),
    aside: drawAside(deps.map, () => onShown(layer)),
    camera: undefined,
    mask: undefined,
    palette: undefined,
    scheme: 'light',
    colours: [],
    halo: [1, 1, 1],
    selected: null,
    badges: undefined,
    rings: undefined,
    way: undefined,
    isMoving: false,
    isStale: true,
    drawn: undefined,
    structure: 0,
    clusters: NO_CLUSTERS,
    boxKey: '',
    scene: NO_SCENE,
    labels: [],
    icons: [],
    drawnAt: 0,
    isNew: false,
    isDrawn: false,
    isOnLand: false,
    isFirst: true,
    isLandless: true,
    isOver: false,
    due: Number.POSITIVE_INFINITY,
    timer: undefined,
    frame: 0,
  }
  const { map, fleet, aside } = layer
  const onFrame = (): void => onRender(layer)
  const unsubscribe = fleet.subscribe(() => {
    layer.isStale = true
    drawLater(layer, layer.isFirst ? 0 : restPause(layer))
  })
  map.on('render', onFrame)
  aside.set(isAsideAtRest(layer))

  return {
    look: (camera) => look(layer, camera),
    setMoving: (isMoving) => setMoving(layer, isMoving),
    setMask(mask) {
      layer.mask = mask
      drawAnew(layer)
    },
    select(imei) {
      layer.selected = imei
      drawLater(layer, 0)
    },
    setBadges(badges) {
      layer.badges = badges
      drawLater(layer, restPause(layer))
    },
    setRings(rings) {
      layer.rings = rings
      drawLater(layer, restPause(layer))
    },
    setWay(way) {
      layer.way = way
      drawLater(layer, 0)
    },
    tone: (palette, scheme) => tone(layer, palette, scheme),
    hit: (x, y, slack = 2) => hit(layer, x, y, slack),
    refresh: () => drawAnew(layer),
    stop() {
      layer.isOver = true
      unsubscribe()
      map.off('render', onFrame)
      aside.stop()
      clearTimeout(layer.timer)
      cancelAnimationFrame(layer.frame)
      layer.sprites.destroy()
    },
  }
}

function look(layer: Layer, camera: Camera): void {
  const isOther = layer.camera?.width !== camera.width || layer.camera.height !== camera.height
  layer.camera = camera
  emitSelected(layer)
  drawLater(layer, isOther ? 0 : MOVING_MS)
}

function setMoving(layer: Layer, isMoving: boolean): void {
  if (isMoving === layer.isMoving) return
  layer.isMoving = isMoving
  layer.pace.setMoving(isMoving)
  layer.aside.set(!isMoving && isAsideAtRest(layer))
  // Names and circles where they belong, on whole px, and every point.
  if (!isMoving) drawLater(layer, 0)
}

function tone(layer: Layer, palette: Palette, scheme: Scheme): void {
  layer.palette = palette
  layer.scheme = scheme
  layer.sprites.clear()
  layer.colours = SEVERITY_TONES.map(({ ink }) => packedRgb(...bytesOf(palette[ink])))
  const [red, green, blue] = bytesOf(palette.surface)
  layer.halo = [red / 255, green / 255, blue / 255]
  drawAnew(layer)
}

function hit(layer: Layer, x: number, y: number, slack: number): Hit | 'land' | undefined {
  const { camera, drawn, fleet, labels, mask, points, scene } = layer
  if (camera === undefined || drawn === undefined || layer.structure !== fleet.structure) return undefined
  const then = placeThen({ x, y }, camera, drawn)
  const mark = hitTest(scene.marks, then.x, then.y, slack)
  if (mark?.kind === 'device') return mark
  const label = labels.find(({ box }) => holds(box, then.x, then.y))
  if (label) return label.mark
  const motion = motionAt(layer, layer.drawnAt)
  const at = { columns: fleet.columns, mask, motion, camera, x, y, slack }
  // What is wrong lies above the circles.
  const wrong = hitAt({ ...at, rows: points.troubleRows })
  return wrong?.kind === 'device' ? wrong : (mark ?? hitAt(at) ?? 'land')
}

/** Puts all in order as it is now, and has the map draw it. */
function draw(layer: Layer): void {
  const { camera, covered, fleet, frames, map, palette } = layer
  if (camera === undefined || palette === undefined || camera.width === 0) return
  if (layer.sprites.ratio !== screenRatio()) {
    layer.sprites.destroy()
    layer.sprites = createSprites(layer.device)
  }
  const now = performance.now()
  const motion = motionAt(layer, now)
  gather(layer, camera, motion)
  layer.drawn = camera
  layer.structure = fleet.structure
  const selectedRow = rowOfSelected(layer)
  const boxes = covered()
  layer.scene = buildScene({
    columns: fleet.columns,
    clusters: layer.clusters,
    camera,
    motion,
    troubleRows: layer.points.troubleRows,
    selectedRow,
    rings: ringedRows(layer),
    covered: boxes,
  })
  layer.labels = labelsOf({
    marks: layer.scene.marks,
    wrong: layer.scene.wrong,
    fleet,
    palette,
    scheme: layer.scheme,
    width: camera.width,
    height: camera.height,
    covered: boxes,
    hasCard: layer.hasCard(),
    isStale: layer.isLinkLost(),
  })
  layer.icons = iconsOf({
    scene: layer.scene,
    labels: layer.labels,
    sprites: layer.sprites,
    palette,
    camera,
    kinds: fleet.columns.kind,
    badges: layer.badges,
    rings: layer.rings,
    imeiOf: (row) => fleet.names.of(row, 'imei'),
  })
  handOver(layer)
  frames.run()
  map.triggerRepaint()
  layer.drawnAt = now
  layer.isNew = true
  emitSelected(layer)
  if (isGliding(layer)) drawLater(layer, glidePause(layer))
}

/** Circles and points as the fleet is now, where it or the part of the land in sight is another. */
function gather(layer: Layer, camera: Camera, motion: Motion): void {
  const { fleet, mask, pace, points, colours } = layer
  const box = clusterBox(viewOf(camera))
  const isOther = layer.isStale || box.key !== layer.boxKey
  if (isOther) {
    layer.clusters = fleet.columns.size === 0 ? NO_CLUSTERS : clusterFleet(fleet, box, mask)
    layer.boxKey = box.key
  }
  if (isOther || isGliding(layer))
    points.feed({
      columns: fleet.columns,
      mask,
      motion,
      colours,
      singles: layer.clusters.singles,
      isCrowded: isCrowded(layer.clusters),
      zoom: box.zoom,
      isEach: pace.drawing === 'gpu',
    })
  layer.isStale = false
}

function handOver(layer: Layer): void {
  const { frames, halo, icons, overlay, pace, points, sprites } = layer
  const onlyWhenRequested = { animationFrameProvider: frames.animationFrameProvider } as object
  overlay.setProps({
    layers: layersOf({ points, way: wayLayers(layer), icons, sprites, halo, pace }),
    ...onlyWhenRequested,
  })
}

/** What plays is on the screen sooner where the page waits for it, and has little else to do. */
const isAsideAtRest = ({ fleet, pace }: Layer): boolean =>
  pace.drawing === 'software' && fleet.drawEvery === undefined

/** Something that can be seen was on its way when it was drawn last. */
const isGliding = ({ points, scene }: Layer): boolean => scene.pxPerSecond > 0 || points.isOnTheWay

const motionAt = ({ realMs, prefersLessMotion }: Layer, now: number): Motion => ({
  now,
  perMs: realMs(1000) / 1000,
  isStill: prefersLessMotion(),
})

/** By row, of those shown. */
function ringedRows({ fleet, mask, rings }: Layer): ReadonlyMap<number, Ring> {
  const rows = new Map<number, Ring>()
  for (const [deviceNo, ring] of rings?.of ?? []) {
    const row = fleet.rowOf(deviceNo)
    if (row >= 0 && mask?.[row] !== 0) rows.set(row, ring)
  }
  return rows
}

const rowOfSelected = ({ fleet, selected }: Layer): number =>
  selected === null ? -1 : fleet.names.rowOf(selected)

/** The way of the selected device up to where that is drawn now. */
function wayLayers(layer: Layer): Deck[] {
  const { scheme, way } = layer
  const { columns } = layer.fleet
  const row = rowOfSelected(layer)
  if (row < 0 || way === undefined) return []
  const { x, y } = placeOf(columns, row, progressOf(columns, row, motionAt(layer, performance.now())))
  return way(
    scheme,
    Number.isNaN(x) ? undefined : { at: columns.at[row] as number, lng: lngOf(x), lat: latOf(y) },
  )
}

/** The card goes along with the map in each frame. */
function emitSelected(layer: Layer): void {
  const { camera, onSelectedAt } = layer
  const { columns } = layer.fleet
  const row = rowOfSelected(layer)
  if (camera === undefined || row < 0 || Number.isNaN(columns.x[row] as number)) {
    onSelectedAt(null)
    return
  }
  const place = placeOf(columns, row, progressOf(columns, row, motionAt(layer, performance.now())))
  const at = { x: screenX(camera, place.x), y: screenY(camera, place.y) }
  const isInSight = at.x > -40 && at.y > -40 && at.x < camera.width + 40 && at.y < camera.height + 40
  onSelectedAt(isInSight ? at : null)
}

/** The map has drawn a frame. */
function onRender(layer: Layer): void {
  layer.pace.onFrame(performance.now())
  if (layer.isNew) layer.isDrawn = true
  layer.isNew = false
  // each tile is looked at: not in every frame for ever
  if (layer.isLandless) layer.isOnLand = layer.map.loaded()
  if (!layer.aside.isBusy) onShown(layer)
  // Shaders that were not ready are drawn with in the next frame.
  layer.frames.run()
}

/** What was drawn comes to the screen with the next frame of the page. */
function onShown(layer: Layer): void {
  const { isDrawn, isOnLand, icons } = layer
  if (!isDrawn && !(isOnLand && layer.isLandless)) return
  layer.isDrawn = false
  const texts = icons.flatMap((icon) => icon.texts)
  requestAnimationFrame(() => {
    if (layer.isOver) return
    if (isDrawn) layer.onDrawn(texts, layer.scene.marks.length)
    if (layer.fleet.columns.size > 0) markFirst(layer, isOnLand)
  })
}

/** Marks the first frame that has the fleet, and the first one that has every tile of the land below it. */
function markFirst(layer: Layer, isOnLand: boolean): void {
  if (layer.isFirst) {
    layer.isFirst = false
    performance.mark('frostline:first-markers')
    setTimeout(() => drawAll(layer), LAND_MS)
  }
  if (!isOnLand || !layer.isLandless) return
  layer.isLandless = false
  performance.mark('frostline:land')
  drawAll(layer)
}

/** From now on every point is drawn while the map rests. */
function drawAll(layer: Layer): void {
  if (layer.isOver) return
  layer.pace.landIsThere()
  drawLater(layer, 0)
}

function drawAnew(layer: Layer): void {
  layer.isStale = true
  drawLater(layer, 0)
}

/** Draws `pause` ms after the last drawing, once however often it is asked for; the sooner wish counts. */
function drawLater(layer: Layer, pause: number): void {
  const at = Math.max(performance.now(), layer.drawnAt + pause)
  if (at >= layer.due) return
  layer.due = at
  clearTimeout(layer.timer)
  const go = pause > 0 ? drawNews : drawFrame
  layer.timer = setTimeout(() => go(layer), at - performance.now())
}

/** News may wait for somebody who types; what the visitor did to the map may not. */
function drawNews(layer: Layer): void {
  layer.due = Number.POSITIVE_INFINITY
  const startedAt = performance.now()
  layer.fleet.nextFrame(() => {
    if (!layer.isOver && layer.drawnAt < startedAt) draw(layer)
  })
}

function drawFrame(layer: Layer): void {
  cancelAnimationFrame(layer.frame)
  layer.frame = requestAnimationFrame(() => {
    layer.due = Number.POSITIVE_INFINITY
    if (!layer.isOver) draw(layer)
  })
}

const restPause = ({ fleet, pace }: Layer): number =>
  fleet.drawEvery ?? (pace.drawing === 'gpu' ? REST_MS : REST_MS_SOFTWARE)

const glidePause = (layer: Layer): number =>
  layer.pace.drawing === 'gpu'
    ? Math.max(GLIDE_MS, Math.min(restPause(layer), 1000 / layer.scene.pxPerSecond))
    : restPause(layer)
