import type { Map as MapLibre } from 'maplibre-gl'
import type { DashboardEvent } from '#machines/dashboard/dashboard.machine.ts'
import type { Scheme } from '../../../format/temperature-colour.ts'
import type { Fleet } from '../../../read-model/fleet.ts'
import { type Camera, CENTRE, latOf, lngOf, unitX, unitY, worldPx, ZOOM } from './camera.ts'
import { createFleetLayer, type FleetLayer } from './fleet-layer.ts'
import { type Members, membersOf } from './members.ts'
import { readPalette } from './palette.ts'
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
const FLIGHT_MS = 1200
/** The second press of a double press comes within this; by then the map may be flying. */
const DOUBLE_MS = 400
/** Nearer together than this at CLOSEST zoom, px, devices are in one place. */
const APART_PX = 60
const CLOSEST = 19
/** A followed device is brought back when it comes this near to the edge, share of the map. */
const EDGE = 0.2

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
  let covered = 0
  let letGo: ReturnType<typeof setTimeout> | undefined
  let pressed: { imei: string; at: number } | undefined

  function look(next: Camera): void {
    camera = next
    layer?.look(camera)
  }

  /** Goes there by itself where there is no land yet. */
  function goTo(x: number, y: number, zoom: number, duration: number): void {
    const up = covered / 2
    if (map === undefined) {
      look({ ...camera, x, y: y + up / worldPx(zoom), zoom })
      return
    }
    const center: [number, number] = [lngOf(x), latOf(y)]
    const ms = deps.prefersLessMotion() ? 0 : duration
    if (Math.abs(zoom - camera.zoom) < 0.5) map.easeTo({ center, zoom, offset: [0, -up], duration: ms })
    else map.flyTo({ center, zoom, offset: [0, -up], duration: ms })
  }

  function placeOf(imei: string): { x: number; y: number } | undefined {
    const row = fleet.names.rowOf(imei)
    const x = fleet.columns.x[row]
    return row < 0 || x === undefined || Number.isNaN(x)
      ? undefined
      : { x, y: fleet.columns.y[row] as number }
  }

  function followSelected(at: { x: number; y: number } | null): void {
    if (!isFollowed || selected === null || map === undefined || map.isMoving()) return
    const { width, height } = camera
    const bottom = height - covered
    const isNear =
      at !== null &&
      Math.min(at.x, width - at.x) > width * EDGE &&
      Math.min(at.y, bottom - at.y) > bottom * EDGE
    const place = placeOf(selected)
    if (!isNear && place) goTo(place.x, place.y, camera.zoom, FLIGHT_MS)
  }

  function openCluster(mark: Extract<Mark, { kind: 'cluster' }>): void {
    const at = { x: mark.unitX, y: mark.unitY, count: mark.count }
    const members = membersOf(fleet.columns, at, Math.floor(camera.zoom * 2) / 2, mask)
    if (isOnePlace(members)) {
      deps.onOnePlace({ rows: members.rows, x: mark.x, y: mark.y })
      return
    }
    map?.fitBounds(
      [
        [lngOf(members.west), latOf(members.south)],
        [lngOf(members.east), latOf(members.north)],
      ],
      {
        padding: { top: 72, left: 72, right: 72, bottom: 72 + covered },
        maxZoom: CLOSEST,
        duration: deps.prefersLessMotion() ? 0 : FLIGHT_MS / 2,
      },
    )
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
          deps.onSelectedAt(at)
          followSelected(at)
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
      covered = bottom
    },
    fly(imei) {
      const place = placeOf(imei)
      if (place) goTo(place.x, place.y, ZOOM.selected, FLIGHT_MS)
    },
    reset() {
      goTo(unitX(CENTRE.lng), unitY(CENTRE.lat), ZOOM.reset, FLIGHT_MS)
    },
    zoomBy(steps) {
      map?.zoomTo(camera.zoom + steps, { duration: deps.prefersLessMotion() ? 0 : 200 })
    },
    taken: () => tell({ type: 'map.moved' }),
    press(x, y, slack) {
      clearTimeout(letGo)
      const mark = layer?.hit(x, y, slack)
      if (mark === undefined) {
        letGo = setTimeout(() => tell({ type: 'selection.clear' }), DOUBLE_MS)
        return
      }
      if (mark.kind === 'cluster') {
        openCluster(mark)
        return
      }
      const imei = fleet.names.of(mark.row, 'imei')
      const isSecond = pressed !== undefined && performance.now() - pressed.at < DOUBLE_MS
      if (!isSecond) pressed = { imei, at: performance.now() }
      tell({ type: 'device.select', imei })
    },
    doublePress() {
      // A double press on the land only comes nearer.
      clearTimeout(letGo)
      if (pressed === undefined || performance.now() - pressed.at > DOUBLE_MS) return false
      deps.openHistory(pressed.imei)
      return true
    },
    hover(x, y) {
      if (map) map.getCanvas().style.cursor = layer?.hit(x, y) ? 'pointer' : ''
    },
  }
}

function isOnePlace({ west, east, north, south }: Members): boolean {
  const extent = Math.max(east - west, south - north)
  return extent * worldPx(CLOSEST) < APART_PX
}
