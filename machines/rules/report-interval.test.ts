import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { firstInterval, reportTermsFaults, termsOf } from './report-interval.ts'

const ZONE = 'Asia/Karachi'
/** 15 June 2026, 12:00 in Karachi */
const NOW = Date.UTC(2026, 5, 15, 7)
const HOUR = 3_600_000
const DAY = 24 * HOUR

const faultsOf = (type: string, terms: Parameters<typeof reportTermsFaults>[1], now = NOW) =>
  reportTermsFaults(type, terms, now, ZONE).map(({ path, message }) => `${path}: ${message}`)

describe('a vehicle history report', () => {
  test('is of 86,400 seconds at most', () => {
    expect(faultsOf('vehicleHistoryReport', { from: NOW - DAY, to: NOW })).toEqual([])
    expect(faultsOf('vehicleHistoryReport', { from: NOW - DAY - 1, to: NOW })).toEqual([
      'to: Please select interval of maximum 24 hours',
    ])
  })
})

test.each(['vehicleHistoryReport', 'pjpReport', 'TripDetailReport'])(
  'a form of %s opens with an interval that may be asked for, also the day after clocks go back',
  (type) => {
    const now = Date.parse('2026-10-25T11:00:00Z')
    expect(reportTermsFaults(type, firstInterval(type, now, 'Europe/Berlin'), now, 'Europe/Berlin')).toEqual(
      [],
    )
  },
)

describe('a pjp report', () => {
  const midnight = Date.UTC(2026, 5, 13, 19) // the 14th begins in Karachi

  test('is of two dates at most, whatever the hour', () => {
    expect(faultsOf('pjpReport', { from: midnight, to: NOW })).toEqual([])
    expect(faultsOf('pjpReport', { from: midnight - 1, to: NOW })).toEqual([
      'to: Please select interval of maximum two days',
    ])
  })

  test('never runs to two days and a bit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 * DAY }), (length) => {
        const isRefused = faultsOf('pjpReport', { from: NOW - length, to: NOW }).length > 0
        if (length > 2 * DAY) expect(isRefused).toBe(true)
        if (length <= DAY) expect(isRefused).toBe(false)
      }),
    )
  })
})

test('a performance report needs a geofence, others do not', () => {
  const range = { from: NOW - HOUR, to: NOW }
  expect(faultsOf('PerformanceReport', range)).toEqual(['geofences: Please select geofence'])
  expect(faultsOf('PerformanceReport', { ...range, geofences: ['depot'] })).toEqual([])
  expect(faultsOf('distanceReport', range)).toEqual([])
})

test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('%s is no distance', (minDistance) => {
  expect(faultsOf('vehicleTravelReport', { from: NOW - HOUR, to: NOW, minDistance })).toEqual([
    'minDistance: Enter a distance of 0 to 100,000 km',
  ])
  expect(faultsOf('distanceReport', { from: NOW - HOUR, to: NOW, minDistance })).toEqual([])
})

test.each([0.5, 79.5, 201, Number.NaN])('%s km/h is no limit of speed', (speed) => {
  expect(faultsOf('OverSpeedingVehiclesReport', { from: NOW - HOUR, to: NOW, speed })).toEqual([
    'speed: Enter a whole speed of 1 to 200 km/h',
  ])
  expect(faultsOf('distanceReport', { from: NOW - HOUR, to: NOW, speed })).toEqual([])
})

test('0 km and the documents’ 25 km are distances', () => {
  const range = { from: NOW - HOUR, to: NOW }
  expect(faultsOf('vehicleTravelReport', { ...range, minDistance: 0 })).toEqual([])
  expect(faultsOf('vehicleTravelReport', range)).toEqual([])
})

test('every report has a start and an end in this order, a month apart at most', () => {
  for (const type of ['distanceReport', 'vehicleHistoryReport', 'pjpReport', 'TripDetailReport']) {
    expect(faultsOf(type, { from: null, to: null })).toEqual([
      'from: Enter a start date',
      'to: Enter a end date',
    ])
    expect(faultsOf(type, { from: NOW, to: NOW - 1 })).toEqual([
      'from: Start date cannot be greater than end date',
    ])
  }
  expect(faultsOf('TripDetailReport', { from: NOW - 40 * DAY, to: NOW })).toEqual([
    'to: End date can be at most one month after the start',
  ])
  expect(faultsOf('TripDetailReport', { from: NOW, to: NOW + DAY })).toEqual([
    'to: End date cannot be after today',
  ])
})

test('a type is known by its name, however it is capitalised', () => {
  expect(faultsOf('performanceReport', { from: NOW - HOUR, to: NOW })).toEqual([
    'geofences: Please select geofence',
  ])
  expect(termsOf('VehicleHistoryReport')).toEqual({
    hasGeofences: false,
    hasMinDistance: false,
    hasSpeed: false,
    isPickedSingly: true,
  })
})
