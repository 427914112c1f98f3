import type { Notification } from '#machines/contracts/entities/notifications.ts'

/** When the tests are, in Karachi 2 pm. */
export const NOW = Date.UTC(2026, 10, 21, 9)
export const DEVICE = '356307042000001'

/** A high temperature of a reefer, told by the fact at `seq`, so many minutes ago. */
export const notificationOf = (
  seq: number,
  minutesAgo: number,
  more: Partial<Notification> = {},
): Notification => ({
  _id: `f${seq}`,
  name: 'High temperature',
  type: 'HIGH_TEMPERATURE_DETECTED',
  thing: DEVICE,
  thingId: DEVICE,
  thingName: `Reefer ${seq}`,
  plateNumber: `LEB-${seq}`,
  message: `Reefer ${seq}: 9.4 °C, above 8 °C`,
  lat: 31.5,
  lng: 74.3,
  createdAt: new Date(NOW - minutesAgo * 60_000).toISOString(),
  passengerCheck: false,
  comments: [],
  violationId: `v${seq}`,
  clearedAt: null,
  acknowledged: null,
  isRepeat: false,
  ...more,
})

/** What the server answers of a whole list to what is asked of it. */
export function answerOf(whole: readonly Notification[], request: unknown, unread = 0) {
  const { skip, limit } = request as { skip: number; limit: number }
  return {
    body: {
      notifications: whole.slice(skip, skip + limit),
      notificationsCount: whole.length,
      hasMore: skip + limit < whole.length,
      unread,
      seq: Math.max(1000, ...whole.slice(0, 1).map(({ _id }) => Number(_id.slice(1)))),
    },
  }
}
