import type { Map as MapLibre } from 'maplibre-gl'
import { expect, test } from 'vitest'
import { createFlights } from './flights.ts'

/** A map whose degrees are its px, and which keeps what it was asked for. */
function flightsOver({ width, height }: { width: number; height: number }) {
  const asked: unknown[] = []
  const map = {
    isZooming: () => false,
    unproject: (at: [number, number]) => at,
    zoomTo: (zoom: number, { around }: { around: unknown }) => asked.push({ zoom, around }),
    once: () => map,
  } as unknown as MapLibre
  const camera = { x: 0.5, y: 0.5, zoom: 4, width, height }
  const flights = createFlights({ camera: () => camera, map: () => map, prefersLessMotion: () => true })
  return { flights, asked }
}

test('a step nearer keeps the middle of what is seen in place, above the sheet of a phone', () => {
  const { flights, asked } = flightsOver({ width: 390, height: 800 })
  flights.zoomBy(1)
  flights.covered = 500
  flights.zoomBy(1)
  expect(asked).toEqual([
    { zoom: 5, around: [195, 400] },
    { zoom: 5, around: [195, 150] },
  ])
})

test('what is fitted keeps clear of the buttons and of the sheet, and of circles at the edge where there is room', () => {
  const { flights } = flightsOver({ width: 1000, height: 700 })
  expect(flights.padding()).toEqual({ top: 56, left: 56, right: 64, bottom: 56 })
  const phone = flightsOver({ width: 390, height: 800 }).flights
  phone.covered = 464
  expect(phone.padding()).toEqual({ top: 39, left: 39, right: 64, bottom: 503 })
})
