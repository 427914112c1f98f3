import { setImmediate as breath } from 'node:timers/promises'
import type { ReadingColumns } from '#machines/contracts/readings.ts'
import type { Device } from '#machines/projections/directory.ts'
import { dateRangeFaults } from '#machines/rules/date-range.ts'
import { dayStarts } from '#machines/rules/days.ts'
import { drivingDays } from '#machines/rules/driving-days.ts'
import { FUEL, fuelOf } from '#machines/rules/fuel.ts'
import { fuelDays } from '#machines/rules/fuel-days.ts'
import { gapOf } from '#machines/rules/gap.ts'
import { type Trip, tripsOf } from '#machines/rules/trips.ts'
import { wallTime } from '#machines/rules/zoned-time.ts'
import type { Visitor } from '../../auth/visitor.ts'
import { OutOfLine } from '../../cluster/line.ts'
import { DAY } from '../../store/chunks/chunk.ts'
import { joined } from '../../store/reading-parts.ts'
import type { HttpContext } from './context.ts'
import { createKeptHistory } from './kept-history.ts'
import { ApiError } from './refusals.ts'

type Span = { startDate: number; endDate: number }

type Deps = Pick<HttpContext, 'answerCall' | 'visible' | 'store' | 'readModels' | 'clock'>

/** Trips, distance and fuel per day, reckoned from the readings as reports are. */
export function chartRoutes(deps: Deps): void {
  const { answerCall, visible, readModels, clock } = deps
  const history = createKeptHistory(deps)
  /** The days requested, of the visitor's company. @throws ApiError for more than a month, or a month to come */
  function span(visitor: Visitor, { startDate, endDate }: Span) {
    const company = readModels.directory.companies.get(visitor.companyId)
    const timeZone = company?.timeZone ?? 'UTC'
    const [fault] = dateRangeFaults({ from: startDate, to: endDate }, clock.now(), timeZone)
    if (fault !== undefined) throw new ApiError(400, fault.message)
    const starts = dayStarts(startDate, endDate + 1, timeZone)
    return { timeZone, starts, gapMs: gapOf(company?.patienceSeconds ?? 0), dates: datesOf(starts, timeZone) }
  }

  /**
   * A day at a time with a breath after each: a month at once would keep others waiting for 50 ms.
   * @throws OutOfLine once the visitor has left
   */
  async function readingsOf(
    visitor: Visitor,
    device: Device,
    { startDate, endDate }: Span,
  ): Promise<ReadingColumns> {
    const parts: ReadingColumns[] = []
    for (let from = startDate; from <= endDate; from = (Math.floor(from / DAY) + 1) * DAY) {
      if (visitor.hasLeft?.()) throw new OutOfLine('Nobody waits for this chart any more')
      const to = Math.min(endDate + 1, (Math.floor(from / DAY) + 1) * DAY)
      parts.push(await history(device, from, to))
      await breath()
    }
    return joined(parts)
  }

  /** Devices one after the other; those out of scope are refused before any work is done. */
  async function eachDevice(
    visitor: Visitor,
    imeis: readonly string[],
    range: Span,
    take: (readings: ReadingColumns) => void,
  ): Promise<void> {
    const devices = new Set(imeis.map((imei) => visible.device(visitor, imei)))
    for (const device of devices) take(await readingsOf(visitor, device, range))
  }

  answerCall('tripsChart', async ({ body, visitor }) => {
    const { timeZone, starts, gapMs, dates } = span(visitor, body)
    const days = dates.map((date) => ({ date, trips: 0, distance: 0, drivingMinutes: 0, longest: 0 }))
    await eachDevice(visitor, body.things, body, (readings) => {
      for (const trip of tripsOf(readings, gapMs)) {
        const day = days[dayOf(readings, trip, starts)]
        if (day === undefined) continue
        day.trips++
        day.distance += trip.km
        day.drivingMinutes += trip.driving / 60_000
        day.longest = Math.max(day.longest, trip.km)
      }
    })
    return { timeZone, data: days.map(roundedLine) }
  })

  answerCall('gdChart', async ({ params, query: { data: range }, visitor }) => {
    const { timeZone, starts, gapMs, dates } = span(visitor, range)
    const readings = await readingsOf(visitor, visible.device(visitor, params.id), range)
    const days = drivingDays(readings, starts, gapMs).map(
      ({ km, driving, idling, standing, topSpeed }, i) => ({
        date: dates[i] as string,
        distance: km,
        drivingMinutes: driving / 60_000,
        idlingMinutes: idling / 60_000,
        standingMinutes: standing / 60_000,
        topSpeed: Number.isNaN(topSpeed) ? 0 : topSpeed,
      }),
    )
    return { timeZone, data: days.map(roundedLine) }
  })

  answerCall('fuelStats', async ({ body, visitor }) => {
    const { timeZone, starts, gapMs, dates } = span(visitor, body)
    const sums = dates.map(() => ({ km: 0, idling: 0, reefer: 0 }))
    await eachDevice(visitor, body.things, body, (readings) => {
      for (const [i, { km, idling, reefer }] of fuelDays(readings, starts, gapMs).entries()) {
        const sum = sums[i] as (typeof sums)[number]
        sum.km += km
        sum.idling += idling
        sum.reefer += reefer
      }
    })
    const days = sums.map((sum, i) => {
      const { driving, idling, reefer, total } = fuelOf(sum)
      return {
        date: dates[i] as string,
        distance: sum.km,
        idlingMinutes: sum.idling / 60_000,
        reeferMinutes: sum.reefer / 60_000,
        drivingLitres: driving,
        idlingLitres: idling,
        reeferLitres: reefer,
        litres: total,
      }
    })
    return { timeZone, per: FUEL, data: days.map(roundedLine) }
  })
}

function datesOf(starts: Float64Array, zone: string): string[] {
  return Array.from(starts.subarray(0, -1), (at) => {
    const { year, month, day } = wallTime(at, zone)
    return [year, month, day].map((n) => String(n).padStart(2, '0')).join('-')
  })
}

/** The day a trip set off on; the first where it was under way before. */
function dayOf({ at }: ReadingColumns, { first }: Trip, starts: Float64Array): number {
  let day = 0
  while (day < starts.length - 2 && (at[first] as number) >= (starts[day + 1] as number)) day++
  return day
}

/** Numbers to three digits. */
function roundedLine<T extends { date: string }>(line: T): T {
  const entries = Object.entries(line).map(([name, value]) => [
    name,
    typeof value === 'number' ? Math.round(value * 1000) / 1000 : value,
  ])
  return Object.fromEntries(entries) as T
}
