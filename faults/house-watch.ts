import { setTimeout as pause } from 'node:timers/promises'
import { percentile, slope } from '../bench/figures.ts'
import type { HeapGauge } from './heap.ts'
import { figuresOf } from './house-figures.ts'

const HOUR = 3_600_000
/** Looks into the heap after the first. Each stops the house for some tenths of a second: what is under way then is left out. */
const LOOKS = 12
/** What waited for a look to end is done soon after it. */
const AFTER_LOOK_MS = 200
const FIGURES_MS = 2000

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
 * Looks at the house again and again for so long, ms, `after` so long: it is asked how it is before too, or what that
 * leaves in the heap, half a megabyte of code, would come after the first look.
 */
export async function watch(
  url: string,
  gauge: HeapGauge,
  { after, lasts }: { after: number; lasts: number },
): Promise<Watched> {
  const looks: { x: number; from: number; to: number; objects: number; buffers: number }[] = []
  const look = async (): Promise<void> => {
    const from = Date.now()
    const first = await gauge.measure()
    // what came in during a collection is in what is left of it: the lower of two says more
    const second = await gauge.measure()
    const heap = first.objects < second.objects ? first : second
    looks.push({ x: from / HOUR, from, to: Date.now() + AFTER_LOOK_MS, ...heap })
    // how late the loop was by it
    await figuresOf(url)
  }
  const askUntil = async (due: number, hear: (figure: (name: string) => number) => void) => {
    while (performance.now() < due) {
      await pause(Math.min(FIGURES_MS, Math.max(1, due - performance.now())))
      hear(await figuresOf(url))
    }
  }
  await askUntil(performance.now() + after, () => {})
  await look()
  const began = performance.now()
  const cpuOf = async () => (await figuresOf(url))('process_cpu_seconds_total')
  const cpuBefore = await cpuOf()
  const late: number[] = []
  let latest = 0
  for (let no = 1; no <= LOOKS; no++) {
    await askUntil(began + (no / LOOKS) * lasts, (figure) => {
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
