import type { Map as MapLibre } from 'maplibre-gl'
import { type Camera, latOf, lngOf, worldPx } from './camera.ts'
import type { Members } from './members.ts'

export type FlightDeps = {
  camera(): Camera
  look(camera: Camera): void
  /** undefined before the land is there */
  map(): MapLibre | undefined
  prefersLessMotion(): boolean
}

/** The ways the map moves by itself. */
export type Flights = {
  /** px at the lower edge that are covered, and so not the middle of what is seen */
  covered: number
  /** to a place on the unit square; at once where there is no land yet */
  goTo(place: { x: number; y: number }, zoom: number): void
  fit(members: Members): void
  zoomBy(steps: number): void
  /** Brings a place back that has come near the edge. `at`: where it is drawn, px; null: out of sight. */
  keepInSight(place: { x: number; y: number }, at: { x: number; y: number } | null): void
}

const FLIGHT_MS = 1200
const STEP_MS = 200
const PADDING = 72
/** Nearer together than this at the CLOSEST zoom, px, devices are in one place. */
const APART_PX = 60
const CLOSEST = 19
/** What is followed is brought back when it comes this near to the edge, share of the map. */
const EDGE = 0.2

export function createFlights({ camera, look, map, prefersLessMotion }: FlightDeps): Flights {
  let zoomAim: number | undefined
  const lasting = (duration: number): number => (prefersLessMotion() ? 0 : duration)

  const flights: Flights = {
    covered: 0,
    goTo({ x, y }, zoom) {
      const up = flights.covered / 2
      const land = map()
      if (land === undefined) {
        look({ ...camera(), x, y: y + up / worldPx(zoom), zoom })
        return
      }
      const to = {
        center: [lngOf(x), latOf(y)] as [number, number],
        zoom,
        offset: [0, -up] as [number, number],
        duration: lasting(FLIGHT_MS),
      }
      if (Math.abs(zoom - camera().zoom) < 0.5) land.easeTo(to)
      else land.flyTo(to)
    },
    fit({ west, east, north, south }) {
      map()?.fitBounds(
        [
          [lngOf(west), latOf(south)],
          [lngOf(east), latOf(north)],
        ],
        {
          padding: { top: PADDING, left: PADDING, right: PADDING, bottom: PADDING + flights.covered },
          maxZoom: CLOSEST,
          duration: lasting(FLIGHT_MS / 2),
        },
      )
    },
    zoomBy(steps) {
      const land = map()
      if (land === undefined) return
      // Pressed again on the way, it goes a step further than where it was going.
      const aim = (land.isZooming() && zoomAim !== undefined ? zoomAim : camera().zoom) + steps
      land.zoomTo(aim, { duration: lasting(STEP_MS) })
      // Not before: the way given up for this one has ended within the call above.
      zoomAim = aim
      land.once('zoomend', () => {
        zoomAim = undefined
      })
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
export function isOnePlace({ west, east, north, south }: Members): boolean {
  return Math.max(east - west, south - north) * worldPx(CLOSEST) < APART_PX
}
