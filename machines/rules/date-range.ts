const HOUR_MS = 3_600_000

/** Longest range of a device's history, hours (document 1, section 5). */
export const HISTORY_MAX_HOURS = 24

/** Hours between two instants (epoch ms), begun hours counted whole, as the documents' 24-hour rule counts them. */
export const hoursBetween = (from: number, to: number): number => Math.ceil((to - from) / HOUR_MS)

/** Why a range of history cannot be asked for, in the documents' words where they have them; undefined: it can. */
export function historyRangeFault(from: number, to: number): string | undefined {
  if (!Number.isFinite(from)) return 'Enter a start date'
  if (!Number.isFinite(to)) return 'Enter a end date'
  if (from > to) return 'Start date cannot be greater than end date'
  if (hoursBetween(from, to) > HISTORY_MAX_HOURS) return 'Duration Should be 1 Day Maximum'
  return undefined
}
