import type { Notification, NotificationType } from '#machines/contracts/entities/notifications.ts'
import { span } from '../../format/time.ts'

/** How a violation is now: "Open for 12 min", "Ended after 2 h"; undefined where it is none. */
export function stateOf(
  { violationId, createdAt, clearedAt, foundLate }: Notification,
  now: number,
): { isOpen: boolean; words: string } | undefined {
  if (violationId === null) return undefined
  // what was found late is told later than it opened
  const opened = Date.parse(foundLate?.openedAt ?? createdAt)
  const lasted = span(Math.max(0, (clearedAt === null ? now : Date.parse(clearedAt)) - opened) / 1000)
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
