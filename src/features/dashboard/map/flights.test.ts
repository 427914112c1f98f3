import type { Map as MapLibre } from 'maplibre-gl'
import { expect, test } from 'vitest'
import { createFlights } from './flights.ts'

/** A map whose degrees are its px, and which keeps what it was asked for. */
function flightsOver({ width, height }: { width: number; height: number }, hasMotion = false) {
  const requests: unknown[] = []
  let isMoving = false
  let onEnd: (() => void) | undefined
  const end = (): void => {
    isMoving = false
    onEnd?.()
    onEnd = undefined
  }
  const begin = (way: unknown): void => {
    end()
    isMoving = hasMotion
    requests.push(way)
  }
  const map = {
    isMoving: () => isMoving,
    unproject: (at: [number, number]) => at,
    zoomTo: (zoom: number, { around }: { around: unknown }) => begin({ zoom, around }),
    flyTo: ({ center, zoom }: { center: number[]; zoom: number }) => begin({ zoom, center }),
    easeTo: ({ center, zoom }: { center: number[]; zoom: number }) => begin({ zoom, center }),
    once: (_: 'moveend', then: () => void) => {
      onEnd = then
    },
  } as unknown as MapLibre
  const camera = { x: 0.5, y: 0.5, zoom: 4, width, height }
  const flights = createFlights({ camera: () => camera, map: () => map, prefersLessMotion: () => true })
  return { flights, requests, end }
}

test('a step nearer keeps the middle of what is seen in place, above the sheet of a phone', () => {
  const { flights, requests: requested } = flightsOver({ width: 390, height: 800 })
  flights.zoomBy(1)
  flights.covered = 500
  flights.zoomBy(1)
  expect(requested).toEqual([
    { zoom: 5, around: [195, 400] },
    { zoom: 5, around: [195, 150] },
  ])
})

test('a step nearer on the way to a device goes on to the device, nearer', () => {
  const { flights, requests: requested, end } = flightsOver({ width: 1000, height: 700 }, true)
  flights.goTo({ x: 0.75, y: 0.5 }, 11)
  flights.zoomBy(1)
  flights.zoomBy(1)
  expect(requested).toEqual([11, 12, 13].map((zoom) => ({ zoom, center: [90, 0] })))
  end()
  flights.zoomBy(1)
  flights.zoomBy(1)
  expect(requested.slice(3)).toEqual([5, 6].map((zoom) => ({ zoom, around: [500, 350] })))
})

test('what the map left for something else does not take it along', () => {
  const { flights, requests: requested, end } = flightsOver({ width: 1000, height: 700 })
  flights.goTo({ x: 0.75, y: 0.5 }, 11)
  flights.zoomBy(1)
  end()
  expect(requested.at(-1)).toEqual({ zoom: 5, around: [500, 350] })
})

test('what is fitted keeps clear of the buttons and of the sheet, and of circles at the edge where there is room', () => {
  const { flights } = flightsOver({ width: 1000, height: 700 })
  expect(flights.padding()).toEqual({ top: 56, left: 56, right: 64, bottom: 56 })
  const phone = flightsOver({ width: 390, height: 800 }).flights
  phone.covered = 464
  expect(phone.padding()).toEqual({ top: 39, left: 39, right: 64, bottom: 503 })
  const strip = flightsOver({ width: 900, height: 472 }).flights
  strip.covered = 342
  expect(strip.padding()).toEqual({ top: 26, left: 26, right: 64, bottom: 368 })
})
