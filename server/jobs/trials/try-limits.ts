/** Tries limits on readings: the module of the thread that reports are made on (`../reports/worker-thread.ts`). */
import type {
  Candidate,
  TrialDevice,
  TrialEpisode,
  TrialResult,
} from '#machines/contracts/entities/limits-trials.ts'
import { type ReadingColumns, toUnits } from '#machines/contracts/readings.ts'
import type { Limits, Quantity } from '#machines/rules/limits.ts'
import {
  addEpisodes,
  beginSums,
  type Compared,
  candidateFigures,
  compared,
  summedUp,
  type Tried,
} from '#machines/rules/limits-trial.ts'
import type { LimitsSince } from '#machines/rules/temperature-tally.ts'
import { wallTime } from '#machines/rules/zoned-time.ts'
import { foldCourse } from '../../evaluation/fold-anew.ts'
import type { DeviceLimits } from '../../evaluation/limits.ts'
import { type LimitsOfDevice, limitsInForce } from '../reports/contents/limits-in-force.ts'
import type { MakeFiles, OnProgress, ReportOrder, ReportSource } from '../reports/order.ts'
import type { Exhausted } from './exhausted-budgets.ts'

/** `exhausted`: when budgets of loads on the devices were, as it is known when it is begun. */
export type Trial = {
  quantity: Quantity
  candidates: readonly Candidate[]
  exhausted: readonly Exhausted[]
}
export type TrialOrder = ReportOrder & { trial: Trial }

const DAY = 86_400_000
/** What lasts when the range begins has begun so long before at most, for it to be found, ms. */
export const BEFORE = DAY
const MOST_DEVICES = 24
const MOST_EPISODES = 200
/** Parts of the time in a chart. */
const PARTS = 300

/** One file: the result, as JSON. */
export const makeFiles: MakeFiles = async (order, source, onProgress, signal) => {
  const result = await tryLimits(order as TrialOrder, source, onProgress, signal)
  const bytes = new TextEncoder().encode(JSON.stringify(result))
  return [{ bytes, fileName: 'trial.json', contentType: 'application/json' }]
}

type Range = { from: number; to: number }

/** Evaluates all devices of the order under what was in force at each time and under each candidate, as readings are live. */
export async function tryLimits(
  { from, to, trial, company }: TrialOrder,
  source: ReportSource,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<TrialResult> {
  const began = performance.now()
  const inForce = await limitsInForce(source, from, to)
  const range = { from, to }
  const isNight = nightIn(company.timeZone)
  const now = beginSums(from, to)
  const tried = trial.candidates.map(() => beginSums(from, to))
  const comparisons: Compared[][] = trial.candidates.map(() => [])
  const exhausted = Map.groupBy(trial.exhausted, ({ imei }) => imei)
  const shown: Shown[] = []
  let readings = 0
  for (const [i, device] of source.devices.entries()) {
    signal.throwIfAborted()
    const columns = await source.readings(device.no, from - BEFORE, to)
    const own = inForce.ofDevice(device.no)
    readings += countOf(columns, range)
    const episodes = episodesUnder(trial.quantity, columns, own, range)
    const exhaustedAt = exhausted.get(device.imei)?.map(({ at }) => at)
    addEpisodes(now, episodes, { ...range, margin: marginOf(own[trial.quantity]), isNight })
    const others = trial.candidates.map((candidate, n) => {
      const theirs = episodesUnder(
        trial.quantity,
        columns,
        withCandidate(own, trial.quantity, candidate),
        range,
      )
      addEpisodes(tried[n] as never, theirs, { ...range, margin: candidate.margin, isNight })
      const one = compared(episodes, theirs, exhaustedAt)
      comparisons[n]?.push(one)
      return { theirs, one }
    })
    keep(shown, { device, columns, episodes, others })
    onProgress((i + 1) / source.devices.length)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return {
    readings,
    seconds: (performance.now() - began) / 1000,
    inForce: summedUp(now),
    candidates: tried.map((sums, n) => candidateFigures(sums, comparisons[n] ?? [])),
    devices: shown.map((one) => chartOf(one, trial.quantity, range)),
  }
}

/** What one device's readings are under limits that became others at times: by the fold that evaluates late readings. */
export function episodesUnder(
  quantity: Quantity,
  readings: ReadingColumns,
  limits: LimitsOfDevice,
  { from }: Pick<Range, 'from'>,
): Tried[] {
  const periods = limits[quantity].map(
    ({ from, limits }): Period => ({
      from,
      limits: { temperature: limits, humidity: limits, patience: limits.gap },
    }),
  )
  if (periods.length === 0 || readings.length === 0) return []
  const { episodes } = foldCourse(quantity, {
    readings,
    first: Number.NEGATIVE_INFINITY,
    last: Number.POSITIVE_INFINITY,
    limits: (at) => periodAt(periods, at).limits,
    isChanged: (after, upTo) => periods.some((one, i) => i > 0 && one.from > after && one.from <= upTo),
  })
  return episodes
    .filter(({ clearedAt }) => clearedAt === null || clearedAt > from)
    .map(({ type, since, openedAt, clearedAt, worst, threshold }) => ({
      side: type.startsWith('HIGH') ? 'high' : 'low',
      since,
      openedAt,
      clearedAt,
      worst,
      limit: threshold,
    }))
}

type Period = { from: number; limits: DeviceLimits }

/** The period a time lies in: the first also holds before it. */
function periodAt(periods: readonly Period[], at: number): Period {
  let i = periods.length - 1
  while (i > 0 && (periods[i] as Period).from > at) i--
  return periods[i] as Period
}

const marginOf = (periods: readonly LimitsSince[]): number => periods.at(-1)?.limits.margin ?? 0

/** A candidate in place of all that was in force; what a silence is stays the company's. */
function withCandidate(own: LimitsOfDevice, quantity: Quantity, candidate: Candidate): LimitsOfDevice {
  const { low, high, delaySeconds, margin } = candidate
  const gap = own[quantity].at(-1)?.limits.gap ?? Number.POSITIVE_INFINITY
  const limits: Limits = { low, high, delay: delaySeconds * 1000, margin, gap }
  return { ...own, [quantity]: [{ from: 0, limits }] }
}

/** Looked up once an hour of the range: zones change by whole quarters of one. */
function nightIn(zone: string): (at: number) => boolean {
  const known = new Map<number, boolean>()
  return (at) => {
    const quarter = Math.floor(at / 900_000)
    const before = known.get(quarter)
    if (before !== undefined) return before
    const { hour } = wallTime(at, zone)
    const isNight = hour >= 22 || hour < 6
    known.set(quarter, isNight)
    return isNight
  }
}

function countOf({ at, length }: ReadingColumns, { from, to }: Range): number {
  let count = 0
  for (let i = 0; i < length; i++) if ((at[i] as number) >= from && (at[i] as number) < to) count++
  return count
}

type Shown = {
  device: ReportSource['devices'][number]
  columns: ReadingColumns
  episodes: Tried[]
  others: { theirs: Tried[]; one: Compared }[]
}

/** How much a device is worth looking at: what candidates miss and add first, budgets before all, then what there is. */
function weightOf({ episodes, others }: Shown): number {
  const differing = others.reduce(
    (sum, { one }) => sum + 1000 * one.exhausting.length + 3 * one.missed.length + one.added.length,
    0,
  )
  return differing * 1000 + episodes.length
}

function keep(shown: Shown[], one: Shown): void {
  if (one.episodes.length === 0 && one.others.every(({ theirs }) => theirs.length === 0)) return
  shown.push(one)
  shown.sort((a, b) => weightOf(b) - weightOf(a))
  shown.length = Math.min(shown.length, MOST_DEVICES)
}

function chartOf(
  { device, columns, episodes, others }: Shown,
  quantity: Quantity,
  { from, to }: Range,
): TrialDevice {
  const lows: (number | null)[] = Array.from({ length: PARTS }, () => null)
  const highs: (number | null)[] = lows.slice()
  for (let i = 0; i < columns.length; i++) {
    const part = Math.floor((((columns.at[i] as number) - from) / (to - from)) * PARTS)
    const value = toUnits(quantity, columns[quantity][i] as number)
    if (part < 0 || part >= PARTS || value === undefined) continue
    lows[part] = Math.min(lows[part] ?? value, value)
    highs[part] = Math.max(highs[part] ?? value, value)
  }
  const plain = (episodes: readonly Tried[]): TrialEpisode[] =>
    episodes.slice(-MOST_EPISODES).map(({ limit: _, ...episode }) => episode)
  return {
    imei: device.imei,
    name: device.name,
    lows,
    highs,
    episodes: [plain(episodes), ...others.map(({ theirs }) => plain(theirs))],
    missed: Math.max(0, ...others.map(({ one }) => one.missed.length)),
  }
}
