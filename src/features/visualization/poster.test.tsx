import { expect, test } from 'vitest'
import { barsOf } from './bars.ts'
import { posterOf } from './poster.ts'
import { barOf } from './testing.ts'

test('the legend counts the violations of all devices, those left out of the picture too', () => {
  const devices = Array.from({ length: 2100 }, (_, deviceNo) =>
    barOf(deviceNo, { HighTemperature: 1, LowHumidity: deviceNo < 50 ? 1 : 0 }),
  )
  const words = posterOf(barsOf(devices)).textContent
  expect(words).toContain('High temperature 2,100')
  expect(words).toContain('Low humidity 50')
  expect(words).toContain('and 100 devices with fewer')
})
