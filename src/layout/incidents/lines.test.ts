import { expect, test } from 'vitest'
import { withStatus } from '#machines/contracts/device-state.ts'
import type { Incident, ViolationIncident } from '#machines/contracts/entities/incidents.ts'
import { valueWords } from '#machines/rules/violation-words.ts'
import { createFleet } from '../../read-model/fleet.ts'
import { imeiOf, plainDevice, snapshotOf } from '../../read-model/testing/make-fleet.ts'
import { initialsOf } from './holder-words.ts'
import { beyondWords, newestOf, rowWords, worstFirst } from './lines.ts'
import { byView } from './views.ts'

const incident = (no: number, fields: Partial<ViolationIncident> = {}): ViolationIncident => ({
  violationId: `v${no}`,
  notificationId: `f${no}`,
  imei: imeiOf(no),
  type: 'HIGH_TEMPERATURE_DETECTED',
  threshold: 8,
  value: 9,
  since: '2026-06-15T04:00:00.000Z',
  openedAt: '2026-06-15T04:05:00.000Z',
  clearedAt: null,
  acknowledged: null,
  holder: null,
  ...fields,
})
const holder = (userId: string) => ({ userId, userName: userId, since: '2026-06-15T04:10:00.000Z' })
const ids = (incidents: readonly Incident[]) => incidents.map(({ violationId }) => violationId)

test('each open one is in one view beside Open: mine, nobody’s or known', () => {
  const acknowledged = { userName: 'Amna', comment: '', createdAt: '2026-06-15T04:10:00.000Z' }
  const desk = {
    open: [
      incident(1),
      incident(2, { holder: holder('me') }),
      incident(3, { holder: holder('you') }),
      incident(4, { holder: holder('me'), type: 'LOW_HUMIDITY_DETECTED' }),
      incident(5, { acknowledged }),
    ],
    over: [incident(6)],
    moreLost: 0,
    hasMoreOver: false,
    shelved: [
      {
        imei: imeiOf(4),
        type: 'LOW_HUMIDITY_DETECTED' as const,
        until: '2026-06-15T05:00:00.000Z',
        reason: 'r',
        userName: 'U',
        createdAt: '2026-06-15T04:00:00.000Z',
      },
    ],
  }
  const views = byView(desk, 'me')
  expect([views.nobodys, views.mine, views.known, views.over].map(ids)).toEqual([
    ['v1'],
    ['v2'],
    ['v3', 'v4', 'v5'],
    ['v6'],
  ])
  expect(views.open).toHaveLength(5)
})

test('worst first by the newest values: heat before humidity, the farther beyond before the nearer', () => {
  const fleet = createFleet((call) => call())
  fleet.load(
    snapshotOf(1, [
      plainDevice(1, { temperature: 900 }),
      plainDevice(2, { temperature: 2360 }),
      plainDevice(3),
    ]),
  )
  const humid = incident(3, { type: 'HIGH_HUMIDITY_DETECTED', threshold: 40 })
  expect(ids(worstFirst(fleet, [humid, incident(1), incident(2)]))).toEqual(['v2', 'v1', 'v3'])
  const value = newestOf(fleet, incident(2))
  expect([valueWords('HIGH_TEMPERATURE_DETECTED', value), beyondWords(incident(2), value)]).toEqual([
    '23.6 °C',
    '15.6 above 8',
  ])
  expect(beyondWords(incident(2, { type: 'LOW_TEMPERATURE_DETECTED', threshold: -20 }), -24.26)).toBe(
    '4.3 below −20',
  )
  expect(beyondWords(incident(2), 7.5)).toBe('back inside 8')
})

test('lost devices come last, the newest loss first, and unplugged ones before silent ones', () => {
  const fleet = createFleet((call) => call())
  const status = (no: number, thingStatus: 'offline' | 'disconnected') =>
    plainDevice(no, { state: withStatus(0, thingStatus) })
  fleet.load(
    snapshotOf(1, [status(1, 'offline'), status(2, 'offline'), status(3, 'disconnected'), plainDevice(4)]),
  )
  const lost = (no: number, hour: string): Incident => ({
    ...incident(no),
    type: 'offline',
    threshold: null,
    value: null,
    since: `2026-06-15T0${hour}:00:00.000Z`,
  })
  const dry = incident(4, { type: 'LOW_HUMIDITY_DETECTED', threshold: 40, value: 30 })
  expect(ids(worstFirst(fleet, [lost(1, '1'), lost(2, '2'), lost(3, '0'), dry]))).toEqual([
    'v4',
    'v3',
    'v2',
    'v1',
  ])
  expect(rowWords(fleet, lost(3, '0'))).toMatchObject({ first: 'Disconnected' })
})

test.each([
  ['Ayesha Malik', 'AM'],
  ['sana bint Ahmed', 'SA'],
  ['Imran', 'I'],
  ['', '?'],
])('%s is %s', (name, initials) => expect(initialsOf(name)).toBe(initials))
