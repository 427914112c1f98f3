import { isWithin } from '#machines/projections/directory.ts'
import type { HttpContext } from './context.ts'

/** Notifications of one answer: as many as a screen loads at once, and the most a caller may ask for. */
const PAGE = 20
const LARGEST_PAGE = 500

/** What happened to the devices in sight, newest first. */
export function notificationRoutes({
  answerCall,
  sight,
  readModels,
  notifications: index,
}: HttpContext): void {
  const { directory } = readModels

  answerCall('notifications', async ({ params, body, visitor }) => {
    const groupId = sight.group(visitor, params.groupId)._id
    const things = body.things && new Set(body.things.map((imei) => sight.device(visitor, imei).no))
    const skip = body.skip ?? 0
    const { notifications, notificationsCount } = await index.find({
      from: body.startDate,
      to: body.endDate,
      isAsked: (no) =>
        (things === undefined || things.has(no)) &&
        isWithin(directory, directory.devices[no]?.groupId ?? null, groupId),
      ...(body.types && { types: body.types }),
      skip,
      limit: Math.min(body.limit ?? PAGE, LARGEST_PAGE),
    })
    return {
      notifications,
      notificationsCount,
      hasMore: skip + notifications.length < notificationsCount,
      unread: 0,
      seq: readModels.seq,
    }
  })
}
