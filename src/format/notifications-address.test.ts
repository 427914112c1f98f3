import fc from 'fast-check'
import { expect, test } from 'vitest'
import { notificationsAddress, readNotificationsAddress } from './notifications-address.ts'

const zone = 'Asia/Karachi'
const read = (address: string) => readNotificationsAddress(new URL(address, 'http://portal').search, zone)
const from = Date.UTC(2026, 10, 20, 9)
const to = Date.UTC(2026, 10, 21, 9)

test('an address says what is sought in words people can read', () => {
  expect(
    notificationsAddress({
      range: { from, to },
      thing: '356307042000001',
      plate: 'LEB-1',
      types: ['HIGH_TEMPERATURE_DETECTED', 'LOW_TEMPERATURE_DETECTED'],
    }),
  ).toBe(
    '/notifications?date=2026-11-20T09:00:00.000Z..2026-11-21T09:00:00.000Z&thing=356307042000001&plate=LEB-1' +
      '&type=HIGH_TEMPERATURE_DETECTED,LOW_TEMPERATURE_DETECTED',
  )
  expect(notificationsAddress({})).toBe('/notifications')
})

test('what was written is read, whatever the plate number', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.nat(1e9), (plate, span) => {
      const sought = { range: { from, to: from + span }, thing: '356307042000001', plate }
      expect(read(notificationsAddress(sought))).toEqual(sought)
    }),
  )
})

test('a day is one of the zone, from its first millisecond to its last', () => {
  expect(read('/notifications?date=2026-11-21').range).toEqual({
    from: Date.UTC(2026, 10, 20, 19),
    to: Date.UTC(2026, 10, 21, 19) - 1,
  })
})

test('what cannot be read narrows nothing', () => {
  for (const query of [
    'date=',
    'date=2026-02-30',
    'date=soon',
    `date=${new Date(to).toISOString()}..${new Date(from).toISOString()}`,
    'date=2026-11-20T09:00Z..2026-11-21T09:00Z..',
    'thing=12&plate=&type=NONE,',
  ])
    expect(read(`/notifications?${query}`)).toEqual({})
  expect(read('/notifications?type=NONE,vehicleOffline').types).toEqual(['vehicleOffline'])
})
