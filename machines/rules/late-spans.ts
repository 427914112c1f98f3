import { LATE_UNKNOWN, type ReadingColumns } from '../contracts/readings.ts'

/**
 * Readings of a device that came late and belong together. `from` and `to`: times of the first and the last of them;
 * `receivedFrom` and `receivedTo`: when the first and the last of them came; epoch ms. `upTo`: how late the latest was, s.
 */
export type LateSpan = {
  from: number
  to: number
  receivedFrom: number
  receivedTo: number
  readings: number
  upTo: number
}

/** Readings received further apart than this, ms, are of two deliveries: so long a device is waited for at most. */
const ONE_DELIVERY = 15 * 60_000
/** Late readings no further apart than this, ms, are one span even where one that was on time lies between. */
const CLOSE = 10 * 60_000

/** When a reading was received, epoch ms; undefined where it was on time, ahead, or nobody knows. */
export function receivedLateAt(
  { at, lateBy }: Pick<ReadingColumns, 'at' | 'lateBy'>,
  row: number,
): number | undefined {
  const late = lateBy[row] as number
  return late > 0 && late !== LATE_UNKNOWN ? (at[row] as number) + late * 1000 : undefined
}

/** The spans of readings that came late, ascending. @param columns of one device, ascending by `at` */
export function lateSpansOf(columns: Pick<ReadingColumns, 'at' | 'lateBy' | 'length'>): LateSpan[] {
  const spans: LateSpan[] = []
  let isOnTimeBetween = false
  for (let row = 0; row < columns.length; row++) {
    const received = receivedLateAt(columns, row)
    if (received === undefined) {
      isOnTimeBetween = true
      continue
    }
    const at = columns.at[row] as number
    const one: LateSpan = {
      from: at,
      to: at,
      receivedFrom: received,
      receivedTo: received,
      readings: 1,
      upTo: columns.lateBy[row] as number,
    }
    const last = spans.at(-1)
    if (last && isOneDelivery(last, one) && (!isOnTimeBetween || at - last.to <= CLOSE)) extend(last, one)
    else spans.push(one)
    isOnTimeBetween = false
  }
  return spans
}

const isOneDelivery = (a: LateSpan, b: LateSpan): boolean =>
  b.receivedFrom <= a.receivedTo + ONE_DELIVERY && b.receivedTo >= a.receivedFrom - ONE_DELIVERY

function extend(span: LateSpan, more: LateSpan): void {
  span.to = more.to
  span.receivedFrom = Math.min(span.receivedFrom, more.receivedFrom)
  span.receivedTo = Math.max(span.receivedTo, more.receivedTo)
  span.readings += more.readings
  span.upTo = Math.max(span.upTo, more.upTo)
}
