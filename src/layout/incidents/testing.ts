import type { Desk, Incident, ViolationIncident } from '#machines/contracts/entities/incidents.ts'
import type { Notification } from '#machines/contracts/entities/notifications.ts'
import type { Fact } from '#machines/contracts/facts.ts'
import { createFleet } from '../../read-model/fleet.ts'
import { imeiOf, plainDevice, plainGroup, snapshotOf } from '../../read-model/testing/make-fleet.ts'

/** When the tests are, in Karachi 10 am. */
export const NOW = Date.UTC(2026, 5, 15, 5)
export const clock = {
  now: () => NOW,
  isKnown: () => true,
  set: () => {},
  until: () => Number.POSITIVE_INFINITY,
}

const ago = (minutes: number): string => new Date(NOW - minutes * 60_000).toISOString()

/** Too hot by a degree or more since an hour; nobody has it. */
export const incident = (no: number, fields: Partial<ViolationIncident> = {}): ViolationIncident => ({
  violationId: `v${no}`,
  notificationId: `f${no}`,
  imei: imeiOf(no),
  type: 'HIGH_TEMPERATURE_DETECTED',
  threshold: 8,
  value: 9,
  since: ago(60),
  openedAt: ago(55),
  clearedAt: null,
  acknowledged: null,
  holder: null,
  ...fields,
})

/** Not heard for half an hour; nobody has it. */
export const lostDevice = (no: number, fields: Partial<Incident> = {}): Incident => ({
  ...incident(no),
  violationId: `lost-f${no}`,
  type: 'offline',
  threshold: null,
  value: null,
  since: ago(30),
  openedAt: ago(25),
  ...fields,
})

/** The fact by which it is open. */
export const opened = ({ violationId, imei: its, type, value, threshold }: ViolationIncident): Fact =>
  ({
    ...{ seq: 1, id: 'x1', v: 1, type: 'violation.opened', at: NOW, recordedAt: NOW, companyId: 'c' },
    data: { violationId, imei: its, type, since: NOW, value, threshold },
  }) as Fact

/** The fact by which it is over. */
export const cleared = ({ violationId, imei: its, type }: ViolationIncident): Fact => ({
  ...{ seq: 1, id: 'x1', v: 1, type: 'violation.cleared', at: NOW, recordedAt: NOW, companyId: 'c' },
  data: { violationId, imei: its, type, value: 7, worst: 9, durationSeconds: 3600, reason: 'back-inside' },
})

export const deskWith = (fields: Partial<Desk>): Desk & { seq: number } => ({
  open: [],
  over: [],
  moreLost: 0,
  hasMoreOver: false,
  shelved: [],
  seq: 0,
  ...fields,
})

/** Three devices of 9, 23.6 and 4 °C. */
export function threeDevices() {
  const fleet = createFleet((call) => call())
  const devices = [
    plainDevice(1, { temperature: 900 }),
    plainDevice(2, { temperature: 2360 }),
    plainDevice(3),
  ]
  fleet.load(snapshotOf(1, devices, [plainGroup('top')]))
  return fleet
}

/** What the server answers to whoever does something to it. */
export const notificationOf = ({
  notificationId,
  violationId,
  imei,
  type,
}: ViolationIncident): Notification => ({
  _id: notificationId,
  name: 'High temperature',
  type,
  thing: imei,
  thingId: imei,
  thingName: imei,
  plateNumber: '',
  message: '',
  lat: null,
  lng: null,
  createdAt: ago(55),
  passengerCheck: false,
  comments: [],
  violationId,
  clearedAt: null,
  acknowledged: null,
  isRepeat: false,
})
