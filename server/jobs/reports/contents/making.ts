import { setImmediate as breath } from 'node:timers/promises'
import { type ReadingColumns, toUnits } from '#machines/contracts/readings.ts'
import { dayStarts } from '#machines/rules/days.ts'
import { gapOf } from '#machines/rules/gap.ts'
import { knownPlaces } from '../../../data/places.ts'
import type { OnProgress, ReportDevice, ReportOrder, ReportSource } from '../order.ts'
import { type LimitsInForce, limitsInForce } from './limits-in-force.ts'
import { createLocalTime, type LocalTime } from './local-time.ts'
import type { Column, Value } from './sheet-xml.ts'

/** What the contents of every kind of report are made with. */
export type Making = {
  order: ReportOrder
  source: ReportSource
  local: LocalTime
  limitsInForce: LimitsInForce
  /** two readings farther apart are a gap, ms */
  gapMs: number
  /** where its days begin, with the end of the last: that of the order, or when it was asked for */
  starts: Float64Array
  /** lets others have their turn where they have waited long enough; rejects once the signal was given */
  pause(): Promise<void>
  /** each device with its readings, one after the other, telling how far it is; also of some ms `before` the order's time */
  devices(before?: number): AsyncGenerator<{ device: ReportDevice; readings: ReadingColumns }>
}

/** Others, and whoever wants it stopped, get their turn after this long. */
const BREATH_MS = 30
/** The rest is for writing the file. */
const SHARE_OF_READING = 0.95

/** Prepares what contents are made with. @param onProgress gets the share that is read, up to `SHARE_OF_READING` */
export async function startMaking(
  order: ReportOrder,
  source: ReportSource,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<Making> {
  signal.throwIfAborted()
  let rested = performance.now()
  async function pause(): Promise<void> {
    if (performance.now() - rested > BREATH_MS) {
      await breath()
      rested = performance.now()
    }
    signal.throwIfAborted()
  }
  const ask = (device: ReportDevice | undefined, before: number) => {
    const requested = device && source.readings(device.no, order.from - before, order.to)
    // whoever stops half-way leaves it unheard
    requested?.catch(() => {})
    return requested
  }
  async function* devices(before = 0) {
    let coming = ask(source.devices[0], before)
    for (const [i, device] of source.devices.entries()) {
      await pause()
      const readings = (await coming) as ReadingColumns
      coming = ask(source.devices[i + 1], before)
      yield { device, readings }
      onProgress((SHARE_OF_READING * (i + 1)) / source.devices.length)
    }
    await pause()
  }
  const end = Math.max(order.from, Math.min(order.to, order.requestedAt))
  return {
    order,
    source,
    pause,
    devices,
    local: createLocalTime(order.company.timeZone),
    limitsInForce: await limitsInForce(source, order.from, order.to),
    gapMs: gapOf(source.violations.patienceSeconds),
    starts: dayStarts(order.from, end, order.company.timeZone),
  }
}

/** The columns that say which device a row is about. */
export const WHICH: readonly Column[] = [
  { heading: 'Plate number', width: 14, as: 'text' },
  { heading: 'Name', width: 22, as: 'text' },
  { heading: 'IMEI', width: 18, as: 'text' },
  { heading: 'Group', width: 24, as: 'text' },
]

/** The cells of `WHICH`. */
export const which = ({ plateNumber, name, imei, groupName }: ReportDevice): Value[] => [
  plateNumber,
  name,
  imei,
  groupName,
]

/** A value to so many digits: a sheet shows no more, and nobody reads the rest. NaN stays NaN. */
export function rounded(value: number, digits: number): number {
  const factor = 10 ** digits
  return Math.round(value * factor) / factor
}

/** Where a reading was taken, in words. */
export function placeAt({ lat, lng }: ReadingColumns, row: number): string {
  return knownPlaces().words(
    toUnits('lat', lat[row] as number) ?? Number.NaN,
    toUnits('lng', lng[row] as number) ?? Number.NaN,
  )
}
