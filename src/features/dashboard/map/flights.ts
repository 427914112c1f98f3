import type { Map as MapLibre } from 'maplibre-gl'
import { asNearAsLand } from '../../../map/zooms.ts'
import { latOf, lngOf } from '../../../read-model/mercator.ts'
import type { Bounds, Padding } from './bounds.ts'
import { type Camera, worldPx } from './camera.ts'
import type { Box } from './labels.ts'

export type FlightDeps = {
  camera(): Camera
  /** undefined before the land is there */
  map(): MapLibre | undefined
  prefersLessMotion(): boolean
}

/** The ways the map moves by itself. */
export type Flights = {
  /** px at the lower edge that are covered, and so not the middle of what is seen */
  covered: number
  /** to a place on the unit square */
  goTo(place: { x: number; y: number }, zoom: number, isAtOnce?: boolean): void
  /** Shows a box of the unit square whole, no nearer than there is land to see, or `zoom` where that is farther. */
  fit(box: Bounds, options?: { zoom?: number; isAtOnce?: boolean }): void
  /** What `fit` asks of the map: the box's corners, and how it is to be shown. */
  fitting(box: Bounds, zoom?: number): Fitting
  /** px at each edge that what is fitted keeps clear of: panels and buttons */
  padding(): Padding
  /** boxes of the map that something lies on, px: its buttons, and on a phone the sheet */
  overIt(): Box[]
  zoomBy(steps: number): void
  /** Brings a place back that has come near the edge. `at`: where it is drawn, px; null: out of sight. */
  keepInSight(place: { x: number; y: number }, at: { x: number; y: number } | null): void
}

/** A box that the map shows whole: its corners [west, south] and [east, north], °; px at the edges; and the nearest zoom. */
export type Fitting = {
  bounds: [[number, number], [number, number]]
  padding: Padding
  maxZoom: number
}

const FLIGHT_MS = 1200
const STEP_MS = 200
/** px that circles and names need at the edge, and the buttons over the map at its right */
const MARGIN = 56
/** Of a small map it is no more than this share of its width, and of the height that is seen of it. */
const MARGIN_SHARE = 0.1
const MARGIN_DOWN_SHARE = 0.2
const BUTTONS = 64
/** px that those take from the top, with the one to follow */
const BUTTONS_DOWN = 250
/** Nearer together than this at the CLOSEST zoom, px, devices are in one place. */
const APART_PX = 60
const CLOSEST = 19
/** What is followed is brought back when it comes this near to the edge, share of the map. */
const EDGE = 0.2

export function createFlights({ camera, map, prefersLessMotion }: FlightDeps): Flights {
  /** where it is on its way to, by itself: nearer or farther, and to a place or around the middle */
  let aim: { zoom: number; place?: { x: number; y: number } } | undefined
  const lasting = (duration: number): number => (prefersLessMotion() ? 0 : duration)

  /** After the call that begins a way: what it gives up ends within that call. */
  function isOnTheWay(to: NonNullable<typeof aim>): void {
    if (!map()?.isMoving()) return
    aim = to
    map()?.once('moveend', () => {
      aim = undefined
    })
  }
  const to = ({ x, y }: { x: number; y: number }, zoom: number) => ({
    center: [lngOf(x), latOf(y)] as [number, number],
    zoom,
    offset: [0, -flights.covered / 2] as [number, number],
  })

  const flights: Flights = {
    covered: 0,
    padding() {
      const { width, height } = camera()
      const seen = Math.max(0, height - flights.covered)
      const margin = Math.min(MARGIN, width * MARGIN_SHARE, seen * MARGIN_DOWN_SHARE)
      return { top: margin, left: margin, right: BUTTONS, bottom: margin + flights.covered }
    },
    overIt() {
      const { width, height } = camera()
      return [
        { x: width - BUTTONS, y: 0, width: BUTTONS, height: BUTTONS_DOWN },
        { x: 0, y: height - flights.covered, width, height: flights.covered },
      ]
    },
    goTo(place, zoom, isAtOnce = false) {
      const way = { ...to(place, zoom), duration: isAtOnce ? 0 : lasting(FLIGHT_MS) }
      if (isAtOnce || Math.abs(zoom - camera().zoom) < 0.5) map()?.easeTo(way)
      else map()?.flyTo(way)
      isOnTheWay({ zoom, place })
    },
    fit(box, { zoom, isAtOnce = false } = {}) {
      const { bounds, ...how } = flights.fitting(box, zoom)
      map()?.fitBounds(bounds, { ...how, duration: isAtOnce ? 0 : lasting(FLIGHT_MS / 2) })
    },
    fitting: ({ west, east, north, south }, zoom = CLOSEST) => ({
      bounds: [
        [lngOf(west), latOf(south)],
        [lngOf(east), latOf(north)],
      ],
      padding: flights.padding(),
      maxZoom: zoom === CLOSEST ? CLOSEST : asNearAsLand(zoom),
    }),
    zoomBy(steps) {
      const land = map()
      if (land === undefined) return
      // Pressed on the way, it goes a step further than where it was going.
      const zoom = (aim?.zoom ?? camera().zoom) + steps
      const place = aim?.place
      const { width, height } = camera()
      if (place) land.easeTo({ ...to(place, zoom), duration: lasting(FLIGHT_MS / 2) })
      else {
        // What stays in place is the middle of what is seen, not of what lies below the sheet.
        const around = land.unproject([width / 2, (height - flights.covered) / 2])
        land.zoomTo(zoom, { around, duration: lasting(STEP_MS) })
      }
      isOnTheWay(place ? { zoom, place } : { zoom })
    },
    keepInSight(place, at) {
      if (map()?.isMoving() !== false) return
      const { width, height, zoom } = camera()
      const bottom = height - flights.covered
      const isNear =
        at !== null &&
        Math.min(at.x, width - at.x) > width * EDGE &&
        Math.min(at.y, bottom - at.y) > bottom * EDGE
      if (!isNear) flights.goTo(place, zoom)
    },
  }
  return flights
}

/** Whether devices stand so close together that no zoom parts them. */
export function isOnePlace({ west, east, north, south }: Bounds): boolean {
  return Math.max(east - west, south - north) * worldPx(CLOSEST) < APART_PX
}
