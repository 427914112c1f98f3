import fc from 'fast-check'
import type { Struct } from 'superstruct'
import { describe, expect, test } from 'vitest'
import { IngestReading } from './calls/ingest-calls.ts'
import { CALLS } from './calls.ts'
import { Command } from './commands.ts'
import { ContractError, decode } from './decode.ts'
import { Thing } from './entities/devices.ts'
import { Group } from './entities/groups.ts'
import { Notification } from './entities/notifications.ts'
import { ReportSchedule } from './entities/reports.ts'
import { ManagedUser } from './entities/users.ts'
import { ViolationChart, ViolationEvent } from './entities/violations.ts'
import { Fact } from './facts.ts'
import { PublicFact } from './public-facts.ts'
import { HandshakeAuth, SERVER_EVENTS } from './sockets.ts'

const switches = {
  LOW_TEMPERATURE_DETECTED: true,
  LOW_HUMIDITY_DETECTED: false,
  HIGH_TEMPERATURE_DETECTED: true,
  HIGH_HUMIDITY_DETECTED: false,
}
const thresholds = {
  highTemperatureThreshold: 8,
  lowTemperatureThreshold: 2,
  highHumidityThreshold: 80,
  lowHumidityThreshold: 20,
}
const group = {
  _id: 'g1',
  id: 'g1',
  name: 'Indus',
  description: '',
  image: null,
  parentId: null,
  companyId: 'indus',
  things: ['356307042441013'],
  allThings: ['356307042441013'],
  totalVehicles: 1,
  assignedVehicles: 0,
  unAssignedvehicles: 1,
  users: 2,
  ...thresholds,
  version: '7.7',
  tmin: -30,
  tmax: 70,
  hmin: -40,
  hmax: 100,
  child: [],
}
const notification = {
  _id: 'n1',
  name: 'Too warm',
  type: 'HIGH_TEMPERATURE_DETECTED',
  thing: '356307042441013',
  thingId: '356307042441013',
  thingName: 'Reefer 1',
  plateNumber: 'LES-1',
  message: 'above 8 °C',
  lat: 31.5,
  lng: 74.3,
  createdAt: '2026-11-21T04:00:00Z',
  passengerCheck: false,
  comments: [{ _id: 'c1', userName: 'Ayesha', comment: 'on it', createdAt: '2026-11-21T04:01:00Z' }],
  violationId: 'v1',
  clearedAt: '2026-11-21T04:05:00Z',
  acknowledged: { userName: 'Ayesha', comment: 'door was open', createdAt: '2026-11-21T04:02:00Z' },
  isRepeat: false,
}
const fact = {
  seq: 7,
  id: 'f7',
  type: 'device-status.changed',
  v: 1,
  at: 1_800_000_000_000,
  recordedAt: 1_800_000_000_001,
  companyId: 'indus',
  data: { imei: '356307042441013', from: 'online', to: 'offline' },
}

const SAMPLES = [
  ['login body', { username: 'operator@indus.example', password: 'x' }, CALLS.login.body],
  [
    'login answer',
    {
      access_token: 'a',
      refresh_token: 'b',
      expires_in: 3600,
      identityId: 's1',
      user: { _id: 'u1', name: 'A B', userName: 'ab', groupId: 'g1', companyId: 'c1', exp: 1_800_000_000 },
      groupInfo: { depthLevel: 1, groupImage: null, name: 'Indus' },
      companyInfo: { groupId: 'g1', companyId: 'c1' },
      hasThings: true,
    },
    CALLS.login.answer,
  ],
  [
    'login answer, reset',
    { messageKey: 'USER_RESET_PASSWORD', message: 'm', token: 't' },
    CALLS.login.answer,
  ],
  ['group', { ...group, child: [{ ...group, _id: 'g2', id: 'g2', parentId: 'g1' }] }, Group],
  [
    'managed user',
    {
      _id: 'u1',
      firstName: 'A',
      lastName: 'B',
      userName: 'ab',
      email: 'a@b.example',
      phone: '0300',
      group: { _id: 'g1', name: 'Indus', child: [{ _id: 'g2', name: 'Lahore', child: [] }] },
      type: 'Manager',
      role: 'operator',
      smsSetting: switches,
      emailSetting: switches,
      activated: true,
      version: '9.0',
    },
    ManagedUser,
  ],
  [
    'thing',
    {
      _id: '356307042441013',
      imei: '356307042441013',
      name: 'Reefer 1',
      thingName: 'Reefer 1',
      plateNumber: 'LES-1',
      vehicleMakeAndModel: 'Hino 500',
      type: 'vehicle',
      thingStatus: 'online',
      vehicleStatus: 'online',
      groupId: 'g1',
      group: { _id: 'g1', name: 'Indus' },
      groupName: 'Indus',
      lastLat: 31.5,
      lastLng: 74.3,
      lastTemp: 4.2,
      lastHum: null,
      lat: 31.5,
      lng: 74.3,
      temperature: 4.2,
      temperature2: null,
      humidity: null,
      milage: 12.5,
      angle: 90,
      timestamp: '2026-11-21T04:00:00Z',
      lastLocation: { lat: 31.5, lng: 74.3 },
      version: '12',
    },
    Thing,
  ],
  ['notification', notification, Notification],
  ['notification event', { ...notification, seq: 9 }, SERVER_EVENTS.notification],
  ['facts event', { prevSeq: 6, seq: 7, facts: [fact] }, SERVER_EVENTS.facts],
  ['handshake', { token: 't', after: 5 }, HandshakeAuth],
  [
    'schedule',
    {
      _id: 's1',
      version: '1',
      company: 'indus',
      groups: [{ _id: 'g1', name: 'Indus' }],
      vehicles: [{ _id: 'v1', plateNumber: 'LES-1', name: 'Reefer 1' }],
      interval: 'TenDays',
      emails: ['a@b.example'],
      reportTypes: ['POWER_REPORT'],
      speed: 80,
    },
    ReportSchedule,
  ],
  [
    'violation chart',
    {
      data: [
        {
          plateNumber: 'LES-1',
          imei: '356307042441013',
          LowTemperature: 1,
          LowHumidity: 0,
          HighTemperature: 3,
          HighHumidity: 0,
        },
      ],
      counts: {
        LOW_TEMPERATURE_DETECTED: 1,
        LOW_HUMIDITY_DETECTED: 0,
        HIGH_TEMPERATURE_DETECTED: 3,
        HIGH_HUMIDITY_DETECTED: 0,
        total: 4,
      },
    },
    ViolationChart,
  ],
  [
    'violation event',
    {
      type: 'LOW_HUMIDITY_DETECTED',
      thingId: { plateNumber: 'LES-1', group: { name: 'Indus' } },
      eventTime: '2026-11-21T04:00:00Z',
      location: 'Lahore',
      thing: { state: { latlng: { lat: 31.5, lng: 74.3 } } },
    },
    ViolationEvent,
  ],
  ['fact', fact, Fact],
  [
    'command',
    { type: 'device.update', at: 1, by: 'u1', data: { imei: '356307042441013', name: 'x', ifVersion: null } },
    Command,
  ],
  [
    'reading',
    { imei: '356307042441013', at: '2026-11-21T04:00:00Z', temperature: -18.5, Ignition: true },
    IngestReading,
  ],
] as unknown as [string, unknown, Struct<unknown>][]

describe.each(SAMPLES)('%s', (_, sample, struct) => {
  test('is let in as it is', () => {
    expect(() => decode(structuredClone(sample), struct)).not.toThrow()
  })

  test('with any one field replaced by what it cannot be, is refused with the path of that field', () => {
    const paths = leaves(sample)
    fc.assert(
      fc.property(
        fc.constantFrom(...paths),
        fc.constantFrom(Number.NaN, { no: 'such' }, [[]]),
        (path, wrong) => {
          const refusal = refused(replaced(sample, path, wrong), struct)
          const at = path.join('.')
          expect(refusal === undefined ? '' : refusal.path, at).toMatch(pathOrInside(at))
          expect(refusal?.message).toContain(refusal?.path)
        },
      ),
    )
  })
})

test('facts that hold secrets never leave the server', () => {
  const secret = { ...fact, type: 'user.password-set', data: { userId: 'u1', hash: '$argon2id$…' } }
  expect(() => decode(secret, Fact)).not.toThrow()
  expect(() => decode(secret, PublicFact)).toThrow(ContractError)
})

type Path = (string | number)[]

function leaves(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([key, inner]) =>
    leaves(inner, [...path, Array.isArray(value) ? Number(key) : key]),
  )
}

function replaced(value: unknown, path: Path, wrong: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return wrong
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value)
    ? [...value]
    : { ...(value as Record<string, unknown>) }
  const slot = copy as Record<string | number, unknown>
  slot[key] = replaced(slot[key], rest, wrong)
  return copy
}

function refused(value: unknown, struct: Struct<unknown>): ContractError | undefined {
  try {
    decode(value, struct)
    return undefined
  } catch (error) {
    if (error instanceof ContractError) return error
    throw error
  }
}

/** A wrong element of a list may be told of as the element or as something inside it. */
function pathOrInside(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.')}(\\..+)?$`)
}
