import type { MapLibreOverlay } from '@deck.gl/maplibre'
import type { Device } from '@luma.gl/core'
import type { Map as MapLibre } from 'maplibre-gl'
import type { DashboardEvent } from '#machines/dashboard/dashboard.machine.ts'
import type { Scheme } from '../../../format/temperature-colour.ts'
import type { Way } from '../../../map/way-layers.ts'
import { asNearAsLand, ZOOM } from '../../../map/zooms.ts'
import type { Fleet } from '../../../read-model/fleet.ts'
import { type Bounds, boundsOf, liesWithin } from './bounds.ts'
import { type Camera, CENTRE, unitX, unitY } from './camera.ts'
import { createDrawingPace, type DrawingFigures, forcedDrawing } from './drawing-pace.ts'
import type { createFleetLayer, FleetLayer } from './fleet-layer.ts'
import { createFlights, type Fitting, isOnePlace } from './flights.ts'
import type { MapText } from './icons.ts'
import { type Members, membersOf } from './members.ts'
import { readPalette } from './palette.ts'
import { createPresses } from './presses.ts'
import type { Mark } from './scene.ts'

/** Devices that stand so close together that no zoom parts them, and where that is on screen, px. */
export type OnePlace = { rows: number[]; x: number; y: number }

export type StageDeps = {
  fleet: Fleet
  /** where it looks at first; the documents' centre where left out */
  opensAt: Camera | undefined
  realMs(span: number): number
  tell(event: DashboardEvent): void
  openHistory(imei: string): void
  /** null: the map moved on */
  onOnePlace(place: OnePlace | null): void
  /** where the selected device is drawn, px; null where it is out of sight */
  onSelectedAt(place: { x: number; y: number } | null): void
  prefersLessMotion(): boolean
  /** whether the selected device has a card beside it */
  hasCard(): boolean
  /** whether the link is lost; `refresh` when that changes */
  isStale(): boolean
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
export type Stage = {
  readonly camera: Camera
  /** Where the map opens in a room of so many px: on the fleet, where that is known already. */
  opening(width: number, height: number): Camera | Fitting
  /** The map is there, with what draws on it: answers how to let go of it. */
  attach(given: Attached): () => void
  look(camera: Camera): void
  /** It begins or ends to move. */
  setMoving(isMoving: boolean): void
  setMask(mask: Uint8Array | undefined): void
  select(imei: string | null, isFollowed: boolean): void
  /** of the selected device; undefined: not known */
  setWay(way: Omit<Way, 'scheme'> | undefined): void
  tone(scheme: Scheme): void
  /** paints anew */
  refresh(): void
  /** px at the lower edge that are covered, and so not the middle of what is seen */
  cover(bottom: number): void
  fly(imei: string): void
  reset(): void
  /** Shows all that is shown: what groups, devices and status picked leave. */
  fitShown(): void
  /** How the map is drawn; undefined before it is. */
  figures(): DrawingFigures | undefined
  zoomBy(steps: number): void
  /** the visitor dragged the map */
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

export function createStage(deps: StageDeps): Stage {
  const { fleet, tell } = deps
  let camera = deps.opensAt ?? OPENED
  let map: MapLibre | undefined
  let layer: FleetLayer | undefined
  let mask: Uint8Array | undefined
  let selected: string | null = null
  let way: Omit<Way, 'scheme'> | undefined
  let isFollowed = false
  let scheme: Scheme = 'light'
  // Where the visitor left it, it opens again; else on the fleet, once that is there.
  let isFitted = deps.opensAt !== undefined
  let figures: (() => DrawingFigures) | undefined
  /** where to go as soon as there is a map */
  let wish: (() => void) | undefined
  const flights = createFlights({
    camera: () => camera,
    map: () => map,
    prefersLessMotion: deps.prefersLessMotion,
  })
  const presses = createPresses({
    select: (imei) => tell({ type: 'device.select', imei }),
    open: deps.openHistory,
    letGo: () => tell({ type: 'selection.clear' }),
    now: () => performance.now(),
  })

  function placeOf(imei: string): { x: number; y: number } | undefined {
    const row = fleet.names.rowOf(imei)
    const x = fleet.columns.x[row]
    return row < 0 || x === undefined || Number.isNaN(x)
      ? undefined
      : { x, y: fleet.columns.y[row] as number }
  }

  function openCluster(mark: Extract<Mark, { kind: 'cluster' }>): void {
    const at = { x: mark.unitX, y: mark.unitY, count: mark.count }
    openSeveral(membersOf(fleet.columns, at, Math.floor(camera.zoom * 2) / 2, mask), mark)
  }

  function openSeveral(members: Members, { x, y }: { x: number; y: number }): void {
    if (isOnePlace(members)) deps.onOnePlace({ rows: members.rows, x, y })
    else flights.fit(members)
  }

  function whenThere(go: () => void): void {
    if (map === undefined) wish = go
    else go()
  }

  /** On the documents' centre at one of their zooms where all that is shown lies in that view, else on its bounds. */
  function showAll(zoom: number, isAtOnce: boolean): void {
    const bounds = outOfView(zoom)
    if (bounds === undefined) flights.goTo(OPENED, zoom, isAtOnce)
    else flights.fit(bounds, { zoom: ZOOM.selected, isAtOnce })
  }

  /** The bounds of all that is shown, where it does not lie in the documents' view at one of their zooms. */
  function outOfView(zoom: number): Bounds | undefined {
    const bounds = boundsOf(fleet.columns, mask)
    const there = { ...OPENED, zoom, width: camera.width, height: camera.height }
    return bounds && !liesWithin(bounds, there, flights.padding()) ? bounds : undefined
  }

  function openOnFleet(): void {
    if (isFitted || map === undefined || fleet.columns.size === 0) return
    isFitted = true
    showAll(ZOOM.opened, true)
  }

  return {
    get camera() {
      return camera
    },
    opening(width, height) {
      camera = { ...camera, width, height }
      const bounds = isFitted ? undefined : outOfView(ZOOM.opened)
      return bounds ? flights.fitting(bounds, ZOOM.selected) : camera
    },
    attach({ map: given, overlay, device, createLayer, room }) {
      map = given
      const pace = createDrawingPace(device.info.renderer, forcedDrawing(location.search))
      figures = () => pace.figures(performance.now())
      const attached = createLayer({
        map: given,
        overlay,
        device,
        fleet,
        pace,
        realMs: deps.realMs,
        prefersLessMotion: deps.prefersLessMotion,
        hasCard: deps.hasCard,
        covered: flights.overIt,
        isStale: deps.isStale,
        onSelectedAt(at) {
          deps.onSelectedAt(at)
          const place = isFollowed && selected !== null ? placeOf(selected) : undefined
          if (place) flights.keepInSight(place, at)
        },
        onDrawn(texts, marks) {
          room.drawnTexts = texts
          room.dataset.marks = String(marks)
          room.dataset.zoom = String(camera.zoom)
          room.dispatchEvent(new Event('fleet-drawn'))
        },
      })
      layer = attached
      layer.setMask(mask)
      layer.select(selected)
      layer.setWay(way)
      layer.tone(readPalette(document.body), scheme)
      openOnFleet()
      wish?.()
      wish = undefined
      layer.look(camera)
      const unsubscribe = fleet.subscribe(openOnFleet)
      return () => {
        unsubscribe()
        attached.stop()
        layer = undefined
        map = undefined
        figures = undefined
      }
    },
    look(next) {
      deps.onOnePlace(null)
      camera = next
      layer?.look(camera)
    },
    setMoving: (isMoving) => layer?.setMoving(isMoving),
    setMask(next) {
      mask = next
      layer?.setMask(mask)
    },
    select(imei, follows) {
      isFollowed = follows
      if (imei === selected) return
      selected = imei
      layer?.select(imei)
    },
    setWay(next) {
      way = next
      layer?.setWay(next)
    },
    tone(next) {
      scheme = next
      layer?.tone(readPalette(document.body), scheme)
    },
    refresh: () => layer?.refresh(),
    cover(bottom) {
      flights.covered = bottom
    },
    fly: (imei) =>
      whenThere(() => {
        const place = placeOf(imei)
        // Who looks from nearer stays near.
        if (place) flights.goTo(place, Math.max(asNearAsLand(ZOOM.selected), camera.zoom))
      }),
    reset: () => whenThere(() => showAll(ZOOM.reset, false)),
    fitShown: () =>
      whenThere(() => {
        const bounds = boundsOf(fleet.columns, mask)
        if (bounds !== undefined) flights.fit(bounds, { zoom: ZOOM.selected })
      }),
    figures: () => figures?.(),
    zoomBy: flights.zoomBy,
    taken() {
      isFitted = true
      tell({ type: 'map.moved' })
    },
    press(x, y, slack) {
      const hit = layer?.hit(x, y, slack)
      if (hit === undefined) presses.onLand()
      else if (hit.kind === 'device') presses.onDevice(fleet.names.of(hit.row, 'imei'))
      else {
        presses.onOther()
        if (hit.kind === 'cluster') openCluster(hit)
        else openSeveral(hit.members, hit)
      }
    },
    doublePress: presses.onDouble,
    hover(x, y) {
      if (map) map.getCanvas().style.cursor = layer?.hit(x, y) ? 'pointer' : ''
    },
  }
}
