import type { MapLibreOverlay } from '@deck.gl/maplibre'
import type { Device } from '@luma.gl/core'
import type { Map as MapLibre } from 'maplibre-gl'
import type { DashboardEvent } from '#machines/dashboard/dashboard.machine.ts'
import type { Scheme } from '../../../format/temperature-colour.ts'
import type { DrawWay } from '../../../map/way-layers.ts'
import { asNearAsLand, ZOOM } from '../../../map/zooms.ts'
import type { Fleet } from '../../../read-model/fleet.ts'
import { unitX, unitY } from '../../../read-model/mercator.ts'
import type { Badges } from './badges.ts'
import { type Bounds, boundsOf, liesWithin, type Padding } from './bounds.ts'
import { type Camera, CENTRE } from './camera.ts'
import { createDrawingPace, type DrawingFigures, forcedDrawing } from './drawing-pace.ts'
import type { createFleetLayer, FleetLayer } from './fleet-layer.ts'
import { createFlights, type Fitting, type Flights, isOnePlace } from './flights.ts'
import type { MapText } from './icons.ts'
import { type Members, membersOf } from './members.ts'
import { readPalette } from './palette.ts'
import { createPresses, type Presses } from './presses.ts'
import type { Rings } from './scene.ts'

/**
 * Devices that stand so close together that no zoom parts them, and where that is on screen, px. `covered`: px at the lower edge of
 * the map that something lies on
 */
export type OnePlace = { imeis: string[]; x: number; y: number; covered: number }

export type MapControllerDeps = {
  fleet: Fleet
  /** where it looks at first; the documents' centre where left out */
  opensAt: Camera | undefined
  realMs(span: number): number
  send(event: DashboardEvent): void
  openHistory(imei: string): void
  /** null: the map moved on */
  onOnePlace(place: OnePlace | null): void
  /** where the selected device is drawn, px; null where it is out of sight */
  onSelectedAt(place: { x: number; y: number } | null): void
  prefersLessMotion(): boolean
  /** whether the selected device has a card beside it */
  hasCard(): boolean
  /** `refresh` when that changes */
  isLinkLost(): boolean
}

export type Attached = {
  map: MapLibre
  overlay: MapLibreOverlay
  device: Device
  /** comes with the map's bundle */
  createLayer: typeof createFleetLayer
  room: MapRoom
}

/** The element the map is in tells those who test and measure what is drawn on it: no reader can ask the GPU. */
export type MapRoom = HTMLElement & { drawnTexts?: readonly MapText[] }

/** The map and the fleet on it, as one thing that looks somewhere. Lives outside React; the land below may come later. */
export type MapController = {
  /** Where to open again: where it looks, once it looked at the fleet or somebody took it in hand. */
  readonly leftAt: Camera | undefined
  /** Where the map opens in a room of so many px: on the fleet, where that is known already. */
  opening(width: number, height: number): Camera | Fitting
  /** The map is there, with what draws on it: answers how to let go of it. */
  attach(given: Attached): () => void
  look(camera: Camera): void
  /** It begins or ends to move, by the visitor's hand or by itself. */
  setMoving(isMoving: boolean, isByHand: boolean): void
  setMask(mask: Uint8Array | undefined): void
  select(imei: string | null, isFollowed: boolean): void
  /** who has what is open */
  setBadges(badges: Badges): void
  /** whose load somebody must look at */
  setRings(rings: Rings): void
  /** draws that of the selected device; undefined: not known */
  setWay(way: DrawWay | undefined): void
  tone(scheme: Scheme): void
  /** paints anew */
  refresh(): void
  /** px at the lower edge that are covered, and so not the middle of what is seen */
  cover(bottom: number): void
  fly(imei: string): void
  reset(): void
  /** Shows all that is shown: what groups, devices and status picked leave. */
  fitShown(): void
  /** Shows all that is shown, where some of it has left the map. */
  keepShown(): void
  /** How the map is drawn; undefined before it is. */
  figures(): DrawingFigures | undefined
  zoomBy(steps: number): void
  /** the visitor moved the map to another place */
  taken(): void
  press(x: number, y: number, slack: number): void
  /** answers whether a device was opened */
  doublePress(): boolean
  /** the pointer is there: it shows whether a press would do something */
  hover(x: number, y: number): void
}

const OPENED: Camera = {
  x: unitX(CENTRE.lng),
  y: unitY(CENTRE.lat),
  zoom: ZOOM.opened,
  width: 0,
  height: 0,
}

/** Where the map looks and what is shown on it, with the map and what draws on it once they are there. */
type State = MapControllerDeps & {
  readonly flights: Flights
  camera: Camera
  map: MapLibre | undefined
  layer: FleetLayer | undefined
  figures: (() => DrawingFigures) | undefined
  mask: Uint8Array | undefined
  selected: string | null
  isFollowed: boolean
  /** the selected device, on the map as it was moved or drawn last */
  isOutOfSight: boolean
  badges: Badges | undefined
  rings: Rings | undefined
  way: DrawWay | undefined
  scheme: Scheme
  /** it looked at the fleet once, or where the visitor left it */
  isFitted: boolean
  /** where to go as soon as there is a map */
  wish: (() => void) | undefined
}

export function createMapController(deps: MapControllerDeps): MapController {
  const flights = createFlights({
    camera: () => state.camera,
    map: () => state.map,
    prefersLessMotion: deps.prefersLessMotion,
  })
  const state: State = {
    ...deps,
    flights,
    camera: deps.opensAt ?? OPENED,
    map: undefined,
    layer: undefined,
    figures: undefined,
    mask: undefined,
    selected: null,
    isFollowed: false,
    isOutOfSight: false,
    badges: undefined,
    rings: undefined,
    way: undefined,
    scheme: 'light',
    isFitted: deps.opensAt !== undefined,
    wish: undefined,
  }
  const presses = createPresses({
    select: (imei) => deps.send({ type: 'device.select', imei }),
    open: deps.openHistory,
    letGo: () => deps.send({ type: 'selection.clear' }),
    now: () => performance.now(),
  })

  return {
    get leftAt() {
      return state.isFitted ? state.camera : undefined
    },
    opening: (width, height) => opening(state, width, height),
    attach: (given) => attach(state, given),
    look(camera) {
      deps.onOnePlace(null)
      state.camera = camera
      state.layer?.look(camera)
    },
    setMoving(isMoving, isByHand) {
      // who wheels or taps away from the device is not brought back to it
      if (!isMoving && isByHand && state.isFollowed && state.isOutOfSight) taken(state)
      state.layer?.setMoving(isMoving)
    },
    setMask(mask) {
      state.mask = mask
      state.layer?.setMask(mask)
    },
    select(imei, follows) {
      state.isFollowed = follows
      if (imei === state.selected) return
      state.selected = imei
      state.layer?.select(imei)
    },
    setBadges(badges) {
      state.badges = badges
      state.layer?.setBadges(badges)
    },
    setRings(rings) {
      state.rings = rings
      state.layer?.setRings(rings)
    },
    setWay(way) {
      state.way = way
      state.layer?.setWay(way)
    },
    tone(scheme) {
      state.scheme = scheme
      state.layer?.tone(readPalette(document.body), scheme)
    },
    refresh: () => state.layer?.refresh(),
    cover(bottom) {
      flights.covered = bottom
    },
    fly(imei) {
      // selected elsewhere meanwhile, it is not let go of for a press on the land before that
      presses.onOther()
      whenThere(state, () => flyTo(state, imei))
    },
    reset: () => whenThere(state, () => showAll(state, ZOOM.reset, false)),
    fitShown: () => whenThere(state, () => fitShown(state)),
    keepShown: () => keepShown(state),
    figures: () => state.figures?.(),
    zoomBy: flights.zoomBy,
    taken: () => taken(state),
    press: (x, y, slack) => press(state, presses, state.layer?.hit(x, y, slack)),
    doublePress: presses.onDouble,
    hover(x, y) {
      const isMet = typeof state.layer?.hit(x, y) === 'object'
      if (state.map) state.map.getCanvas().style.cursor = isMet ? 'pointer' : ''
    },
  }
}

function opening(state: State, width: number, height: number): Camera | Fitting {
  state.camera = { ...state.camera, width, height }
  const bounds = state.isFitted ? undefined : outOfView(state, ZOOM.opened)
  return bounds ? state.flights.fitting(bounds, ZOOM.selected) : state.camera
}

function attach(state: State, { map, overlay, device, createLayer, room }: Attached): () => void {
  const { fleet, flights } = state
  const pace = createDrawingPace(device.info.renderer, forcedDrawing(location.search))
  const layer = createLayer({
    map,
    overlay,
    device,
    fleet,
    pace,
    realMs: state.realMs,
    prefersLessMotion: state.prefersLessMotion,
    hasCard: state.hasCard,
    covered: flights.overIt,
    isLinkLost: state.isLinkLost,
    onSelectedAt: (at) => follow(state, at),
    onDrawn(texts, marks) {
      room.drawnTexts = texts
      room.dataset.marks = String(marks)
      room.dataset.zoom = String(state.camera.zoom)
      room.dispatchEvent(new Event('fleet-drawn'))
    },
  })
  state.map = map
  state.layer = layer
  state.figures = () => pace.figures(performance.now())
  layer.setMask(state.mask)
  layer.select(state.selected)
  if (state.badges) layer.setBadges(state.badges)
  if (state.rings) layer.setRings(state.rings)
  layer.setWay(state.way)
  layer.tone(readPalette(document.body), state.scheme)
  openOnFleet(state)
  state.wish?.()
  state.wish = undefined
  layer.look(state.camera)
  const unsubscribe = fleet.subscribe(() => openOnFleet(state))
  return () => {
    unsubscribe()
    layer.stop()
    state.layer = undefined
    state.map = undefined
    state.figures = undefined
  }
}

function taken(state: State): void {
  state.isFitted = true
  state.send({ type: 'map.moved' })
}

/** The card goes where the selected device is drawn, and the map goes along where that is asked for. */
function follow(state: State, at: { x: number; y: number } | null): void {
  state.onSelectedAt(at)
  state.isOutOfSight = at === null
  const place = state.isFollowed && state.selected !== null ? placeOf(state, state.selected) : undefined
  if (place) state.flights.keepInSight(place, at)
}

function placeOf({ fleet }: State, imei: string): { x: number; y: number } | undefined {
  const row = fleet.names.rowOf(imei)
  const x = fleet.columns.x[row]
  return row < 0 || x === undefined || Number.isNaN(x) ? undefined : { x, y: fleet.columns.y[row] as number }
}

function whenThere(state: State, go: () => void): void {
  if (state.map === undefined) state.wish = go
  else go()
}

function flyTo(state: State, imei: string): void {
  const place = placeOf(state, imei)
  // Who looks from nearer stays near.
  if (place) state.flights.goTo(place, Math.max(asNearAsLand(ZOOM.selected), state.camera.zoom))
}

function fitShown({ fleet, flights, mask }: State): void {
  const bounds = boundsOf(fleet.columns, mask)
  if (bounds !== undefined) flights.fit(bounds, { zoom: ZOOM.selected })
}

/** On the documents' centre at one of their zooms where all that is shown lies in that view, else on its bounds. */
function showAll(state: State, zoom: number, isAtOnce: boolean): void {
  const bounds = outOfView(state, zoom)
  if (bounds === undefined) state.flights.goTo(OPENED, zoom, isAtOnce)
  else state.flights.fit(bounds, { zoom: ZOOM.selected, isAtOnce })
}

/** The bounds of all that is shown, where it does not lie in the documents' view at one of their zooms. */
function outOfView({ camera, fleet, flights, mask }: State, zoom: number): Bounds | undefined {
  const bounds = boundsOf(fleet.columns, mask)
  const there = { ...OPENED, zoom, width: camera.width, height: camera.height }
  return bounds && !liesWithin(bounds, there, flights.padding()) ? bounds : undefined
}

const WHOLE_MAP: Padding = { top: 0, right: 0, bottom: 0, left: 0 }

function keepShown(state: State): void {
  const bounds = boundsOf(state.fleet.columns, state.mask)
  if (bounds && !liesWithin(bounds, state.camera, WHOLE_MAP)) showAll(state, ZOOM.opened, false)
}

/** Where nobody left it, the map opens on the fleet, once it is known where that is. */
function openOnFleet(state: State): void {
  if (state.isFitted || state.map === undefined) return
  if (boundsOf(state.fleet.columns, undefined) === undefined) return
  state.isFitted = true
  showAll(state, ZOOM.opened, true)
  // its land is asked for at once: the fleet takes longer to be put in order, and both go on side by side
  state.map.redraw()
}

function press(state: State, presses: Presses, hit: ReturnType<FleetLayer['hit']>): void {
  if (hit === 'land') presses.onLand()
  else if (hit?.kind === 'device') presses.onDevice(state.fleet.names.of(hit.row, 'imei'))
  else {
    presses.onOther()
    if (hit?.kind === 'cluster') openSeveral(state, membersOf(state.fleet.columns, hit, state.mask), hit)
    else if (hit) openSeveral(state, hit.members, hit)
  }
}

function openSeveral(
  { fleet, flights, onOnePlace }: State,
  members: Members,
  { x, y }: { x: number; y: number },
): void {
  if (members.rows.length > 0 && isOnePlace(members))
    onOnePlace({
      imeis: members.rows.map((row) => fleet.names.of(row, 'imei')),
      x,
      y,
      covered: flights.covered,
    })
  else flights.fit(members)
}
