import { HISTORY_MAX_MS, HISTORY_TOO_LONG } from '../contracts/calls/device-calls.ts'

/**
 * Why a range of history (epoch ms) cannot be asked for, in the documents' words; undefined: it can.
 * The documents count begun hours whole, so a millisecond beyond 24 hours is the 25th.
 */
export function historyRangeFault(from: number, to: number): string | undefined {
  if (!Number.isFinite(from)) return 'Enter a start date'
  if (!Number.isFinite(to)) return 'Enter a end date'
  if (from > to) return 'Start date cannot be greater than end date'
  if (to - from > HISTORY_MAX_MS) return HISTORY_TOO_LONG
  return undefined
}
