import type { Map as MapLibre } from 'maplibre-gl'
import type { DashboardEvent } from '#machines/dashboard/dashboard.machine.ts'
import type { Scheme } from '../../../format/temperature-colour.ts'
import type { Fleet } from '../../../read-model/fleet.ts'
import { type Camera, CENTRE, unitX, unitY, worldPx, ZOOM } from './camera.ts'
import { createFleetLayer, type FleetLayer } from './fleet-layer.ts'
import { createFlights, isOnePlace } from './flights.ts'
import { membersOf } from './members.ts'
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

/** The map and the fleet on it, as one thing that looks somewhere. Lives outside React; the land below may come later. */
export type Stage = {
  readonly camera: Camera
  /** Takes a canvas; answers how to let go of it. */
  attach(canvas: HTMLCanvasElement, onFirstMarkers: () => void): () => void
  /** The land is there: from now on it is what moves. */
  ready(map: MapLibre): void
  look(camera: Camera): void
  resize(width: number, height: number): void
  setMask(mask: Uint8Array | undefined): void
  select(imei: string | null, isFollowed: boolean): void
  tone(scheme: Scheme): void
  /** paints anew */
  refresh(): void
  /** px at the lower edge that are covered, and so not the middle of what is seen */
  cover(bottom: number): void
  fly(imei: string): void
  reset(): void
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
  let canvas: HTMLCanvasElement | undefined
  let mask: Uint8Array | undefined
  let selected: string | null = null
  let isFollowed = false
  let scheme: Scheme = 'light'
  const flights = createFlights({
    camera: () => camera,
    look,
    map: () => map,
    prefersLessMotion: deps.prefersLessMotion,
  })
  const presses = createPresses({
    select: (imei) => tell({ type: 'device.select', imei }),
    open: deps.openHistory,
    letGo: () => tell({ type: 'selection.clear' }),
    now: () => performance.now(),
  })

  function look(next: Camera): void {
    camera = next
    layer?.look(camera)
  }

  function placeOf(imei: string): { x: number; y: number } | undefined {
    const row = fleet.names.rowOf(imei)
    const x = fleet.columns.x[row]
    return row < 0 || x === undefined || Number.isNaN(x)
      ? undefined
      : { x, y: fleet.columns.y[row] as number }
  }

  function openCluster(mark: Extract<Mark, { kind: 'cluster' }>): void {
    const at = { x: mark.unitX, y: mark.unitY, count: mark.count }
    const members = membersOf(fleet.columns, at, Math.floor(camera.zoom * 2) / 2, mask)
    if (isOnePlace(members)) deps.onOnePlace({ rows: members.rows, x: mark.x, y: mark.y })
    else flights.fit(members)
  }

  return {
    get camera() {
      return camera
    },
    attach(given, onFirstMarkers) {
      canvas = given
      layer = createFleetLayer({
        canvas,
        fleet,
        realMs: deps.realMs,
        prefersLessMotion: deps.prefersLessMotion,
        hasCard: deps.hasCard,
        isStale: deps.isStale,
        onFirstMarkers,
        onPainted(at, scene) {
          given.dataset.marks = String(scene.marks.length)
          given.dataset.zoom = String(camera.zoom)
          deps.onSelectedAt(at)
          const place = isFollowed && selected !== null ? placeOf(selected) : undefined
          if (place) flights.keepInSight(place, at)
        },
      })
      layer.setMask(mask)
      layer.select(selected)
      layer.tone(readPalette(document.body), scheme)
      if (camera.width > 0) layer.look(camera)
      const attached = layer
      return () => {
        attached.stop()
        layer = undefined
        map = undefined
      }
    },
    ready(given) {
      map = given
    },
    look(next) {
      deps.onOnePlace(null)
      look(next)
    },
    resize(width, height) {
      // With the land there, it tells its own size.
      if (map === undefined && width > 0) look({ ...camera, width, height })
    },
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
    tone(next) {
      scheme = next
      layer?.tone(readPalette(document.body), scheme)
    },
    refresh: () => layer?.refresh(),
    cover(bottom) {
      // Before anything has moved, the middle of what is seen is the documents' centre.
      if (map === undefined && deps.opensAt === undefined)
        look({ ...camera, y: OPENED.y + bottom / 2 / worldPx(camera.zoom) })
      flights.covered = bottom
    },
    fly(imei) {
      const place = placeOf(imei)
      if (place) flights.goTo(place, ZOOM.selected)
    },
    reset: () => flights.goTo(OPENED, ZOOM.reset),
    zoomBy: flights.zoomBy,
    taken: () => tell({ type: 'map.moved' }),
    press(x, y, slack) {
      const mark = layer?.hit(x, y, slack)
      if (mark === undefined) presses.onLand()
      else if (mark.kind === 'device') presses.onDevice(fleet.names.of(mark.row, 'imei'))
      else {
        presses.onOther()
        openCluster(mark)
      }
    },
    doublePress: presses.onDouble,
    hover(x, y) {
      if (map) map.getCanvas().style.cursor = layer?.hit(x, y) ? 'pointer' : ''
    },
  }
}
