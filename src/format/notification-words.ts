import type { Notification, NotificationType } from '#machines/contracts/entities/notifications.ts'
import { ViolationSwitches } from '#machines/contracts/entities/violation-types.ts'
import { foundLateText } from '#machines/rules/found-late.ts'
import { clockTime, notificationTime, zoneName } from './time.ts'

/** Kinds of notifications in the documents' order, by the words they are shown with. */
export const NOTIFICATION_WORDS: Record<NotificationType, string> = {
  LOW_TEMPERATURE_DETECTED: 'Low temperature',
  LOW_HUMIDITY_DETECTED: 'Low humidity',
  HIGH_TEMPERATURE_DETECTED: 'High temperature',
  HIGH_HUMIDITY_DETECTED: 'High humidity',
  TEMP_SENSOR_UNPLUGGED: 'Sensor unplugged',
  vehicleOffline: 'Device unplugged',
  vehicleOnline: 'Device pluggedin',
  BUDGET_EXHAUSTED: 'Budget exhausted',
}

/**
 * "9.4 °C, above 8 °C", "Lot 7: budget exhausted, hold for review": the message without its device, which stands beside it. Of a status there is no more
 * to say than its name: empty.
 */
export function detailOf({ type, message, thingName }: Notification): string {
  if (!(type in ViolationSwitches.schema) && type !== 'BUDGET_EXHAUSTED') return ''
  return message.startsWith(`${thingName}: `) ? message.slice(thingName.length + 2) : message
}

/** «Found late: out 11:10–11:45, known since 14:02 (…)», or what late readings changed; undefined where it was published in time. */
export function lateOf({ foundLate, revised, clearedAt }: Notification): string | undefined {
  if (revised === null) return 'Late readings say that it never was'
  if (foundLate !== undefined) {
    const { since, knownSince, readings } = foundLate
    const found = {
      since: Date.parse(revised?.since ?? since),
      clearedAt: clearedAt === null ? null : Date.parse(clearedAt),
      receivedTo: Date.parse(knownSince),
      readingsLate: readings,
    }
    return foundLateText(found, zoneName)
  }
  if (revised === undefined) return undefined
  const since = Date.parse(revised.since)
  const before = revised.isSinceBefore ? 'before ' : ''
  if (revised.isOfPast) return `Out since ${before}${notificationTime(since)}`
  return `Corrected by late readings: out since ${before}${clockTime(since)}`
}

/** "High temperature, 9.4 °C, above 8 °C" */
export const whatOf = (notification: Notification): string =>
  [NOTIFICATION_WORDS[notification.type], detailOf(notification)].filter(Boolean).join(', ')
