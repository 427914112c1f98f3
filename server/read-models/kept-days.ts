import type { ReadingColumns } from '#machines/contracts/readings.ts'
import { partBetween } from '../store/reading-parts.ts'
import { DEVICES } from '../store/storable.ts'
import type { TelemetryStore } from '../store/store.ts'
import type { ReadModels } from './read-models.ts'

const DAY = 86_400_000
/** Some 65 bytes each: a day of 2,000 devices that report each five minutes is 40 MB. */
const MOST_READINGS = 1_000_000
/** As many days as fit, or a few more. */
const MOST_REQUESTED = 4_000

/**
 * A store that keeps days it was asked for again, unpacked: who plays through a day, or goes to and fro in it, asks for it each minute.
 * A day that something more comes of is read anew.
 */
export function keepingDays(
  telemetry: TelemetryStore,
  { onAdvance }: Pick<ReadModels, 'onAdvance'>,
): TelemetryStore {
  const kept = new Map<number, ReadingColumns>()
  /** those that are being read, while nothing has come late of them */
  const reading = new Set<number>()
  /** those that were asked for, some of the last */
  const requested = new Set<number>()
  let room = MOST_READINGS
  const keyOf = (device: number, at: number): number => Math.floor(at / DAY) * DEVICES + device
  onAdvance(({ batches }) => {
    if (kept.size === 0 && reading.size === 0) return
    for (const { readings } of batches)
      for (let i = 0; i < readings.length; i++)
        forget(keyOf(readings.device[i] as number, readings.at[i] as number))
  })
  function forget(key: number): void {
    room += kept.get(key)?.length ?? 0
    kept.delete(key)
    reading.delete(key)
  }
  async function dayOf(device: number, from: number): Promise<ReadingColumns> {
    const key = keyOf(device, from)
    const known = kept.get(key)
    if (known !== undefined) return known
    let isWhole = false
    const begin = Math.floor(from / DAY) * DAY
    reading.add(key)
    const readings = await telemetry.history(device, begin, begin + DAY).finally(() => {
      isWhole = reading.delete(key)
    })
    if (!isWhole) return readings
    room -= readings.length
    if (room < 0) {
      kept.clear()
      room = MOST_READINGS - readings.length
    }
    kept.set(key, readings)
    return readings
  }
  function isRequestedAgain(key: number): boolean {
    if (kept.has(key) || requested.has(key)) return true
    if (requested.size === MOST_REQUESTED) requested.clear()
    requested.add(key)
    return false
  }
  return {
    ...telemetry,
    async history(device, from, to) {
      const key = keyOf(device, from)
      if (key !== keyOf(device, to - 1) || !isRequestedAgain(key)) return telemetry.history(device, from, to)
      return partBetween(await dayOf(device, from), from, to)
    },
  }
}
