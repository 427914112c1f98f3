import { setImmediate as nextTurn } from 'node:timers/promises'
import { encodeChunk } from '../chunks/chunk.ts'
import type { DamageRegister } from '../damage.ts'
import {
  addToSummary,
  type DayPart,
  dayPartsOf,
  mayBeStored,
  readingsIn,
  replaceSummary,
} from '../day-chunks.ts'
import type { RecentReadings } from '../recent-readings.ts'
import type { Retention } from '../retention.ts'
import type { DeviceDay } from '../store.ts'
import { raiseNewest } from './newest-table.ts'
import type { Query } from './session.ts'
import type { ArchiveKeeper } from './telemetry-keeper.ts'
import type { ArchiveState } from './telemetry-state.ts'
import {
  type Chunk,
  chunksOfDays,
  insertFresh,
  soundOf,
  summariesToChange,
  writeDays,
} from './telemetry-tables.ts'

/** Compactions whose chunks are merged into one: at 100,000 devices about two hours. Of eight a reading takes a tenth more. */
const GROUP = 16
/** Slices of work that share a transaction. */
const SLICES = 8

type Compacting = {
  keeper: ArchiveKeeper
  recent: RecentReadings
  /** number of the log up to which this node's tail is whole */
  head: () => number
  retention: Retention
  damage: DamageRegister
  /** ms of work before others get their turn */
  sliceMs: number
}

/**
 * Turns the readings of the tail into chunks, some devices a transaction, which also notes how far it came. Cut off
 * anywhere, any node goes on from there: the batches stay until the last device is written.
 */
export function createCompaction(parts: Compacting) {
  const { keeper, recent, sliceMs } = parts
  const { tail } = recent

  /** the state in which there is a job: the one at work, or one that is due */
  function jobOf(state: ArchiveState, now: number, force: boolean): ArchiveState | undefined {
    if (state.jobThrough !== null) return state
    const due = recent.due(now, force)
    if (due === undefined) return undefined
    const job = state.job + 1
    const begun = { ...state, job, jobThrough: due.through, nextDevice: 0 }
    if (job - state.sideFrom < GROUP || state.mergeFrom !== null) return begun
    return { ...begun, side: 1 - state.side, sideFrom: job, mergeFrom: state.sideFrom, mergeDevice: 0 }
  }

  /** Some devices' chunks, from `first` on; others get their turn in between. */
  async function encode(job: number, first: number, endRow: number) {
    const days: DayPart[] = []
    const chunks: Chunk[] = []
    let device = first
    for (let slice = 0; slice < SLICES && device < tail.devices; slice++) {
      const started = performance.now()
      do {
        for (const one of dayPartsOf(tail, device, endRow)) {
          days.push(one)
          chunks.push({ device, day: one.day, job, bytes: encodeChunk(one.readings) })
        }
        device++
      } while (device < tail.devices && performance.now() - started < sliceMs)
      if (sliceMs === 0) break
      await nextTurn()
    }
    return { days, chunks, nextDevice: device }
  }

  async function write(sql: Query, side: number, days: DayPart[], chunks: Chunk[], now: number) {
    if (chunks.length === 0) return
    const pairs = days.map(({ device, day }): DeviceDay => [device, day])
    const times = new Map<number, number>()
    for (const { device, readings } of days) times.set(device, readings.at[readings.length - 1] as number)
    const [summaries, newestBefore] = await Promise.all([
      summariesToChange(sql, pairs),
      raiseNewest(sql, times),
      insertFresh(sql, side, chunks),
      writeDays(
        sql,
        pairs.map(([, day]) => day),
        parts.retention.firstDay(now),
        now,
      ),
    ])
    const isMixed = (one: DayPart) => mayBeStored(one, newestBefore(one.device))
    const mixed = days.filter(isMixed).map(({ device, day }): DeviceDay => [device, day])
    const stored = mixed.length === 0 ? [] : await chunksOfDays(sql, mixed)
    const byDay = Map.groupBy(soundOf(stored, parts.damage), ({ device, day }) => `${device} ${day}`)
    for (const one of days) {
      const { device, day } = one
      const block = summaries.block(device, day)
      if (!isMixed(one)) addToSummary(block, one)
      else replaceSummary(block, { ...one, readings: readingsIn(byDay.get(`${device} ${day}`) ?? []) })
    }
    await summaries.write()
  }

  return {
    /** does some of what is due; whether there is more */
    async run(now: number, force = false): Promise<boolean> {
      const state = await keeper.state()
      const job = jobOf(state, now, force)
      // who took over and does not have all of it yet leaves it to whoever has
      if (job === undefined || job.jobThrough === null || job.jobThrough > parts.head()) return false
      const { jobThrough: through } = job
      const { days, chunks, nextDevice } = await encode(job.job, job.nextDevice, recent.rowsThrough(through))
      const isDone = nextDevice >= tail.devices
      const to: ArchiveState = isDone
        ? { ...job, doneThrough: through, jobThrough: null, nextDevice: 0 }
        : { ...job, nextDevice }
      const isWritten = await keeper.change(
        state,
        async (sql) => {
          await write(sql, job.side, days, chunks, now)
          if (isDone) await sql`SELECT pg_notify('telemetry', ${String(through)})`
          return to
        },
        { isRepeatable: !isDone },
      )
      if (isWritten) recent.taken(through)
      return !(isWritten && isDone)
    },
  }
}
