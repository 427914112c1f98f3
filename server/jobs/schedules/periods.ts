import { Cron } from 'croner'
import type { ScheduleInterval } from '#machines/contracts/entities/reports.ts'

/** [from, to), epoch ms. */
export type Period = { from: number; to: number }

/** When periods end: at midnight, on Mondays, on the first of a month; ten days end on the 1st, the 11th and the 21st. */
const ENDS: Readonly<Record<ScheduleInterval, string>> = {
  Daily: '0 0 * * *',
  Weekly: '0 0 * * 1',
  Monthly: '0 0 1 * *',
  TenDays: '0 0 1,11,21 * *',
}
/** Longer than the longest period and a day that a change of clocks adds. */
const BEYOND_ONE = 33 * 86_400_000

const crons = new Map<string, Cron>()

function cronOf(interval: ScheduleInterval, timeZone: string): Cron {
  const name = `${interval} ${timeZone}`
  const known = crons.get(name)
  if (known) return known
  const made = new Cron(ENDS[interval], { timezone: timeZone, paused: true })
  crons.set(name, made)
  return made
}

/** When the first period ends that ends after an instant, epoch ms. @throws where the zone is none */
export const periodEndAfter = (at: number, interval: ScheduleInterval, timeZone: string): number =>
  endAfter(cronOf(interval, timeZone), at)

/**
 * The first period that ends after an instant, by the calendar of the zone: across a change of clocks a day has 23 or 25
 * hours. It may have begun before that instant.
 */
export function periodEndingAfter(at: number, interval: ScheduleInterval, timeZone: string): Period {
  const cron = cronOf(interval, timeZone)
  const to = endAfter(cron, at)
  let from = endAfter(cron, to - BEYOND_ONE)
  for (let next = endAfter(cron, from); next < to; next = endAfter(cron, next)) from = next
  return { from, to }
}

function endAfter(cron: Cron, at: number): number {
  const next = cron.nextRun(new Date(at))
  if (next === null) throw new RangeError(`no period ends after ${at}`)
  return next.getTime()
}
