import type { DamageRegister } from '../damage.ts'
import { merged } from '../day-chunks.ts'
import { inSlices } from '../slices.ts'
import type { Database } from './database.ts'
import type { Query } from './session.ts'
import type { ArchiveKeeper } from './telemetry-keeper.ts'
import { type ArchiveState, unlessBusy } from './telemetry-state.ts'
import { type Chunk, FRESH, insertChunks, soundOf } from './telemetry-tables.ts'

/** Fresh chunks read at a time: 64 devices' of a full side. */
const AT_ONCE = 1024

type Merging = {
  database: Database
  keeper: ArchiveKeeper
  damage: DamageRegister
  /** ms of work before others get their turn */
  sliceMs: number
}

/**
 * Merges the small chunks of the side that is full into ones of about two hours, in the tables of their days:
 * half the size, and a sixteenth as many to read. Then the side is emptied as a whole.
 */
export function createMerging({ database, keeper, sliceMs, damage }: Merging) {
  const most = sliceMs === 0 ? 1 : AT_ONCE

  /** All fresh chunks of some devices from `first` on. */
  async function read(side: number, first: number): Promise<{ chunks: Chunk[]; nextDevice: number }> {
    for (let limit = most; ; limit *= 4) {
      const chunks = await database.ask(
        (sql) => sql<Chunk[]>`
          SELECT device, day, job, bytes, sum FROM telemetry_fresh WHERE side = ${side} AND device >= ${first}
          ORDER BY device, day, job LIMIT ${limit}`,
      )
      const last = chunks.at(-1)?.device ?? first
      if (chunks.length < limit) return { chunks, nextDevice: last + 1 }
      // the last one's may go on behind the limit
      const whole = chunks.filter(({ device }) => device < last)
      if (whole.length > 0) return { chunks: whole, nextDevice: last }
    }
  }

  async function mergeAll(chunks: Chunk[], job: number): Promise<Chunk[]> {
    const found: Chunk[] = []
    const groups = Map.groupBy(
      soundOf(chunks, damage, ' before merging'),
      ({ device, day }) => `${device} ${day}`,
    ).values()
    await inSlices(groups, sliceMs, ([first, ...others]) => {
      if (first) found.push({ ...first, job, bytes: merged([first, ...others]) })
    })
    return found
  }

  /** false where others read from it for longer than a moment */
  const empty = (state: ArchiveState, side: number): Promise<boolean> =>
    unlessBusy(async () => {
      const write = async (sql: Query) => {
        await sql`UPDATE chunk_groups SET change = nextval('chunk_changes') WHERE (day, place) IN (
          SELECT DISTINCT day, ${FRESH} || job FROM telemetry_fresh WHERE side = ${side})`
        await sql`TRUNCATE ${sql(`telemetry_fresh_${side}`)}`
        return { ...state, mergeFrom: null, mergeDevice: 0 }
      }
      await keeper.change(state, write, { isImpatient: true })
      return true
    })

  return {
    /** Does some of what is due; whether there is more. */
    async run(): Promise<boolean> {
      const state = await keeper.state()
      if (state.mergeFrom === null) return false
      const { mergeFrom: job } = state
      const side = 1 - state.side
      const { chunks, nextDevice } = await read(side, state.mergeDevice)
      if (chunks.length === 0) return empty(state, side)
      const all = await mergeAll(chunks, job)
      await keeper.change(
        state,
        async (sql) => {
          await insertChunks(sql, all)
          return { ...state, mergeDevice: nextDevice }
        },
        { isRepeatable: true },
      )
      return true
    },
  }
}
