import type { Clock } from '#machines/contracts/clock.ts'
import type { FactType } from '#machines/contracts/facts.ts'
import type { Directory } from '#machines/projections/directory.ts'
import type { ScheduleRecord } from '#machines/projections/schedules.ts'
import type { Execute } from '../../commands/execute.ts'
import { runSchedule } from '../../commands/schedules/schedules.ts'
import type { ReadModels } from '../../read-models/read-models.ts'
import { streamOf } from '../reports/queue.ts'
import { type Period, periodEndingAfter } from './periods.ts'

export type Scheduler = {
  /** resolves when every period that is over by now was run */
  settled(): Promise<void>
  stop(): Promise<void>
}

type Options = {
  readModels: ReadModels
  execute: Execute
  clock: Clock
  /** for operators */
  warn(message: string): void
}

/** A period is run so long after its end, by the server's clock: by then what was measured in it has mostly come in. */
const SETTLES_MS = 15 * 60_000
/** The server's clock is looked at so often, real time; it may be a fast one. */
const LOOK_EVERY_MS = 500

type Due = { schedule: ScheduleRecord; period: Period }

/**
 * Runs schedules: each period of each once, oldest first, however far the clock leaps and however often the server starts
 * anew, as what was run is told in the log.
 */
export function startScheduler({ readModels, execute, clock, warn }: Options): Scheduler {
  const { directory } = readModels
  let isStopped = false
  /** the server's clock need not be looked at before; NaN: not known */
  let nextAt = Number.NaN
  let running: Promise<void> | undefined

  const unfollow = readModels.onAdvance(({ facts }) => {
    if (facts.some(({ type }) => movesNext(type))) nextAt = Number.NaN
  })
  const timer = setInterval(look, LOOK_EVERY_MS)

  function look(): void {
    if (isStopped || clock.now() < nextAt) return
    running ??= runDue()
      .catch((error: unknown) => warn(`schedules are not run now: ${String(error)}`))
      .finally(() => {
        running = undefined
      })
  }

  async function runDue(): Promise<void> {
    for (;;) {
      const due = nextDue(directory)
      nextAt = due === undefined ? Number.POSITIVE_INFINITY : due.period.to + SETTLES_MS
      if (isStopped || due === undefined || clock.now() < nextAt) return
      await run(due)
    }
  }

  async function run({ schedule, period }: Due): Promise<void> {
    const { scheduleId, companyId, reportTypes } = schedule
    // named after what they are of: whoever tries the same period again asks for the same reports
    const reportIds = reportTypes.map((_, i) => `${scheduleId}-${period.to}-${i}`)
    await execute(
      streamOf(companyId),
      { type: 'schedule.run', by: null, data: { scheduleId, ...period, reportIds, upTo: readModels.seq } },
      runSchedule,
    )
  }

  return {
    async settled() {
      look()
      while (running) await running
    },
    async stop() {
      isStopped = true
      clearInterval(timer)
      unfollow()
      await running
    },
  }
}

/** Whether another period may be the next one after such a fact: a company's time zone moves the ends of its periods. */
const movesNext = (type: FactType): boolean =>
  type === 'company.settings-changed' || type.startsWith('schedule.')

/** The period that ends first of those no schedule was run for. */
function nextDue({ schedules, companies }: Directory): Due | undefined {
  let first: Due | undefined
  for (const schedule of schedules.values()) {
    const timeZone = companies.get(schedule.companyId)?.timeZone ?? 'UTC'
    const period = periodEndingAfter(schedule.ranTo, schedule.interval, timeZone)
    if (first === undefined || period.to < first.period.to) first = { schedule, period }
  }
  return first
}
