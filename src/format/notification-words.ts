import type { Notification, NotificationType } from '#machines/contracts/entities/notifications.ts'

/** Kinds of notifications in the documents' order, by the words they are shown with. */
export const NOTIFICATION_WORDS: Record<NotificationType, string> = {
  LOW_TEMPERATURE_DETECTED: 'Low temperature',
  LOW_HUMIDITY_DETECTED: 'Low humidity',
  HIGH_TEMPERATURE_DETECTED: 'High temperature',
  HIGH_HUMIDITY_DETECTED: 'High humidity',
  TEMP_SENSOR_UNPLUGGED: 'Sensor unplugged',
  vehicleOffline: 'Device unplugged',
  vehicleOnline: 'Device pluggedin',
}

/** "9.4 °C, above 8 °C": the message without its device, which stands beside it; empty where it says no more than the name. */
export function detailOf({ name, message, thingName }: Notification): string {
  const said = message.startsWith(`${thingName}: `) ? message.slice(thingName.length + 2) : message
  return said.toLowerCase() === name.toLowerCase() ? '' : said
}

/** "High temperature, 9.4 °C, above 8 °C" */
export const whatOf = (notification: Notification): string =>
  [NOTIFICATION_WORDS[notification.type], detailOf(notification)].filter(Boolean).join(', ')
