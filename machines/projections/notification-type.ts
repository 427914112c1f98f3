import type { NotificationType } from '../contracts/entities/notifications.ts'
import type { Fact, FactType } from '../contracts/facts.ts'

/** The facts that may be notifications. */
export const NOTIFICATION_FACTS = [
  'violation.opened',
  'violation.found',
  'violation.found-late',
  'sensor.unplugged',
  'device-status.changed',
  'load.exhausted',
] as const satisfies FactType[]

/**
 * Which notification a fact is, undefined where it is none. Of what a device is, the documents know two: unplugged and
 * plugged in again. Silence alone is a state; a device that is heard for the first time was not unplugged before.
 */
export function notificationTypeOf({ type, data }: Fact): NotificationType | undefined {
  switch (type) {
    case 'violation.opened':
    case 'violation.found':
    case 'violation.found-late':
      return data.type
    case 'sensor.unplugged':
      return 'TEMP_SENSOR_UNPLUGGED'
    case 'load.exhausted':
      return 'BUDGET_EXHAUSTED'
    case 'device-status.changed':
      if (data.to === 'disconnected') return 'vehicleOffline'
      if (data.isFirst || data.from !== 'disconnected' || data.to !== 'online') return undefined
      return 'vehicleOnline'
    default:
      return undefined
  }
}
