import { createRoot } from 'react-dom/client'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { DeviceHistory } from '#machines/contracts/entities/devices.ts'
import { ChartPanel } from './chart-panel.tsx'
import '../../styles/tokens.css'

let unmount = () => {}
afterEach(() => unmount())

const start = Date.UTC(2026, 10, 21, 9)
const history: DeviceHistory = {
  points: [4, 12, 1, 5].map((temperature, i) => ({
    dateTime: new Date(start + i * 60_000).toISOString(),
    temperature,
    humidity: 50 + i,
    lat: null,
    lng: null,
  })),
  latest: null,
  thresholds: {
    lowTemperatureThreshold: 2,
    highTemperatureThreshold: 8,
    lowHumidityThreshold: 20,
    highHumidityThreshold: 80,
    tmin: -30,
    tmax: 70,
    hmin: -40,
    hmax: 100,
  },
}

async function drawn(quantity: 'temperature' | 'humidity'): Promise<Element> {
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  root.render(
    <ChartPanel
      quantity={quantity}
      history={history}
      range={{ from: start, to: start + 180_000 }}
      onSave={() => {}}
    />,
  )
  unmount = () => {
    root.unmount()
    place.remove()
  }
  const figure = page.getByRole('img')
  await expect.element(figure).toBeVisible()
  return figure.element()
}
const texts = (figure: Element): string[] =>
  [...figure.querySelectorAll('text')].map(({ textContent }) => textContent ?? '')

test('the line is red beyond the thresholds and blue between them', async () => {
  const figure = await drawn('temperature')
  const stops = [...figure.querySelectorAll('linearGradient stop')].map((stop) => ({
    at: Number(stop.getAttribute('offset')),
    colour: getComputedStyle(stop).stopColor,
  }))
  const hue = (colour = '') => Number(/oklch\(\S+ \S+ (\d+)/.exec(colour)?.[1])
  // 8 and 2 °C on an axis from 70 down to -30
  expect(stops.map(({ at }) => at)).toEqual([0, 0.62, 0.62, 0.68, 0.68, 1])
  expect(stops.map(({ colour }) => (hue(colour) < 60 ? 'red' : hue(colour) > 200 ? 'blue' : colour))).toEqual(
    ['red', 'red', 'blue', 'blue', 'red', 'red'],
  )
})

test('the axis is that of the group, whatever was measured', async () => {
  expect(texts(await drawn('temperature'))).toEqual(expect.arrayContaining(['-20', '0', '20', '40', '60']))
  unmount()
  expect(texts(await drawn('humidity'))).toEqual(
    expect.arrayContaining(['-40', '-20', '0', '20', '40', '60', '80', '100']),
  )
})
