import { ON_TIME } from '#machines/contracts/readings.ts'

/**
 * Late readings of a device that are not evaluated in their place yet. `first`, `last`: their times; `receivedFrom`,
 * `receivedTo`: when the first and the last of them were received; `fromSeq`, `toSeq`: with which batches. All times in epoch ms.
 */
export type LateOfDevice = {
  first: number
  last: number
  receivedFrom: number
  receivedTo: number
  fromSeq: number
  toSeq: number
}

/** By device number. */
export type LateReadings = Map<number, LateOfDevice>

/** By device number, up to which batch there was something late when evaluating it failed: it is not tried again before more came. */
export type FailedLate = Map<number, number>

/** A device's late readings are evaluated when none came for so long, and at the latest so long after the first; ms as they were received. */
const QUIET = 120_000
const LONGEST_WAIT = 15 * 60_000

/** A reading came late, or out of its order, when it was not ahead of its time and … */
export const isLate = (at: number, receivedAt: number, newest: number): boolean =>
  at <= receivedAt && (receivedAt - at > ON_TIME || at <= newest)

/** Notes a late reading of device `no`; in the order of the record. `at`, `receivedAt`: epoch ms; `seq`: of its batch. */
export function markLate(marks: LateReadings, no: number, at: number, receivedAt: number, seq: number): void {
  const mark = marks.get(no)
  if (mark === undefined) {
    const received = { receivedFrom: receivedAt, receivedTo: receivedAt, fromSeq: seq, toSeq: seq }
    marks.set(no, { first: at, last: at, ...received })
    return
  }
  if (at < mark.first) mark.first = at
  if (at > mark.last) mark.last = at
  mark.receivedTo = receivedAt
  mark.toSeq = seq
}

/** Devices with late readings of which evaluating them has not failed. */
export function untriedLate(marks: LateReadings, failed: FailedLate): number[] {
  const untried: number[] = []
  for (const [no, { toSeq }] of marks) if (failed.get(no) !== toSeq) untried.push(no)
  return untried
}

/** Those that are to be evaluated, `now` being how far received times got; they go back where a clock is set back. */
export function dueLate(marks: LateReadings, failed: FailedLate, now: number): number[] {
  const due: number[] = []
  for (const no of untriedLate(marks, failed)) {
    const { receivedFrom, receivedTo } = marks.get(no) as LateOfDevice
    if (now - receivedTo >= QUIET || now - receivedFrom >= LONGEST_WAIT || now < receivedFrom) due.push(no)
  }
  return due
}
