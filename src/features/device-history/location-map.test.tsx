import { useEffect } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { MapProvider, type MapRef, useMap } from 'react-map-gl/maplibre'
import { expect, onTestFinished, test } from 'vitest'
import type { DeviceHistory, HistoryPoint } from '#machines/contracts/entities/devices.ts'
import { createStore } from '../../actors/store.ts'
import { LocationMap, placesOf } from './location-map.tsx'

const at = (hour: number, lng: number | null): HistoryPoint => ({
  ...{ dateTime: new Date(Date.UTC(2026, 5, 15, hour)).toISOString(), temperature: 4, humidity: 50 },
  ...{ lat: lng === null ? null : 31, lng },
})

const LIMITS = { lowTemperatureThreshold: 2, highTemperatureThreshold: 8 }

const placed = (points: HistoryPoint[], latest: HistoryPoint | null) => {
  const { way, here } = placesOf({ points, latest } as DeviceHistory)
  return { way: way.map(({ lng }) => lng), here: here?.lng }
}

test('the way of a past range ends with the range, and the mark is where the device is now', () => {
  expect(placed([at(1, 70), at(2, 71)], at(9, 74))).toEqual({ way: [70, 71], here: 74 })
})

test('the mark is at the last place of the way where nothing newer tells one', () => {
  expect(placed([at(1, 70), at(2, 71)], at(9, null))).toEqual({ way: [70, 71], here: 71 })
  expect(placed([at(1, 70)], null)).toEqual({ way: [70], here: 70 })
  expect(placed([], at(9, 74))).toEqual({ way: [], here: 74 })
})

/** Tells of the map beside it. */
function MapOf({ onMap }: { onMap(map: MapRef | undefined): void }) {
  const map = useMap().default
  useEffect(() => {
    onMap(map)
  }, [map, onMap])
  return null
}

test('moved away from the device, the map stays there as readings come, and goes to an instant that is looked at', async () => {
  const place = document.body.appendChild(document.createElement('div'))
  place.style.cssText = 'width: 400px; height: 300px'
  const root = createRoot(place)
  onTestFinished(() => {
    root.unmount()
    place.remove()
  })
  const cursor = createStore<number | undefined>(undefined)
  let map: MapRef | undefined
  const keep = (shown: MapRef | undefined) => {
    map = shown
  }
  const show = (points: HistoryPoint[]) =>
    flushSync(() =>
      root.render(
        <MapProvider>
          <LocationMap
            history={{ points, latest: points.at(-1) ?? null, thresholds: LIMITS } as DeviceHistory}
            name="Reefer 7"
            cursor={cursor}
          />
          <MapOf onMap={keep} />
        </MapProvider>,
      ),
    )
  const centre = () => map?.getCenter().lng
  show([at(1, 70), at(2, 74)])
  await expect.poll(centre).toBe(74)

  map?.jumpTo({ center: [72, 31] })
  show([at(1, 70), at(2, 74), at(3, 74)])
  show([at(1, 70), at(2, 74), at(3, 74), at(4, 75)])
  expect(centre()).toBe(72)
  flushSync(() => cursor.set(Date.parse(at(1, 70).dateTime)))
  expect(centre()).toBe(70)
  flushSync(() => cursor.set(undefined))
  expect(centre()).toBe(75)
  show([at(1, 70), at(4, 75), at(5, 76)])
  expect(centre()).toBe(76)
})
