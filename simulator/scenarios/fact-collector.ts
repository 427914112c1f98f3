import { setImmediate as breath } from 'node:timers/promises'
import type { Fact } from '#machines/contracts/facts.ts'
import type { EventLog } from '../../server/store/store.ts'

/** A reading that was stored long after it was measured: device number and device time, epoch ms. */
export type LateReading = { device: number; at: number }

/** What was recorded, as far as outcomes ask for it. */
export type FactCollector = {
  /** facts of devices, oldest first */
  readonly facts: readonly Fact[]
  readonly late: readonly LateReading[]
  /** takes in what the log has got since; before the store tidies it away */
  look(): Promise<void>
}

/** A step of a world that is set forward may be a minute long. */
const LATE_MS = 120_000
const RECORDS_A_BREATH = 500

/** @param since the log up to there is known: its readings are not looked at for late ones */
export function createFactCollector(log: EventLog, since: number): FactCollector {
  const facts: Fact[] = []
  const late: LateReading[] = []
  let seq = 0
  return {
    facts,
    late,
    async look() {
      for (;;) {
        const records = log.read(seq, RECORDS_A_BREATH)
        if (records.length === 0) return
        for (const record of records) {
          if (record.kind === 'fact') {
            if ('imei' in record.fact.data) facts.push(record.fact)
          } else if (record.seq > since) {
            const { readings, recordedAt } = record
            for (let i = 0; i < readings.length; i++) {
              const at = readings.at[i] as number
              if (recordedAt - at >= LATE_MS) late.push({ device: readings.device[i] as number, at })
            }
          }
        }
        seq = records.at(-1)?.seq ?? seq
        await breath()
      }
    },
  }
}
