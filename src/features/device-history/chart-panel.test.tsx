import { createRoot } from 'react-dom/client'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { DeviceHistory } from '#machines/contracts/entities/devices.ts'
import type { Root } from '../../actors/root.ts'
import { createStore } from '../../actors/store.ts'
import { RootContext } from '../../actors/use-root.ts'
import type { Spell } from '../../layout/measured/series.ts'
import { ChartPanel } from './chart-panel.tsx'
import '../../styles/tokens.css'

let unmount = () => {}
afterEach(() => unmount())

const start = Date.UTC(2026, 10, 21, 9)
const pointsOf = (measured: readonly [minute: number, temperature: number][]): DeviceHistory['points'] =>
  measured.map(([minute, temperature], i) => ({
    dateTime: new Date(start + minute * 60_000).toISOString(),
    temperature,
    humidity: 50 + i,
    lat: null,
    lng: null,
  }))
const history: DeviceHistory = {
  points: pointsOf([
    [0, 4],
    [1, 12],
    [2, 1],
    [3, 5],
  ]),
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

const cursor = createStore<number | undefined>(undefined)

function shown(
  quantity: 'temperature' | 'humidity',
  onSpell: (spell: Spell) => void = () => {},
  its = history,
  lasting = 180_000,
): void {
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  const preferences = createStore({ theme: 'light', unfolded: {} })
  root.render(
    <RootContext value={{ preferences, live: createStore(undefined) } as unknown as Root}>
      <ChartPanel
        quantity={quantity}
        history={its}
        range={{ from: start, to: start + lasting }}
        height={280}
        onSave={() => {}}
        onSpell={onSpell}
        cursor={cursor}
      />
    </RootContext>,
  )
  unmount = () => {
    root.unmount()
    place.remove()
  }
}

/** The figure on the group's whole axis, where nothing depends on what was measured. */
async function drawn(quantity: 'temperature' | 'humidity'): Promise<Element> {
  shown(quantity)
  await page.getByRole('button', { name: 'Whole axis' }).click()
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

test('the whole axis is that of the group, whatever was measured', async () => {
  expect(texts(await drawn('temperature'))).toEqual(expect.arrayContaining(['−20', '0', '20', '40', '60']))
  unmount()
  expect(texts(await drawn('humidity'))).toEqual(
    expect.arrayContaining(['−40', '−20', '0', '20', '40', '60', '80', '100']),
  )
})

test('what saves it says so to whoever comes to it', async () => {
  shown('temperature')
  await page.getByRole('button', { name: 'Whole axis' }).click()
  await userEvent.keyboard('{Tab}')
  await expect.element(page.getByRole('tooltip')).toHaveTextContent('Download as image')
})

test('at first the band fills the height, with its limits named', async () => {
  shown('temperature')
  const figure = page.getByRole('img')
  await expect.element(figure).toBeVisible()
  const words = texts(figure.element())
  expect(words).toEqual(expect.arrayContaining(['Limit 2.0 °C', 'Limit 8.0 °C']))
  expect(words.map(Number).filter((value) => value > 20)).toEqual([])
})

test('each time out of limits is told, the newest first, and shown by itself with a press', async () => {
  const pressed: Spell[] = []
  shown('temperature', (spell) => pressed.push(spell))
  const spells = page.getByRole('list', { name: 'Temperature out of limits' }).getByRole('button')
  await expect.element(spells.first()).toBeVisible()
  expect(spells.elements().map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/1 min below, worst 1\.0 °C, \d degree-minutes$/),
    expect.stringMatching(/1 min above, worst 12\.0 °C, \d degree-minutes$/),
  ])
  await spells.last().click()
  expect(pressed.map(({ side }) => side)).toEqual(['above'])
})

test('a reading beyond a limit that stands alone is not said never to have been', async () => {
  const points = pointsOf([
    [0, 4],
    [5, 4],
    [10, 4],
    [15, 4],
    [45, 12],
    [75, 5],
  ])
  shown('temperature', () => {}, { ...history, points })
  const words = /highest 12\.0.°C · beyond its limits in 1 reading; too few to say how long$/
  await expect.element(page.getByRole('img')).toHaveAccessibleName(words)
})

test('arrow keys go from reading to reading, and the instant is told on every chart', async () => {
  shown('temperature')
  const slider = page.getByRole('slider', { name: 'Instant on the temperature chart' })
  await expect.element(slider).toBeVisible()
  ;(slider.element() as HTMLElement).focus()
  await userEvent.keyboard('{End}{ArrowLeft}')
  expect(cursor.get()).toBe(start + 2 * 60_000)
  await expect.element(slider).toHaveAttribute('aria-valuetext', expect.stringContaining('1.0 °C'))
  await userEvent.keyboard('{Home}')
  expect(cursor.get()).toBe(start)
  cursor.set(start + 60_000)
  await expect.element(slider).toHaveAttribute('aria-valuetext', expect.stringContaining('12.0 °C'))
  await userEvent.keyboard('{Escape}')
  expect(cursor.get()).toBeUndefined()
})

test('its time axis is marked at round times of the company’s clock, midnight by its day', async () => {
  shown('temperature', undefined, history, 86_400_000)
  await expect.element(page.getByRole('img')).toBeVisible()
  const labels = page.getByRole('img').element().querySelectorAll('text')
  const times = Array.from(labels, (label) => label.textContent).filter((text) =>
    /^(\d\d:\d\d|\w{3} \d+)$/.test(text),
  )
  expect(times).toEqual(['09:00', '12:00', '15:00', '18:00', '21:00', 'Sun 22', '03:00', '06:00', '09:00'])
})
