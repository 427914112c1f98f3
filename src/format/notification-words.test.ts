import { expect, test } from 'vitest'
import type { Notification, NotificationType } from '#machines/contracts/entities/notifications.ts'
import { detailOf, whatOf } from './notification-words.ts'

const notification = (type: NotificationType, detail: string, thingName = 'Reefer 1'): Notification => ({
  _id: 'f1',
  name: '',
  type,
  thing: '356307042000001',
  thingId: '356307042000001',
  thingName,
  plateNumber: 'LEB-1',
  message: `Reefer 1: ${detail}`,
  lat: null,
  lng: null,
  createdAt: '2026-11-21T09:00:00.000Z',
  passengerCheck: false,
  comments: [],
  violationId: null,
  clearedAt: null,
  acknowledged: null,
  isRepeat: false,
})

test.each([
  ['vehicleOffline', 'device unplugged', 'Device unplugged'],
  ['vehicleOnline', 'device plugged in', 'Device pluggedin'],
  ['TEMP_SENSOR_UNPLUGGED', 'temperature sensor unplugged', 'Sensor unplugged'],
] as const)('a status has one label: %s', (type, detail, label) => {
  expect([whatOf(notification(type, detail)), detailOf(notification(type, detail))]).toEqual([label, ''])
  expect(whatOf(notification(type, detail, 'renamed since'))).toBe(label)
})

test('a violation says how far beyond, without the device that stands beside it', () => {
  const one = notification('HIGH_TEMPERATURE_DETECTED', '9.4 °C, above 8 °C')
  expect(whatOf(one)).toBe('High temperature, 9.4 °C, above 8 °C')
})
