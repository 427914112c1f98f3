import { expect, test } from 'vitest'
import type { Incident } from '#machines/contracts/entities/incidents.ts'
import { valueWords } from '#machines/rules/violation-words.ts'
import { createFleet } from '../../read-model/fleet.ts'
import { imeiOf, plainDevice, snapshotOf } from '../../read-model/testing/make-fleet.ts'
import { beyondWords, byView, initialsOf, newestOf, worstFirst } from './lines.ts'

const incident = (no: number, said: Partial<Incident> = {}): Incident => ({
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
  ...said,
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

test.each([
  ['Ayesha Malik', 'AM'],
  ['sana bint Ahmed', 'SA'],
  ['Imran', 'I'],
  ['', '?'],
])('%s is %s', (name, initials) => expect(initialsOf(name)).toBe(initials))
