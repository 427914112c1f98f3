import { setImmediate as breath } from 'node:timers/promises'
import { ON_TIME } from '#machines/contracts/readings.ts'
import type { LateHour } from '../../store/frames.ts'
import { DEVICES } from '../../store/storable.ts'
import type { BatchRecord, EventLog } from '../../store/store.ts'

const HOUR = 3_600_000
const RECORDS_A_BREATH = 20

/** Hours that something came late of, by device, each once: what frames of theirs do not have. */
export type LateHours = Set<number>

/** Notes what came more than two minutes after its time. */
export function noteLate(
  late: LateHours,
  { readings, recordedAt }: Pick<BatchRecord, 'readings' | 'recordedAt'>,
) {
  for (let i = 0; i < readings.length; i++) {
    const at = readings.at[i] as number
    if (recordedAt - at > ON_TIME) late.add(Math.floor(at / HOUR) * DEVICES + (readings.device[i] as number))
  }
}

/** Notes what was late of all batches with after < seq ≤ upTo that the log still has. */
export async function noteLateOf(
  log: Pick<EventLog, 'read'>,
  late: LateHours,
  { after, upTo }: { after: number; upTo: number },
): Promise<void> {
  for (let from = after; from < upTo; ) {
    const records = log.read(from, RECORDS_A_BREATH)
    const last = records.at(-1)
    if (last === undefined) return
    for (const record of records) if (record.kind === 'readings' && record.seq <= upTo) noteLate(late, record)
    from = last.seq
    await breath()
  }
}

/** `hour`: whole hours since the epoch. */
export const hoursOf = (late: LateHours): LateHour[] =>
  [...late].map((key) => ({ device: key % DEVICES, hour: Math.floor(key / DEVICES) }))
