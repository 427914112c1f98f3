import { fileURLToPath } from 'node:url'
import { READING_FIELDS } from '#machines/contracts/readings.ts'
import { type TimedValue, timeToLimit } from '#machines/rules/time-to-limit.ts'
import { loadScenario } from '../../simulator/world/load-scenario.ts'
import { createWorld, type World } from '../../simulator/world/world.ts'
import { type Figure, percentile } from './figures.ts'

const SCENARIOS = [
  'vaccine-run',
  'demo',
  'heat-wave',
  'dairy-dawn',
  'quiet-day',
  'night-in-the-valley',
  'network-outage',
  'large-customer',
] as const
const DEVICES = 300
const MINUTE = 60_000
/** A day to know the usual by, then so long is watched. */
const BEFORE = 24 * 60
const WATCHED = 12 * 60
/** Minutes between two looks, in which what was announced may be left unsaid, and that a crossing has to last to count. */
const LOOK = 2
const PAUSE = 15
const LASTS = 10
/** Minutes before, for it to be of use; and from the usual to the limit, for a warming to be called slow. */
const EARLY = 10
const SLOW = 30
/** What is usual: where it was for 98 % of the day before. */
const USUAL = 0.98

const { missing, scale } = READING_FIELDS.temperature

type Counts = { crossings: number; slow: number; announced: number; announcements: number; false: number }
type Limits = { low: number; high: number }

/**
 * How often «reaches 8 °C in about 50 min» would be right: the rule on a value a minute of what the devices of each scenario measure, the
 * excursions of its script among them.
 */
export async function measureTimeToLimit(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const name of SCENARIOS) {
    const scenario = await loadScenario(
      fileURLToPath(import.meta.resolve(`#fixtures/scenarios/${name}.json`)),
    )
    const counts = countIn(createWorld(scenario, { devices: DEVICES }))
    figures.push(...figuresOf(name, counts))
  }
  return figures
}

function figuresOf(name: string, counts: Counts): Figure[] {
  const { crossings, slow, announced, announcements } = counts
  return [
    {
      what: `${name}: slow warmings announced at least ten minutes before`,
      measured: `${announced} of ${slow}, of ${crossings} crossings in all`,
      target: '≥ 60 %',
      ...(slow > 0 && { isReached: announced >= 0.6 * slow }),
    },
    {
      what: `${name}: announcements that did not come`,
      measured: `${counts.false} of ${announcements}`,
      target: '≤ 20 %',
      ...(announcements > 0 && { isReached: counts.false <= 0.2 * announcements }),
    },
  ]
}

function countIn(world: World): Counts {
  const counts: Counts = { crossings: 0, slow: 0, announced: 0, announcements: 0, false: 0 }
  const limitsOf = new Map(
    world.scenario.companies.flatMap(({ groups }) =>
      groups.map(({ id, lowTemperatureThreshold: low, highTemperatureThreshold: high }) => [
        id,
        { low, high },
      ]),
    ),
  )
  const from = world.start - 4 * 60 * MINUTE - BEFORE * MINUTE
  for (const [index, { fleet }] of world.registration.devices.entries()) {
    const limits = limitsOf.get(fleet.groupId)
    if (limits === undefined) continue
    const { at, temperature, length } = world.history(index, from, from + (BEFORE + WATCHED) * MINUTE, MINUTE)
    const values: TimedValue[] = []
    for (let i = 0; i < length; i++)
      if (temperature[i] !== missing)
        values.push({
          minute: ((at[i] as number) - from) / MINUTE,
          value: (temperature[i] as number) / scale,
        })
    count(values, limits, counts)
  }
  return counts
}

/** Adds what one device did, and what would have been said of it. */
function count(values: readonly TimedValue[], limits: Limits, counts: Counts): void {
  const first = values.findIndex(({ minute }) => minute >= BEFORE)
  if (first < 1) return
  const before = values.slice(0, first).map(({ value }) => value)
  const usual = { low: percentile(before, 1 - USUAL), high: percentile(before, USUAL) }
  const crossings = crossingsOf(values.slice(first), limits)
  /** from when to when it was said without a pause, and by when it was to come */
  const jumps: { side: string; from: number; to: number; by: number }[] = []
  for (let i = first; i < values.length; i += LOOK) {
    const found = timeToLimit(values.slice(Math.max(0, i - 60), i + 1), limits, usual)
    const now = (values[i] as TimedValue).minute
    if (found === undefined) continue
    const open = jumps.at(-1)
    // it has twice the time it was given
    const by = now + Math.max(EARLY, 2 * found.minutes)
    if (open !== undefined && open.side === found.side && now - open.to <= PAUSE)
      Object.assign(open, { to: now, by })
    else jumps.push({ side: found.side, from: now, to: now, by })
  }
  const end = values.at(-1)?.minute ?? 0
  const comesTrue = ({ side, from, by }: (typeof jumps)[number]) =>
    crossings.some((one) => one.side === side && one.at >= from && one.at <= by)
  // whether what was to come after the end came is not known
  const known = jumps.filter((one) => one.by <= end || comesTrue(one))
  counts.announcements += known.length
  counts.false += known.filter((one) => !comesTrue(one)).length
  counts.crossings += crossings.length
  for (const crossing of crossings) {
    if (crossing.at - lastUsual(values, crossing.at, usual) < SLOW) continue
    counts.slow++
    if (
      jumps.some(
        ({ side, from, to }) =>
          side === crossing.side && from <= crossing.at - EARLY && to >= crossing.at - PAUSE,
      )
    )
      counts.announced++
  }
}

type Crossing = { side: 'above' | 'below'; at: number }

/** When a device that was within its limits went beyond one, for ten minutes at least. */
function crossingsOf(values: readonly TimedValue[], { low, high }: Limits): Crossing[] {
  const crossings: Crossing[] = []
  let since: Crossing | undefined
  let wasInside = false
  for (const { minute, value } of values) {
    const side = value > high ? 'above' : value < low ? 'below' : undefined
    // what it is in at first began before one looked, and is none
    if (side !== since?.side) since = side && wasInside ? { side, at: minute } : undefined
    wasInside ||= side === undefined
    if (since && minute - since.at >= LASTS && crossings.at(-1) !== since) crossings.push(since)
  }
  return crossings
}

/** The last minute before a crossing at which the value was where it usually is. */
function lastUsual(values: readonly TimedValue[], at: number, usual: Limits): number {
  const last = values.findLast(
    ({ minute, value }) => minute < at && value >= usual.low && value <= usual.high,
  )
  return last?.minute ?? Number.NEGATIVE_INFINITY
}
