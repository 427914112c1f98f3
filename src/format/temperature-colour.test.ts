import fc from 'fast-check'
import { expect, test } from 'vitest'
import { distanceFromBand, FULL_COLOUR_AT, temperatureColour, temperatureRgb } from './temperature-colour.ts'

const bands = fc
  .tuple(fc.double({ min: -40, max: 60, noNaN: true }), fc.double({ min: 0, max: 40, noNaN: true }))
  .map(([low, width]) => ({ low, high: low + width }))
const celsius = fc.double({ min: -120, max: 150, noNaN: true })

test('the distance never falls as it warms, and stays between -1 and 1', () => {
  fc.assert(
    fc.property(bands, celsius, celsius, (band, a, b) => {
      const [low, high] = [distanceFromBand(Math.min(a, b), band), distanceFromBand(Math.max(a, b), band)]
      expect(low).toBeLessThanOrEqual(high + 1e-9)
      expect(Math.max(Math.abs(low), Math.abs(high))).toBeLessThanOrEqual(1)
    }),
  )
})

test('the same distance from a limit has the same colour whatever the band', () => {
  const freezer = { low: -22, high: -16 }
  const chiller = { low: 2, high: 8 }
  expect(temperatureColour(-16 + 4, freezer, 'light')).toBe(temperatureColour(8 + 4, chiller, 'light'))
  expect(temperatureColour(-22 - 4, freezer, 'dark')).toBe(temperatureColour(2 - 4, chiller, 'dark'))
})

test('a limit crossed is seen: the colour jumps', () => {
  const band = { low: 2, high: 8 }
  expect(distanceFromBand(8.01, band) - distanceFromBand(8, band)).toBeGreaterThan(0.2)
  expect(distanceFromBand(2, band) - distanceFromBand(1.99, band)).toBeGreaterThan(0.2)
})

test('too hot is red, too cold is violet, the middle is grey', () => {
  const band = { low: 2, high: 8 }
  for (const scheme of ['light', 'dark'] as const) {
    const [hotRed, , hotBlue] = temperatureRgb(8 + FULL_COLOUR_AT, band, scheme)
    const [coldRed, , coldBlue] = temperatureRgb(2 - FULL_COLOUR_AT, band, scheme)
    const middle = temperatureRgb(5, band, scheme)
    expect(hotRed).toBeGreaterThan(hotBlue + 100)
    expect(coldBlue).toBeGreaterThan(coldRed + 60)
    expect(Math.max(...middle) - Math.min(...middle)).toBeLessThan(30)
  }
})
