import type { TelemetryStore } from '../store/store.ts'
import type { ReadModels } from './read-models.ts'

/** What a device said at a time: nothing, something, or something without supply. */
export type Heard = 'nothing' | 'something' | 'unplugged'
export type HeardAt = (no: number, at: number) => Promise<Heard>

/** The time of a reading that was sent in ms may be kept of the same reading in seconds. */
const SAME = 1_000
/** Some 200 bytes each. */
const MOST_KNOWN = 20_000

/**
 * What devices said, by number and time in epoch ms: read once, also by those who ask at the same time, until something more comes of
 * that time. Rejects with StoreUnavailable.
 */
export function createHeardAt(
  telemetry: Pick<TelemetryStore, 'history'>,
  { onAdvance }: Pick<ReadModels, 'onAdvance'>,
): HeardAt {
  const known = new Map<number, Map<number, Promise<Heard>>>()
  let room = MOST_KNOWN
  const forget = (no: number, at: number, what = known.get(no)?.get(at)): void => {
    if (what !== undefined && known.get(no)?.get(at) === what && known.get(no)?.delete(at)) room++
  }
  onAdvance(({ batches }) => {
    if (room === MOST_KNOWN) return
    for (const { readings } of batches)
      for (let i = 0; i < readings.length; i++) {
        const no = readings.device[i] as number
        for (const at of known.get(no)?.keys() ?? [])
          if (Math.abs(at - (readings.at[i] as number)) <= SAME) forget(no, at)
      }
  })
  const read = async (no: number, at: number): Promise<Heard> => {
    const { length, unplug } = await telemetry.history(no, at - SAME + 1, at + SAME)
    if (length === 0) return 'nothing'
    return unplug[length - 1] === 1 ? 'unplugged' : 'something'
  }
  return (no, at) => {
    const was = known.get(no)?.get(at)
    if (was !== undefined) return was
    if (room === 0) {
      known.clear()
      room = MOST_KNOWN
    }
    const heard = read(no, at)
    const ofDevice = known.get(no) ?? new Map<number, Promise<Heard>>()
    known.set(no, ofDevice.set(at, heard))
    room--
    heard.catch(() => forget(no, at, heard))
    return heard
  }
}
