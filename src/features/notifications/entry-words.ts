import type { Notification, NotificationType } from '#machines/contracts/entities/notifications.ts'
import { span } from '../../format/time.ts'

/** Since when it is, ISO: since it was published, and where it is said since when it was out, since then. */
export const beganAt = ({ createdAt, foundLate, revised }: Notification): string =>
  revised?.since ?? foundLate?.since ?? createdAt

/**
 * How a violation is now: "Open for 12 min", "Ended after 2 h", or "Taken back" where it never was; undefined where it is none.
 * It counts from when it opened, and where it is said since when it was out, from there.
 */
export function stateOf(entry: Notification, now: number): { isOpen: boolean; words: string } | undefined {
  const { violationId, clearedAt, revised } = entry
  if (violationId === null) return undefined
  if (revised === null) return { isOpen: false, words: 'Taken back' }
  const from = Date.parse(beganAt(entry))
  const lasted = span(Math.max(0, (clearedAt === null ? now : Date.parse(clearedAt)) - from) / 1000)
  return clearedAt === null
    ? { isOpen: true, words: `Open for ${lasted}` }
    : { isOpen: false, words: `Ended after ${lasted}` }
}

/** The colour of an open violation's word. */
export const INK: Partial<Record<NotificationType, string>> = {
  HIGH_TEMPERATURE_DETECTED: 'text-hot',
  LOW_TEMPERATURE_DETECTED: 'text-cold',
  HIGH_HUMIDITY_DETECTED: 'text-damp',
  LOW_HUMIDITY_DETECTED: 'text-damp',
}
