import { expect, test } from 'vitest'
import type { DeviceHistory, HistoryPoint } from '#machines/contracts/entities/devices.ts'
import { placesOf } from './location-map.tsx'

const at = (hour: number, lng: number | null): HistoryPoint => ({
  ...{ dateTime: new Date(Date.UTC(2026, 5, 15, hour)).toISOString(), temperature: 4, humidity: 50 },
  ...{ lat: lng === null ? null : 31, lng },
})

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
