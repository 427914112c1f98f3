import { timesOfChunks } from '../chunks/times.ts'
import type { Database } from './database.ts'
import { chunksOf } from './telemetry-tables.ts'

/** Device days whose times are kept at hand. */
const KEPT = 512

/** Times of compacted readings, asked of the database once for many questions. */
export function createStoredTimes(database: Database) {
  const times = new Map<string, Promise<Float64Array>>()
  const nameOf = (device: number, day: number) => `${device} ${day}`

  return {
    /** ascending; all that was compacted when this was last cleared, perhaps more */
    of(device: number, day: number): Promise<Float64Array> {
      const name = nameOf(device, day)
      const known = times.get(name)
      if (known) return known
      const asked = database
        .ask((sql) => chunksOf(sql, device, day, day + 1))
        .then((chunks) =>
          timesOfChunks(
            chunks.map(({ bytes }) => bytes),
            day,
          ),
        )
      if (times.size >= KEPT) times.clear()
      times.set(name, asked)
      asked.catch(() => times.delete(name))
      return asked
    },
    drop: (device: number, day: number) => times.delete(nameOf(device, day)),
    clear: () => times.clear(),
  }
}
