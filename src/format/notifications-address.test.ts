import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Notification, NotificationType } from '#machines/contracts/entities/notifications.ts'
import { addressOf, listedAddress, notificationsAddress } from './notifications-address.ts'
import { setTimeZone } from './time.ts'

setTimeZone('Asia/Karachi')
const read = (address: string) => listedAddress.read(new URL(address, 'http://portal').search)
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
      expect(read(notificationsAddress(sought))).toEqual({
        range: sought.range,
        things: new Set([sought.thing]),
        types: [],
        plate,
        open: null,
      })
    }),
  )
})

test('a notification has an address, which says that it is open', () => {
  const address = addressOf(
    {
      _id: 'f9',
      thing: '356307042000001',
      plateNumber: 'LEB-1',
      createdAt: '2026-11-21T05:00:00.000Z',
    } as Notification,
    'Asia/Karachi',
  )
  expect(read(address)).toMatchObject({ open: 'f9', plate: 'LEB-1' })
  expect(read('/notifications?open=<b>').open).toBe(null)
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
    expect(read(`/notifications?${query}`)).toEqual(listedAddress.read(''))
  expect(read('/notifications?type=NONE,vehicleOffline').types).toEqual(['vehicleOffline'])
})

const imeis = fc.uniqueArray(fc.stringMatching(/^\d{15}$/), { maxLength: 100 }).map((all) => new Set(all))

test('what the page keeps in its address is read again, several things and types too', () => {
  const states = fc.record({
    range: fc.option(fc.nat(1e9).map((ms) => ({ from, to: from + ms }))),
    things: fc.oneof(
      fc.constantFrom('all' as const, 'many' as const),
      imeis,
      imeis.filter(({ size }) => size > 0).map((but) => ({ but })),
    ),
    types: fc.subarray(Object.values(NotificationType.schema)),
    plate: fc.string({ maxLength: 200 }),
    open: fc.option(fc.constant('f9')),
  })
  fc.assert(
    fc.property(states, (state) => {
      expect(listedAddress.read(listedAddress.write(state))).toEqual(state)
    }),
  )
})
