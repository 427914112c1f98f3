import { setImmediate as breath } from 'node:timers/promises'
import type { ViolationTimes } from '#machines/contracts/entities/violations.ts'
import type { ViolationType } from '#machines/contracts/scalars.ts'
import type { Device } from '#machines/projections/directory.ts'
import type { ViolationFact } from '#machines/projections/violation-case.ts'
import { excessOf } from '#machines/rules/excess.ts'
import { gapOf } from '#machines/rules/gap.ts'
import { quantityOf } from '#machines/rules/limits.ts'
import { NOWHERE } from '#machines/rules/nearest-place.ts'
import { createTimeSums, joined, type TimeBeyond } from '#machines/rules/violation-times.ts'
import { VIOLATION_WORDS } from '#machines/rules/violation-words.ts'
import { wallTime } from '#machines/rules/zoned-time.ts'
import { knownPlaces } from '../../data/places.ts'
import type { ViolationSpan } from '../../read-models/notification-index.ts'
import { beginningOf, isViolationFact } from '../../read-models/notification-of.ts'
import type { HttpContext } from './context.ts'
import type { KeptHistory } from './kept-history.ts'

type Deps = Pick<HttpContext, 'store' | 'readModels'> & {
  keptHistory: KeptHistory
  /** a device as it is shown, by its number */
  shownAs: (deviceNo: number) => Device
}
/** A violation within the range that is asked for. `no`, `seq`: as in its span; `isNotified`: it was published within the range. */
type Part = Omit<ViolationSpan, 'to'> & TimeBeyond & { isNotified: boolean }
type Sums = Omit<ViolationTimes, 'places' | 'placesOf' | 'devices' | 'more'>
type DeviceSums = { no: number; minutes: number; violations: number; parts: Part[] }

/** Devices in an answer at most. */
const MOST_DEVICES = 50
/** Violations whose place is looked up, the longest first. */
const MOST_PLACED = 1000
const PLACED_A_BREATH = 100
const MOST_PLACES = 12
/** Readings of so many minutes beyond are added up in one answer, those of the devices that were out longest first. */
const MOST_READ = 100_000
const MINUTE = 60_000

/** How long and how far devices were beyond their limits within a range, epoch ms; `now` is where what lasts ends. */
export async function violationTimes(
  deps: Deps,
  spans: readonly ViolationSpan[],
  { from, to }: TimeBeyond,
  timeZone: string,
  now: number,
): Promise<ViolationTimes> {
  const end = Math.min(to, now)
  const parts = spans.map((span) => ({
    ...span,
    from: Math.max(span.from, from),
    to: Math.min(span.to ?? end, end),
    isNotified: span.notifiedAt >= from,
  }))
  const devices = byDevice(parts)
  const placed = parts.toSorted((a, b) => lengthOf(b) - lengthOf(a)).slice(0, MOST_PLACED)
  return {
    ...sumsOf(devices, parts, { from, to }, timeZone),
    places: await placesOf(deps, placed),
    placesOf: placed.length,
    devices: await worstOf(deps, devices.slice(0, MOST_DEVICES)),
    more: Math.max(0, devices.length - MOST_DEVICES),
  }
}

/** The devices and how long one of their values was beyond a limit, longest first. */
function byDevice(parts: readonly Part[]): DeviceSums[] {
  const found = Map.groupBy(parts, ({ no }) => no)
  return [...found]
    .map(([no, own]) => ({
      no,
      minutes: sum(joined(own), lengthOf) / MINUTE,
      violations: own.filter(({ isNotified }) => isNotified).length,
      parts: own,
    }))
    .sort((a, b) => b.minutes - a.minutes || b.violations - a.violations || a.no - b.no)
}

function sumsOf(
  devices: readonly DeviceSums[],
  parts: readonly Part[],
  range: TimeBeyond,
  timeZone: string,
): Sums {
  const sums = createTimeSums(range, timeZone)
  for (const device of devices) for (const time of joined(device.parts)) sums.add(time)
  const notified = new Float64Array(sums.byDay.length)
  for (const { isNotified, notifiedAt } of parts) {
    const day = sums.dayOf(notifiedAt)
    if (isNotified) notified[day] = (notified[day] as number) + 1
  }
  const kindMinutes = (type: ViolationType): number =>
    sum(
      parts.filter((part) => part.type === type),
      lengthOf,
    ) / MINUTE
  return {
    minutes: sum(devices, ({ minutes }) => minutes),
    kinds: {
      LOW_TEMPERATURE_DETECTED: kindMinutes('LOW_TEMPERATURE_DETECTED'),
      LOW_HUMIDITY_DETECTED: kindMinutes('LOW_HUMIDITY_DETECTED'),
      HIGH_TEMPERATURE_DETECTED: kindMinutes('HIGH_TEMPERATURE_DETECTED'),
      HIGH_HUMIDITY_DETECTED: kindMinutes('HIGH_HUMIDITY_DETECTED'),
    },
    hours: Array.from(sums.byHour, (ms) => ms / MINUTE),
    days: Array.from(sums.byDay, (ms, i) => ({
      day: dayName(sums.days[i] as number, timeZone),
      minutes: ms / MINUTE,
      violations: notified[i] as number,
    })),
  }
}

/** By the town where violations began, longest first. */
async function placesOf(deps: Deps, parts: readonly Part[]): Promise<ViolationTimes['places']> {
  const found = new Map<string, { place: string; minutes: number; violations: number }>()
  for (const [i, part] of parts.entries()) {
    if (i % PLACED_A_BREATH === 0) await breath()
    const place = placeOf(factOf(deps, part))
    const known = found.get(place) ?? { place, minutes: 0, violations: 0 }
    known.minutes += lengthOf(part) / MINUTE
    if (part.isNotified) known.violations++
    found.set(place, known)
  }
  return [...found.values()].sort((a, b) => b.minutes - a.minutes).slice(0, MOST_PLACES)
}

async function worstOf(deps: Deps, devices: readonly DeviceSums[]): Promise<ViolationTimes['devices']> {
  const { directory } = deps.readModels
  const worst: ViolationTimes['devices'] = []
  let read = 0
  for (const { no, minutes, violations, parts } of devices) {
    const { imei, plateNumber, name } = deps.shownAs(no)
    read += sum(parts, lengthOf) / MINUTE
    const far =
      read <= MOST_READ
        ? await excessesOf(deps, directory.devices[no] as Device, parts)
        : { degreeMinutes: null, percentMinutes: null }
    const longest = parts.reduce((a, b) => (lengthOf(b) > lengthOf(a) ? b : a))
    worst.push({
      ...{ imei, plateNumber, name, minutes, violations },
      ...far,
      place: placeOf(factOf(deps, longest)),
    })
  }
  return worst
}

/** How far a device was beyond its limits for how long, by what it measured meanwhile. */
async function excessesOf(deps: Deps, device: Device, parts: readonly Part[]) {
  const { directory, attention } = deps.readModels
  const gapMs = gapOf(directory.companies.get(device.companyId)?.patienceSeconds ?? 0)
  const excess = { temperature: 0, humidity: 0 }
  for (const part of parts) {
    const fact = factOf(deps, part)
    if (fact === undefined) continue
    const quantity = quantityOf(part.type)
    const columns = await deps.keptHistory(device, part.from, part.to + 1)
    const { threshold } = beginningOf(fact, attention.violations)
    const { side } = VIOLATION_WORDS[part.type]
    excess[quantity] += excessOf(columns, quantity, { side, threshold, gapMs })
  }
  return { degreeMinutes: excess.temperature, percentMinutes: excess.humidity }
}

/** The fact that published a violation first. */
function factOf({ store }: Deps, { seq }: Part): ViolationFact | undefined {
  const [fact] = store.log.readFacts(seq - 1, { limit: 1 })
  return fact !== undefined && isViolationFact(fact) ? fact : undefined
}

/** The town nearest to where a violation began; nothing where that is not known. */
function placeOf(fact: ViolationFact | undefined): string {
  const { lat, lng } = fact?.data ?? {}
  return lat == null || lng == null ? NOWHERE : knownPlaces().town(lat, lng)
}

/** 2026-06-14 */
function dayName(at: number, timeZone: string): string {
  const { year, month, day } = wallTime(at, timeZone)
  const two = (n: number): string => String(n).padStart(2, '0')
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
}

const lengthOf = ({ from, to }: TimeBeyond): number => Math.max(0, to - from)

const sum = <T>(all: readonly T[], of: (one: T) => number): number => all.reduce((s, one) => s + of(one), 0)
