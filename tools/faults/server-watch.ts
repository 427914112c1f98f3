import { setTimeout as pause } from 'node:timers/promises'
import { percentile, slope } from '../bench/figures.ts'
import type { HeapGauge } from './heap.ts'
import { figuresOf } from './server-metrics.ts'

const HOUR = 3_600_000
/** Looks into the heap after the first, and the ms between two. Each stops the server for some tenths of a second: what is under way then is left out. */
const MOST_LOOKS = 12
const LEAST_BETWEEN_LOOKS_MS = 5000
/** Collections a look, so far apart: what is on its way comes and goes, the least that is left says what stays. */
const COLLECTIONS = 3
const APART_MS = 300
/** What waited for a look to end is done soon after it. */
const AFTER_LOOK_MS = 200
/** Between two questions how it is, and before the first look. */
const FIGURES_MS = 2000
const WARM_UP_FIGURES_MS = 200

export type Watched = {
  /** bytes an hour */
  slope: number
  heaps: number[]
  buffers: number[]
  /** of one core */
  cpu: number
  /** s: p99 of the event loop in the median of all looks, and the most there was */
  late: number
  latest: number
  /** ms each thing took that was measured meanwhile; of those under way during a look nothing is said */
  outsideOfLooks(spans: Float64Array): number[]
}

/**
 * Looks at the server again and again for so long, ms, `after` so long. It is asked how it is before too, and often: code
 * that runs again and again is compiled, and what comes of it stays in the heap.
 */
export async function watch(
  url: string,
  gauge: HeapGauge,
  { after, lasts }: { after: number; lasts: number },
): Promise<Watched> {
  const looks: { x: number; from: number; to: number; objects: number; buffers: number }[] = []
  const look = async (): Promise<void> => {
    const from = Date.now()
    let least = await gauge.measure()
    for (let no = 1; no < COLLECTIONS; no++) {
      await pause(APART_MS)
      const next = await gauge.measure()
      if (next.objects < least.objects) least = next
    }
    looks.push({ x: from / HOUR, from, to: Date.now() + AFTER_LOOK_MS, ...least })
    // how late the loop was by it
    await figuresOf(url)
  }
  const askUntil = async (due: number, every: number, hear: (figure: (name: string) => number) => void) => {
    while (performance.now() < due) {
      await pause(Math.min(every, Math.max(1, due - performance.now())))
      hear(await figuresOf(url))
    }
  }
  await askUntil(performance.now() + after, WARM_UP_FIGURES_MS, () => {})
  await look()
  const began = performance.now()
  const cpuOf = async () => (await figuresOf(url))('process_cpu_seconds_total')
  const cpuBefore = await cpuOf()
  const late: number[] = []
  let latest = 0
  const times = Math.min(MOST_LOOKS, Math.floor(lasts / LEAST_BETWEEN_LOOKS_MS))
  for (let no = 1; no <= times; no++) {
    await askUntil(began + (no / times) * lasts, FIGURES_MS, (figure) => {
      late.push(figure('nodejs_eventloop_lag_p99_seconds'))
      latest = Math.max(latest, figure('nodejs_eventloop_lag_max_seconds'))
    })
    await look()
  }
  const seconds = (performance.now() - began) / 1000
  return {
    slope: slope(looks.map(({ x, objects }) => ({ x, y: objects }))),
    heaps: looks.map(({ objects }) => objects),
    buffers: looks.map(({ buffers }) => buffers),
    cpu: ((await cpuOf()) - cpuBefore) / seconds,
    late: percentile(late, 0.5),
    latest,
    outsideOfLooks(spans) {
      const took: number[] = []
      for (let i = 0; i < spans.length; i += 2) {
        const [from, ms] = [spans[i] as number, spans[i + 1] as number]
        const isMeasured = from >= (looks[0]?.to ?? 0) && from < (looks.at(-1)?.from ?? 0)
        if (isMeasured && !looks.some((each) => from < each.to && from + ms > each.from)) took.push(ms)
      }
      return took
    },
  }
}
