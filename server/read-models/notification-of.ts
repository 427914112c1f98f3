import type {
  Acknowledged,
  Notification,
  NotificationType,
} from '#machines/contracts/entities/notifications.ts'
import type { Fact } from '#machines/contracts/facts.ts'
import { toUnits } from '#machines/contracts/readings.ts'
import { type Attention, commentsOn, passengerCheckOf } from '#machines/projections/attention.ts'
import { type Device, deviceByImei } from '#machines/projections/directory.ts'
import { notificationTypeOf } from '#machines/projections/notification-type.ts'
import { endOf, type Violations } from '#machines/projections/violations.ts'
import { VIOLATION_WORDS } from '#machines/rules/violation-words.ts'
import type { ReadModels } from './read-models.ts'

/**
 * The notification that a fact gives rise to, undefined where it gives none. The one place that makes one: the list, the
 * socket and letters say the same, which is what is known of it now.
 */
export function notificationOf(
  fact: Fact,
  { directory, latest, attention }: Pick<ReadModels, 'directory' | 'latest' | 'attention'>,
): Notification | undefined {
  const words = wordsOf(fact)
  if (words === undefined || !('imei' in fact.data) || fact.data.imei === null) return undefined
  const device = deviceByImei(directory, fact.data.imei)
  if (device === undefined) return undefined
  return {
    _id: fact.id,
    name: words.name,
    type: words.type,
    thing: device.imei,
    thingId: device.imei,
    thingName: device.name,
    plateNumber: device.plateNumber,
    message: `${device.name}: ${words.message}`,
    ...placeOf(fact, latest, device),
    createdAt: new Date(fact.at).toISOString(),
    passengerCheck:
      words.type === 'vehicleOffline' &&
      device.type === 'vehicle' &&
      passengerCheckOf(attention, device.imei).answered < fact.seq,
    comments: [...commentsOn(attention, fact.id)],
    ...violationSaid(fact, attention),
  }
}

type ViolationSaid = Pick<Notification, 'violationId' | 'clearedAt' | 'acknowledged' | 'isRepeat'>
const NO_VIOLATION: ViolationSaid = {
  violationId: null,
  clearedAt: null,
  acknowledged: null,
  isRepeat: false,
}

function violationSaid(fact: Fact, { violations }: Attention): ViolationSaid {
  if (fact.type !== 'violation.opened' && fact.type !== 'violation.found') return NO_VIOLATION
  const { violationId } = fact.data
  const clearedAt = fact.type === 'violation.found' ? fact.data.clearedAt : endOf(violations, fact)?.at
  return {
    violationId,
    clearedAt: clearedAt === undefined ? null : new Date(clearedAt).toISOString(),
    acknowledged: acknowledgedOf(violations, violationId),
    isRepeat: violations.repeats.has(violationId),
  }
}

/** Who takes care of a violation, null while nobody does. */
export function acknowledgedOf({ acknowledged }: Violations, violationId: string): Acknowledged | null {
  const known = acknowledged.get(violationId)
  if (known === undefined) return null
  const { userName, comment, at } = known
  return { userName, comment, createdAt: new Date(at).toISOString() }
}

function wordsOf(fact: Fact): { type: NotificationType; name: string; message: string } | undefined {
  switch (fact.type) {
    case 'violation.opened':
    case 'violation.found': {
      const { name, unit, digits, side } = VIOLATION_WORDS[fact.data.type]
      const value = `${fact.data.value.toFixed(digits)} ${unit}`
      return { type: fact.data.type, name, message: `${value}, ${side} ${fact.data.threshold} ${unit}` }
    }
    case 'sensor.unplugged':
      return {
        type: 'TEMP_SENSOR_UNPLUGGED',
        name: 'Sensor unplugged',
        message: 'temperature sensor unplugged',
      }
    case 'device-status.changed':
      switch (notificationTypeOf(fact)) {
        case 'vehicleOffline':
          return { type: 'vehicleOffline', name: 'Device unplugged', message: 'device unplugged' }
        case 'vehicleOnline':
          return { type: 'vehicleOnline', name: 'Device pluggedin', message: 'device plugged in' }
        default:
          return undefined
      }
    default:
      return undefined
  }
}

/** Where it happened; where the device is now if that is not known. */
function placeOf({ data }: Fact, { readings }: ReadModels['latest'], device: Device) {
  if ('lat' in data && data.lat !== undefined && data.lng !== undefined) {
    const { lat, lng } = data
    return { lat, lng }
  }
  return {
    lat: toUnits('lat', readings.lat[device.no] as number) ?? null,
    lng: toUnits('lng', readings.lng[device.no] as number) ?? null,
  }
}
