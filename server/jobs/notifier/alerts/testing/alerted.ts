import type { Fact, FactData, FactOf, FactType, NewFact } from '#machines/contracts/facts.ts'
import type { AlertChannel } from '#machines/contracts/messages.ts'
import type { Directory } from '#machines/projections/directory.ts'
import { twoCompanies } from '../../../../commands/testing/company-facts.ts'
import { given } from '../../../../commands/testing/given.ts'
import type { EventLog } from '../../../../store/store.ts'

export const AT = Date.parse('2026-06-15T04:00:00Z')
const MINUTE = 60_000
const NOTIFIED = new Set<FactType>(['violation.opened', 'violation.found-late', 'load.exhausted'])

export const opened = (no: number, fields: Partial<FactData<'violation.opened'>> = {}): NewFact => ({
  type: 'violation.opened',
  at: AT,
  companyId: 'indus',
  data: {
    violationId: `v-${no}`,
    imei: `35000000000000${no}`,
    type: 'HIGH_TEMPERATURE_DETECTED',
    threshold: 8,
    delaySeconds: 60,
    clearMargin: 0.5,
    since: AT - 5 * MINUTE,
    value: 9.4,
    lat: 31.52,
    lng: 74.35,
    readings: [],
    ...fields,
  },
})

export const cleared = (no: number, fields: Partial<FactData<'violation.cleared'>> = {}): NewFact => ({
  type: 'violation.cleared',
  at: AT + MINUTE,
  companyId: 'indus',
  data: {
    violationId: `v-${no}`,
    imei: `35000000000000${no}`,
    type: 'HIGH_TEMPERATURE_DETECTED',
    value: 7,
    worst: 11.2,
    durationSeconds: 360,
    reason: 'back-inside',
    ...fields,
  },
})

/** Ayesha, who sees all of Indus, sees no more than Punjab: not Sindh, with its one device. */
export const MOVED: NewFact = {
  ...{ type: 'user.updated', at: AT, companyId: 'indus' },
  data: { userId: 'u1', groupId: 'punjab' },
}
const ALL_ON = {
  ...{ LOW_TEMPERATURE_DETECTED: true, LOW_HUMIDITY_DETECTED: true },
  ...{ HIGH_TEMPERATURE_DETECTED: true, HIGH_HUMIDITY_DETECTED: true },
}
/** She wants to hear of what is too warm by neither channel. */
export const SWITCHED_OFF: NewFact = {
  ...{ type: 'user.alerts-set', at: AT, companyId: 'indus' },
  data: {
    userId: 'u1',
    email: { ...ALL_ON, HIGH_TEMPERATURE_DETECTED: false, BUDGET_EXHAUSTED: false },
    sms: { ...ALL_ON, HIGH_TEMPERATURE_DETECTED: false, BUDGET_EXHAUSTED: false },
  },
}

/** Out for 35 minutes, known three hours after it began. */
export const foundLate = (no: number, fields: Partial<FactData<'violation.found-late'>> = {}): NewFact => ({
  type: 'violation.found-late',
  at: AT,
  companyId: 'indus',
  data: {
    violationId: `v-${no}`,
    imei: `35000000000000${no}`,
    type: 'HIGH_TEMPERATURE_DETECTED',
    threshold: 8,
    delaySeconds: 60,
    clearMargin: 0.5,
    since: AT,
    value: 9.4,
    lat: 31.52,
    lng: 74.35,
    worst: 11.2,
    clearedAt: AT + 35 * MINUTE,
    receivedFrom: AT + 170 * MINUTE,
    receivedTo: AT + 172 * MINUTE,
    readingsLate: 7,
    ...fields,
  },
})

/** Lot 7 on a device since two days, evaluated by what is shipped for medicines at 2–8 °C. */
export const loadOpened = (no: number, reference = `Lot ${no}`): NewFact => ({
  type: 'load.opened',
  at: AT - 48 * 60 * MINUTE,
  companyId: 'indus',
  data: {
    loadId: `l-${no}`,
    imei: `35000000000000${no}`,
    profileId: 'medicines-2-8',
    version: 0,
    reference,
    userName: 'Ayesha',
  },
})

/** Its second rule: above 8 °C for at most 24 h. */
export const exhausted = (no: number, fields: Partial<FactData<'load.exhausted'>> = {}): NewFact => ({
  type: 'load.exhausted',
  at: AT,
  companyId: 'indus',
  data: { loadId: `l-${no}`, imei: `35000000000000${no}`, rule: 1, used: 1450, allowed: 1440, ...fields },
})

/**
 * An alert of all violations or loads among these facts, to Ayesha, with the server it happened in; `after` happened later.
 */
export function alerted(channel: AlertChannel, before: NewFact[], after: NewFact[] = []) {
  const facts: Fact[] = []
  const store = (fact: NewFact): Fact => {
    const seq = facts.length + 1
    const stored = { ...fact, seq, id: `f${seq}`, v: 1, recordedAt: fact.at } as Fact
    facts.push(stored)
    return stored
  }
  const about = before.map(store).flatMap(({ type, seq }) => (NOTIFIED.has(type) ? [seq] : []))
  const alert = store({
    type: 'alert.raised',
    at: AT + 2 * MINUTE,
    companyId: 'indus',
    data: { alertId: 'a-1', userId: 'u1', channel, about, quietSeconds: 600 },
  }) as FactOf<'alert.raised'>
  for (const fact of after) store(fact)
  const log: Pick<EventLog, 'readFacts'> = {
    readFacts: (seq, { types, limit = 1000 } = {}) =>
      facts.filter((fact) => fact.seq > seq && types?.includes(fact.type) !== false).slice(0, limit),
  }
  const directory: Directory = given(
    ...twoCompanies,
    { type: 'user.password-set', at: 0, companyId: 'indus', data: { userId: 'u1', hash: '$argon2id$' } },
    ...before.filter(({ type }) => type === 'load.opened'),
    ...after,
  ).directory
  return { alert, log, directory }
}
