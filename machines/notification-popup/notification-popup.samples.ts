import type { Notification } from '../contracts/entities/notifications.ts'
import { notificationPopupMachine } from './notification-popup.machine.ts'

export const notificationOf = (thingName: string, more: Partial<Notification> = {}): Notification => ({
  _id: 'f1',
  name: 'High temperature',
  type: 'HIGH_TEMPERATURE_DETECTED',
  thing: '356307042000001',
  thingId: '356307042000001',
  thingName,
  plateNumber: 'LEB-1',
  message: `${thingName}: 9.4 °C, above 8 °C`,
  lat: 31.5,
  lng: 74.3,
  createdAt: '2026-11-21T09:00:00.000Z',
  passengerCheck: false,
  comments: [],
  violationId: 'v1',
  clearedAt: null,
  acknowledged: null,
  isRepeat: false,
  ...more,
})

export const model = {
  name: 'notification-popup',
  kind: 'screen' as const,
  machine: notificationPopupMachine,
  events: [
    { type: 'notify', notification: notificationOf('Reefer 1') },
    { type: 'missed', count: 3 },
    { type: 'gone' },
  ],
  describe: ({ type }: { type: string }) => WORDS[type],
}

const WORDS: Record<string, string> = {
  notify: 'a live notification',
  missed: 'having missed some',
  gone: 'the popup being gone',
}
