import type { Clock } from '#machines/contracts/clock.ts'
import type { FactType } from '#machines/contracts/facts.ts'
import type { Directory } from '#machines/projections/directory.ts'
import type { ScheduleRecord } from '#machines/projections/schedules.ts'
import type { Execute } from '../../commands/execute.ts'
import { runSchedule } from '../../commands/schedules/schedules.ts'
import type { ReadModels } from '../../read-models/read-models.ts'
import { StoreUnavailable } from '../../store/store.ts'
import { streamOf } from '../reports/queue.ts'
import { periodEndAfter, periodEndingAfter } from './periods.ts'

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

/** One that could not be run is tried again so much later, by the server's clock. */
const PASSED_OVER_MS = 60_000

/** `at`: when it is to be run next, epoch ms. */
type Due = { schedule: ScheduleRecord; at: number }

/**
 * Runs schedules: each period of each once, oldest first, however far the clock leaps and however often the server starts
 * anew, as what was run is told in the log. One that cannot be run holds up no other.
 */
export function startScheduler({ readModels, execute, clock, warn }: Options): Scheduler {
  const { directory } = readModels
  let isStopped = false
  /** the server's clock need not be looked at before; NaN: not known */
  let nextAt = Number.NaN
  let running: Promise<void> | undefined
  /** a schedule that is changed is another record: it is reckoned anew, and passed over no more */
  const ends = new WeakMap<ScheduleRecord, { ranTo: number; timeZone: string; to: number }>()
  const passedOver = new WeakMap<ScheduleRecord, number>()

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
      const due = nextDue()
      nextAt = due?.at ?? Number.POSITIVE_INFINITY
      if (isStopped || due === undefined || clock.now() < nextAt) return
      await run(due.schedule).catch((error: unknown) => passOver(due.schedule, error))
    }
  }

  function nextDue(): Due | undefined {
    let first: Due | undefined
    for (const schedule of directory.schedules.values()) {
      const at = Math.max(endOf(schedule) + SETTLES_MS, passedOver.get(schedule) ?? Number.NEGATIVE_INFINITY)
      if (first === undefined || at < first.at) first = { schedule, at }
    }
    return first
  }

  /** When the next period of a schedule ends: reckoned once a period, as all schedules are looked at after each run. */
  function endOf(schedule: ScheduleRecord): number {
    const { ranTo, interval } = schedule
    const timeZone = zoneOf(directory, schedule)
    const known = ends.get(schedule)
    if (known?.ranTo === ranTo && known.timeZone === timeZone) return known.to
    let to = Number.NEGATIVE_INFINITY
    try {
      to = periodEndAfter(ranTo, interval, timeZone)
    } catch {
      // it is due at once: running it says what is wrong
    }
    ends.set(schedule, { ranTo, timeZone, to })
    return to
  }

  /** Something is wrong with one schedule: its periods wait, in order, and the others are run. @throws where the store cannot write */
  function passOver(schedule: ScheduleRecord, error: unknown): void {
    if (error instanceof StoreUnavailable) throw error
    passedOver.set(schedule, clock.now() + PASSED_OVER_MS)
    warn(`schedule ${schedule.scheduleId} cannot be run, retrying in a minute: ${String(error)}`)
  }

  async function run(schedule: ScheduleRecord): Promise<void> {
    const { scheduleId, companyId, reportTypes, ranTo, interval } = schedule
    const period = periodEndingAfter(ranTo, interval, zoneOf(directory, schedule))
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

const zoneOf = ({ companies }: Directory, { companyId }: ScheduleRecord): string =>
  companies.get(companyId)?.timeZone ?? 'UTC'
