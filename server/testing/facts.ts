import type { FactData, FactType, NewFact } from '#machines/contracts/facts.ts'
import { hashOfKey } from '../auth/key-of.ts'

/** What a test says of a fact beyond what it must; the rest is filled in. */
type Fields<T extends FactType> = Partial<FactData<T>>

const limits = {
  lowTemperatureThreshold: 2,
  highTemperatureThreshold: 8,
  lowHumidityThreshold: 20,
  highHumidityThreshold: 80,
}

export const company = (companyId: string, fields: Fields<'company.registered'> = {}): NewFact => ({
  type: 'company.registered',
  at: 0,
  companyId,
  data: {
    companyId,
    name: companyId,
    bam: { firstName: 'Bilal', lastName: 'Khan', email: `bilal@${companyId}.example`, phone: '0300' },
    partner: { emergencyHelpLineNumber: '111', emergencyEmail: 'help@frostline.example' },
    deviceKeyHash: null,
    timeZone: 'Asia/Karachi',
    patienceSeconds: 300,
    violationDelaySeconds: 60,
    clearMarginTemperature: 0.5,
    clearMarginHumidity: 2,
    tmin: -30,
    tmax: 70,
    hmin: -40,
    hmax: 100,
    ...fields,
  },
})

export const group = (
  groupId: string,
  companyId: string,
  parentId: string | null,
  fields: Fields<'group.created'> = {},
): NewFact => ({
  type: 'group.created',
  at: 0,
  companyId,
  data: { groupId, companyId, parentId, name: groupId, description: '', ...limits, ...fields },
})

export const user = (
  userId: string,
  companyId: string,
  groupId: string,
  userName: string,
  fields: Fields<'user.created'> = {},
): NewFact => ({
  type: 'user.created',
  at: 0,
  companyId,
  data: {
    userId,
    companyId,
    groupId,
    firstName: userName,
    lastName: 'Malik',
    userName,
    email: `${userName}@${companyId}.example`,
    phone: '03001234567',
    type: 'Manager',
    role: 'operator',
    ...fields,
  },
})

export const device = (
  no: number,
  imei: string,
  companyId: string,
  groupId: string | null,
  fields: Fields<'device.registered'> = {},
): NewFact => ({
  type: 'device.registered',
  at: 0,
  companyId,
  data: {
    no,
    imei,
    companyId,
    groupId,
    name: `Reefer ${no}`,
    plateNumber: `LES-${no}`,
    vehicleMakeAndModel: 'Hino 500',
    type: no % 2 === 0 ? 'vehicle' : 'warehouse',
    source: 'world',
    ...fields,
  },
})

/** What happened to a device; the company is that of `smallFleet` where not said. */
const about = (imei: string, at: number, companyId = 'c') => ({ at, companyId, data: { imei } })

/** Opened by the reading of `at`, a minute after the first beyond the limit. */
export const violationOpened = (
  imei: string,
  at: number,
  fields: Fields<'violation.opened'> = {},
  companyId?: string,
): NewFact => {
  const { data, ...origin } = about(imei, at, companyId)
  const readings = [
    { at: at - 60_000, value: 9 },
    { at, value: 9.25 },
  ]
  return {
    ...origin,
    type: 'violation.opened',
    data: { ...data, ...VIOLATION, violationId: `${imei}-${at}`, since: at - 60_000, readings, ...fields },
  }
}

/** One of before the record began, over ten minutes after it opened. */
export const violationFound = (
  imei: string,
  at: number,
  fields: Fields<'violation.found'> = {},
  companyId?: string,
): NewFact => {
  const { data, ...origin } = about(imei, at, companyId)
  const ending = {
    worst: 10,
    clearedAt: at + 600_000,
    durationSeconds: 660,
    reason: 'back-inside' as const,
  }
  return {
    ...origin,
    type: 'violation.found',
    data: {
      ...data,
      ...VIOLATION,
      ...ending,
      violationId: `${imei}-${at}`,
      since: at - 60_000,
      ...fields,
    },
  }
}

/** One that was found late: over ten minutes after it opened, told of by three readings received an hour after it. */
export const violationFoundLate = (
  imei: string,
  at: number,
  fields: Fields<'violation.found-late'> = {},
  companyId?: string,
): NewFact => {
  const { data, ...origin } = about(imei, at, companyId)
  const received = { receivedFrom: at + 3_600_000, receivedTo: at + 3_600_000, readingsLate: 3 }
  const ending = { worst: 10, clearedAt: at + 600_000 }
  const violation = { ...VIOLATION, violationId: `${imei}-${at}`, since: at - 60_000 }
  return {
    ...origin,
    type: 'violation.found-late',
    data: { ...data, ...violation, ...ending, ...received, ...fields },
  }
}

/** Late readings show that a violation never was, which opened at `at`. */
export const violationRevised = (
  imei: string,
  at: number,
  fields: Partial<FactData<'violation.revised'>> = {},
  companyId?: string,
): NewFact => {
  const { data, ...origin } = about(imei, at, companyId)
  const before = { since: at - 60_000, openedAt: at, clearedAt: null, threshold: 8, worst: 9.25 }
  const received = { receivedFrom: at + 3_600_000, receivedTo: at + 3_600_000, readingsLate: 0 }
  const violation = { violationId: `${imei}-${at}`, type: VIOLATION.type }
  return {
    ...origin,
    type: 'violation.revised',
    data: { ...data, ...violation, before, after: null, ...received, ...fields },
  }
}

const VIOLATION = {
  type: 'HIGH_TEMPERATURE_DETECTED' as const,
  threshold: 8,
  delaySeconds: 60,
  clearMargin: 0.5,
  value: 9.25,
  lat: 31.5,
  lng: 74.3,
}

export const sensorUnplugged = (imei: string, at: number, companyId?: string): NewFact => ({
  ...about(imei, at, companyId),
  type: 'sensor.unplugged',
})

export const statusChanged = (
  imei: string,
  at: number,
  from: FactData<'device-status.changed'>['from'],
  to: FactData<'device-status.changed'>['to'],
  companyId?: string,
): NewFact => {
  const { data, ...origin } = about(imei, at, companyId)
  return { ...origin, type: 'device-status.changed', data: { ...data, from, to } }
}

/** A key of a company for other systems, good for all; in place of its first where that is the same. */
export const deviceKey = (companyId: string, key: string): NewFact => ({
  type: 'device-key.created',
  at: 1,
  companyId,
  data: {
    companyId,
    keyId: `k-${companyId}`,
    name: 'all',
    scopes: ['ingest', 'read', 'events'],
    hash: hashOfKey(key),
    expiresAt: null,
  },
})
