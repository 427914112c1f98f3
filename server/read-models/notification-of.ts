import type {
  Acknowledged,
  Notification,
  NotificationType,
} from '#machines/contracts/entities/notifications.ts'
import type { Fact, FactOf } from '#machines/contracts/facts.ts'
import { toUnits } from '#machines/contracts/readings.ts'
import { type Attention, commentsOn, passengerCheckOf } from '#machines/projections/attention.ts'
import { type Device, type Directory, deviceOfFact } from '#machines/projections/directory.ts'
import { type Incidents, kindKey } from '#machines/projections/incidents.ts'
import { notificationTypeOf } from '#machines/projections/notification-type.ts'
import type { ViolationFact } from '#machines/projections/violation-case.ts'
import { endOf, neverWas, type Violations } from '#machines/projections/violations.ts'
import { foundLateOf } from '#machines/rules/found-late.ts'
import { limitWords, VIOLATION_WORDS, valueWords } from '#machines/rules/violation-words.ts'
import { knownPlaces } from '../data/places.ts'
import type { ReadModels } from './read-models.ts'

/**
 * The notification that a fact gives rise to, undefined where it gives none. The one place that makes one: the list, the
 * socket and letters say the same, which is what is known of it now.
 */
export function notificationOf(
  fact: Fact,
  { directory, latest, attention }: Pick<ReadModels, 'directory' | 'latest' | 'attention'>,
): Notification | undefined {
  const words = wordsOf(fact, directory)
  const device = words && deviceOfFact(directory, fact)
  if (words === undefined || device === undefined) return undefined
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
    createdAt: iso(notifiedAt(fact)),
    passengerCheck:
      words.type === 'vehicleOffline' &&
      device.type === 'vehicle' &&
      passengerCheckOf(attention, device.no).answered < fact.seq,
    comments: [...commentsOn(attention, fact.id)],
    ...ofViolation(fact, workedOn(attention, directory, fact, device)),
  }
}

const iso = (at: number): string => new Date(at).toISOString()

/** When a notification stands in a list: when it happened, or was found late. */
export const notifiedAt = (fact: Fact): number =>
  foundLateOf(fact) === undefined ? fact.at : fact.recordedAt

type OfViolation = Pick<
  Notification,
  'violationId' | 'clearedAt' | 'acknowledged' | 'holder' | 'shelved' | 'isRepeat' | 'foundLate' | 'revised'
>
const NO_VIOLATION: OfViolation = {
  violationId: null,
  clearedAt: null,
  acknowledged: null,
  isRepeat: false,
}

type WorkedOn = Pick<Attention, 'violations' | 'incidents'>

/** What is silenced is known by IMEI, which may be another device's by now. */
function workedOn(
  { violations, incidents }: WorkedOn,
  { numbers }: Directory,
  { data }: Fact,
  { no }: Device,
): WorkedOn {
  const isItsOwn = 'imei' in data && data.imei !== null && numbers.get(data.imei) === no
  return { violations, incidents: isItsOwn ? incidents : { ...incidents, shelved: new Map() } }
}

function ofViolation(fact: Fact, { violations, incidents }: WorkedOn): OfViolation {
  if (!isViolationFact(fact)) return { ...NO_VIOLATION, ...ofUnplugged(fact, incidents) }
  const { violationId } = fact.data
  const clearedAt = clearedAtOf(fact, violations)
  const revised = violations.revised.get(violationId)
  return {
    violationId,
    clearedAt: clearedAt === undefined ? null : iso(clearedAt),
    acknowledged: acknowledgedOf(violations, violationId),
    ...(clearedAt === undefined && workOn(fact, incidents)),
    isRepeat: violations.repeats.has(violationId),
    ...ofFoundLate(fact),
    ...(revised !== undefined && { revised: revised.after && ofRevised(revised.after, revised.isOfPast) }),
  }
}

/** Nobody is notified that a device was unplugged while it is shelved that it is lost. */
function ofUnplugged(fact: Fact, { lost, shelved }: Incidents): Pick<Notification, 'shelved'> {
  if (notificationTypeOf(fact) !== 'vehicleOffline' || !('imei' in fact.data)) return {}
  const imei = fact.data.imei as string
  const shelving = shelved.get(kindKey({ imei, type: 'offline' }))
  if (shelving === undefined || !lost.has(imei)) return {}
  const { until, reason, userName } = shelving
  return { shelved: { until, reason, userName } }
}

/** Who has a violation that lasts, and whether its kind is shelved. */
function workOn({ data }: ViolationFact, incidents: Incidents): Pick<Notification, 'holder' | 'shelved'> {
  const holder = incidents.open.get(data.violationId)?.holder ?? null
  const shelving = incidents.shelved.get(kindKey(data))
  if (shelving === undefined) return { holder }
  const { until, reason, userName } = shelving
  return { holder, shelved: { until, reason, userName } }
}

/** Those that say there is a violation, not those that change or end one. */
export const isViolationFact = (fact: Fact): fact is ViolationFact =>
  fact.type === 'violation.opened' || fact.type === 'violation.found' || fact.type === 'violation.found-late'

/** The beginning of a violation as it is known now. Epoch ms; °C or %. */
export type KnownBeginning = {
  since: number
  openedAt: number
  threshold: number
  /** nothing is known of before `since` */
  isSinceBefore?: boolean | undefined
}

/** What is known now of how a violation began, whatever was published at first. */
export function beginningOf({ at, data }: ViolationFact, { revised }: Violations): KnownBeginning {
  const { since, threshold, violationId } = data
  return revised.get(violationId)?.after ?? { since, openedAt: at, threshold }
}

/** When a violation was over, as far as is known; undefined while it lasts. One that never was is over since it was published. */
export function clearedAtOf(fact: ViolationFact, violations: Violations): number | undefined {
  const end = endOf(violations, fact)?.at
  if (end !== undefined || violations.revised.get(fact.data.violationId)?.after) return end
  if (neverWas(violations, fact.data.violationId)) return fact.at
  return fact.type === 'violation.found' ? fact.data.clearedAt : undefined
}

function ofFoundLate(fact: ViolationFact): Pick<Notification, 'foundLate'> {
  const found = foundLateOf(fact)
  if (found === undefined) return {}
  const { since, receivedTo, readingsLate } = found
  const times = { since: iso(since), openedAt: iso(fact.at), knownSince: iso(receivedTo) }
  return { foundLate: { ...times, readings: readingsLate } }
}

const ofRevised = ({ since, openedAt, worst, isSinceBefore }: Revised, isOfPast?: boolean) => ({
  since: iso(since),
  openedAt: iso(openedAt),
  worst,
  ...(isSinceBefore && { isSinceBefore }),
  ...(isOfPast && { isOfPast }),
})
type Revised = NonNullable<FactOf<'violation.revised'>['data']['after']>

/** Who takes care of a violation, null while nobody does. */
export function acknowledgedOf({ acknowledged }: Violations, violationId: string): Acknowledged | null {
  const known = acknowledged.get(violationId)
  if (known === undefined) return null
  const { userName, comment, reason, at } = known
  return { userName, comment, ...(reason !== undefined && { reason }), createdAt: iso(at) }
}

function wordsOf(
  fact: Fact,
  { loads }: Directory,
): { type: NotificationType; name: string; message: string } | undefined {
  switch (fact.type) {
    case 'violation.opened':
    case 'violation.found':
    case 'violation.found-late': {
      const { type, value, threshold } = fact.data
      const { name, side } = VIOLATION_WORDS[type]
      const late = foundLateOf(fact) === undefined ? '' : ', found late'
      return {
        type,
        name,
        message: `${valueWords(type, value)}, ${side} ${limitWords(type, threshold)}${late}`,
      }
    }
    case 'sensor.unplugged':
      return {
        type: 'TEMP_SENSOR_UNPLUGGED',
        name: 'Sensor unplugged',
        message: 'temperature sensor unplugged',
      }
    case 'load.exhausted': {
      const reference = loads.byId.get(fact.data.loadId)?.reference ?? 'load'
      return {
        type: 'BUDGET_EXHAUSTED',
        name: 'Budget exhausted',
        message: `${reference}: budget exhausted, hold for review`,
      }
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
  const newest = (field: 'lat' | 'lng') => toUnits(field, readings[field][device.no] as number) ?? null
  const place: { lat?: number | null | undefined; lng?: number | null | undefined } =
    'lat' in data ? data : {}
  const { lat = newest('lat'), lng = newest('lng') } = place
  return { lat, lng, place: knownPlaces().words(lat ?? Number.NaN, lng ?? Number.NaN) }
}
