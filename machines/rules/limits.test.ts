import { describe, expect, test } from 'vitest'
import { isAbove, isBack, isBelow, limitsOf, violationOf } from './limits.ts'

const thresholds = {
  lowTemperatureThreshold: 2,
  highTemperatureThreshold: 8,
  lowHumidityThreshold: 0,
  highHumidityThreshold: 0,
}
const company = {
  violationDelaySeconds: 120,
  clearMarginTemperature: 0.5,
  clearMarginHumidity: 2,
  patienceSeconds: 600,
}

describe('the limits of a group', () => {
  test('take the thresholds of the quantity and the patience of the company', () => {
    expect(limitsOf('temperature', thresholds, company)).toEqual({
      low: 2,
      high: 8,
      delay: 120_000,
      margin: 0.5,
      gap: 600_000,
    })
  })

  test.for([
    ['a band without room, as new groups have it', thresholds],
    ['no group at all', undefined],
  ] as const)('%s is never violated', ([, given]) => {
    const limits = limitsOf('humidity', given, company)
    for (const value of [-40, 0, 55, 100]) {
      expect(isAbove(value, limits) || isBelow(value, limits)).toBe(false)
      expect(isBack(value, 'high', limits.high, limits.margin)).toBe(true)
    }
  })
})

test('the limit itself still belongs to the band, the margin to coming back', () => {
  const limits = limitsOf('temperature', thresholds, company)
  expect([isAbove(8, limits), isAbove(8.01, limits), isBelow(2, limits), isBelow(1.99, limits)]).toEqual([
    false,
    true,
    false,
    true,
  ])
  expect([isBack(7.6, 'high', 8, 0.5), isBack(7.5, 'high', 8, 0.5)]).toEqual([false, true])
  expect([isBack(2.4, 'low', 2, 0.5), isBack(2.5, 'low', 2, 0.5)]).toEqual([false, true])
})

test('each end of each band has its name', () => {
  expect(violationOf('temperature', 'high')).toBe('HIGH_TEMPERATURE_DETECTED')
  expect(violationOf('temperature', 'low')).toBe('LOW_TEMPERATURE_DETECTED')
  expect(violationOf('humidity', 'high')).toBe('HIGH_HUMIDITY_DETECTED')
  expect(violationOf('humidity', 'low')).toBe('LOW_HUMIDITY_DETECTED')
})
