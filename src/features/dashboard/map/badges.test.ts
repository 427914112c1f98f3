import { expect, test } from 'vitest'
import { incident, lostDevice } from '../../../layout/incidents/testing.ts'
import type { DeviceIncident } from '../../../layout/incidents/use-incident-of.ts'
import { badgesOf } from './badges.ts'

const holder = { userId: 'u2', userName: 'Ayesha Malik', since: '2026-06-15T04:10:00.000Z' }
const shelving = {
  imei: incident(3).imei,
  type: 'offline' as const,
  until: '2026-06-15T06:00:00.000Z',
  reason: 'Workshop',
  userName: 'Hina',
  createdAt: '2026-06-15T04:00:00.000Z',
}

test('a mark has the initials of who has its device, the sign of what is shelved, or nothing where nobody has it', () => {
  const open: DeviceIncident[] = [
    { incident: incident(1), shelving: undefined },
    { incident: lostDevice(2, { holder }), shelving: undefined },
    { incident: lostDevice(3, { holder }), shelving },
  ]
  const { of } = badgesOf(new Map(open.map((one) => [one.incident.imei, one])))
  expect([...of]).toEqual([
    [incident(2).imei, 'AM'],
    [incident(3).imei, 'shelved'],
  ])
})
