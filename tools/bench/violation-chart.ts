import type { Browser } from 'playwright'
import type { ViolationChart } from '#machines/contracts/entities/violations.ts'
import { newWindow, type SignedIn } from './browser.ts'
import { atMost, type Figure, median, say } from './figures.ts'

const DEVICES = 1000
const TIMES = 5

/** How long the bars of a month of 1,000 devices take to be on screen, from the last byte of the answer on. */
export async function measureViolationChart(
  browser: Browser,
  url: string,
  signedIn: SignedIn,
): Promise<Figure> {
  const taken: number[] = []
  for (let i = 0; i < TIMES; i++) {
    const context = await newWindow(browser, signedIn)
    const page = await context.newPage()
    await page.route('**/violationstats', (route) => route.fulfill({ json: monthOf(DEVICES) }))
    await page.addInitScript(() => {
      const look = () => {
        if (document.querySelector('ul[aria-label="Violations by device"] li')) performance.mark('bars')
        else requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    })
    await page.goto(`${url}/visualization/violations`)
    await page.waitForFunction(() => performance.getEntriesByName('bars').length > 0)
    taken.push(
      await page.evaluate(() => {
        const answered = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
        const answer = answered.find(({ name }) => name.endsWith('/violationstats'))
        return (performance.getEntriesByName('bars')[0]?.startTime ?? 0) - (answer?.responseEnd ?? 0)
      }),
    )
    await context.close()
  }
  return atMost(`violations of a month drawn, ${say(DEVICES)} devices, median`, median(taken), 500, 'ms')
}

/** What the server answers where every device had many of every kind. */
function monthOf(devices: number): ViolationChart {
  const data = Array.from({ length: devices }, (_, no) => ({
    plateNumber: `LEB-${no}`,
    imei: String(350_000_000_000_000 + no),
    LowTemperature: no % 13,
    LowHumidity: no % 7,
    HighTemperature: 1 + (no % 97),
    HighHumidity: no % 11,
  }))
  const sum = (field: 'LowTemperature' | 'LowHumidity' | 'HighTemperature' | 'HighHumidity') =>
    data.reduce((total, device) => total + device[field], 0)
  const counts = {
    LOW_TEMPERATURE_DETECTED: sum('LowTemperature'),
    LOW_HUMIDITY_DETECTED: sum('LowHumidity'),
    HIGH_TEMPERATURE_DETECTED: sum('HighTemperature'),
    HIGH_HUMIDITY_DETECTED: sum('HighHumidity'),
  }
  return { data, counts: { ...counts, total: Object.values(counts).reduce((a, b) => a + b) } }
}
