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

type State = Options & {
  isStopped: boolean
  /** the server's clock need not be looked at before; NaN: not known */
  nextAt: number
  running: Promise<void> | undefined
  /** a schedule that is changed is another record: it is reckoned anew, and passed over no more */
  readonly ends: WeakMap<ScheduleRecord, { ranTo: number; timeZone: string; to: number }>
  /** until when, epoch ms */
  readonly passedOver: WeakMap<ScheduleRecord, number>
}

/**
 * Runs schedules: each period of each once, oldest first, however far the clock leaps and however often the server starts
 * anew, as what was run is in the log. One that cannot be run holds up no other.
 */
export function startScheduler(options: Options): Scheduler {
  const state: State = {
    ...options,
    isStopped: false,
    nextAt: Number.NaN,
    running: undefined,
    ends: new WeakMap(),
    passedOver: new WeakMap(),
  }
  const unfollow = options.readModels.onAdvance(({ facts }) => {
    if (facts.some(({ type }) => movesNext(type))) state.nextAt = Number.NaN
  })
  const timer = setInterval(look, LOOK_EVERY_MS, state)
  return {
    async settled() {
      look(state)
      while (state.running) await state.running
    },
    async stop() {
      state.isStopped = true
      clearInterval(timer)
      unfollow()
      await state.running
    },
  }
}

function look(state: State): void {
  const { clock, warn } = state
  if (state.isStopped || clock.now() < state.nextAt) return
  state.running ??= runDue(state)
    .catch((error: unknown) => warn(`schedules are not run now: ${String(error)}`))
    .finally(() => {
      state.running = undefined
    })
}

async function runDue(state: State): Promise<void> {
  for (;;) {
    const due = nextDue(state)
    state.nextAt = due?.at ?? Number.POSITIVE_INFINITY
    if (state.isStopped || due === undefined || state.clock.now() < state.nextAt) return
    await run(state, due.schedule).catch((error: unknown) => passOver(state, due.schedule, error))
  }
}

function nextDue(state: State): Due | undefined {
  let first: Due | undefined
  for (const schedule of state.readModels.directory.schedules.values()) {
    const passedOver = state.passedOver.get(schedule) ?? Number.NEGATIVE_INFINITY
    const at = Math.max(endOf(state, schedule) + SETTLES_MS, passedOver)
    if (first === undefined || at < first.at) first = { schedule, at }
  }
  return first
}

/** When the next period of a schedule ends: reckoned once a period, as all schedules are looked at after each run. */
function endOf({ readModels, ends }: State, schedule: ScheduleRecord): number {
  const { ranTo, interval } = schedule
  const timeZone = zoneOf(readModels.directory, schedule)
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
function passOver({ clock, warn, passedOver }: State, schedule: ScheduleRecord, error: unknown): void {
  if (error instanceof StoreUnavailable) throw error
  passedOver.set(schedule, clock.now() + PASSED_OVER_MS)
  warn(`schedule ${schedule.scheduleId} cannot be run, retrying in a minute: ${String(error)}`)
}

async function run({ readModels, execute }: State, schedule: ScheduleRecord): Promise<void> {
  const { scheduleId, companyId, reportTypes, ranTo, interval } = schedule
  const period = periodEndingAfter(ranTo, interval, zoneOf(readModels.directory, schedule))
  // named after what they are of: whoever tries the same period again asks for the same reports
  const reportIds = reportTypes.map((_, i) => `${scheduleId}-${period.to}-${i}`)
  await execute(
    streamOf(companyId),
    { type: 'schedule.run', by: null, data: { scheduleId, ...period, reportIds, upTo: readModels.seq } },
    runSchedule,
  )
}

/** Whether another period may be the next one after such a fact: a company's time zone moves the ends of its periods. */
const movesNext = (type: FactType): boolean =>
  type === 'company.settings-changed' || type.startsWith('schedule.')

const zoneOf = ({ companies }: Directory, { companyId }: ScheduleRecord): string =>
  companies.get(companyId)?.timeZone ?? 'UTC'
