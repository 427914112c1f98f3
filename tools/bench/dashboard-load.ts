import { setTimeout as pause } from 'node:timers/promises'
import type { Browser } from 'playwright'
import { firstMarkers, metricsOf, newWindow, type SignedIn } from './browser.ts'
import { atMost, type Figure, say } from './figures.ts'

const MINUTE = 60_000
const MB = 1_000_000
/** "Flat": what is left after a collection grows by no more than this from the first minute to the last. */
const FLAT_MB = 5
/** After the first markers names are decoded and the land comes; loaded is when nothing of that is left to do. */
const SETTLE = 20_000

export type DashboardOptions = { devices: number; minutes: number }

/** What a dashboard left open costs: main thread, longest task, heap, bytes over the sockets. */
export async function measureDashboard(
  browser: Browser,
  url: string,
  signedIn: SignedIn,
  { devices, minutes }: DashboardOptions,
): Promise<Figure[]> {
  const context = await newWindow(browser, signedIn)
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  // by the CPU it takes, not by the clock: other programs on the machine do not count
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  await page.goto(url)
  await firstMarkers(page)
  await pause(SETTLE)
  await page.evaluate(() => {
    const seen: { startTime: number; duration: number }[] = []
    Object.assign(window, { longTasks: seen })
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) seen.push({ startTime, duration })
    }).observe({ type: 'longtask' })
  })

  const busy: number[] = []
  const longest: number[] = []
  const heaps = [await heapOf(session)]
  for (let minute = 0; minute < minutes; minute++) {
    const began = await page.evaluate(() => performance.now())
    const before = (await metricsOf(session))('TaskDuration')
    await pause(MINUTE)
    busy.push((await metricsOf(session))('TaskDuration') - before)
    longest.push(await page.evaluate(longestSince, began))
    // It blocks the page, so it comes between two minutes.
    heaps.push(await heapOf(session))
  }
  const bytes = await socketBytes(session)
  await context.close()

  const of = `${say(devices)} devices`
  const slowest = Math.max(...longest)
  const grown = (heaps.at(-1) ?? 0) - (heaps[1] ?? 0)
  return [
    atMost(`dashboard, ${of} updating: main-thread time a minute`, mean(busy), 4, 's', 1),
    slowest === 0
      ? {
          what: `dashboard, ${of}: longest task once loaded`,
          measured: 'under 50 ms',
          target: '≤ 100 ms',
          isReached: true,
        }
      : atMost(`dashboard, ${of}: longest task once loaded`, slowest, 100, 'ms'),
    {
      what: `dashboard, ${of}: heap over ${minutes} min, each after a collection`,
      measured: `${heaps.map((mb) => say(mb)).join(' → ')} MB`,
      target: 'flat',
      isReached: grown <= FLAT_MB,
    },
    atMost(`bytes over the sockets a minute, ${of}`, bytes / MB, 12, 'MB', 1),
  ]
}

type Session = Parameters<typeof metricsOf>[0]

async function heapOf(session: Session): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  return (await metricsOf(session))('JSHeapUsedSize') / MB
}

/** ms; 0 where none was longer than the 50 ms from which on they are told. Runs in the page. */
function longestSince(began: number): number {
  const { longTasks } = window as unknown as { longTasks: { startTime: number; duration: number }[] }
  return Math.max(
    0,
    ...longTasks.filter(({ startTime }) => startTime >= began).map(({ duration }) => duration),
  )
}

/** Payload of all frames that came in a minute. Counted apart: telling of each costs the browser time. */
async function socketBytes(session: Session): Promise<number> {
  let bytes = 0
  session.on('Network.webSocketFrameReceived', ({ response: { opcode, payloadData } }) => {
    bytes += opcode === 1 ? Buffer.byteLength(payloadData) : Buffer.byteLength(payloadData, 'base64')
  })
  await session.send('Network.enable')
  await pause(MINUTE)
  await session.send('Network.disable')
  return bytes
}

const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length
