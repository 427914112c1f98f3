import type { Incident } from '#machines/contracts/entities/incidents.ts'
import type { Notification } from '#machines/contracts/entities/notifications.ts'
import type { Fact } from '#machines/contracts/facts.ts'
import { commentsOn, seenBy } from '#machines/projections/attention.ts'
import { type Directory, isWithin } from '#machines/projections/directory.ts'
import { deskOf, kindKey, lostBy } from '#machines/projections/incidents.ts'
import type { Visitor } from '../../auth/visitor.ts'
import { acknowledge } from '../../commands/notifications/acknowledge.ts'
import { checkPassenger } from '../../commands/notifications/check-passenger.ts'
import { commentOn } from '../../commands/notifications/comment.ts'
import { notificationInScope } from '../../commands/notifications/in-scope.ts'
import { shelve, shelvingStream, unshelve } from '../../commands/notifications/shelve.ts'
import { release, take } from '../../commands/notifications/take.ts'
import { newId } from '../../commands/repeatable.ts'
import type { Cut } from '../../read-models/cut.ts'
import { deviceOfIncident } from '../../read-models/device-of-incident.ts'
import { createHeardAt, type HeardAt } from '../../read-models/last-heard.ts'
import type { NotificationQuery } from '../../read-models/notification-index.ts'
import { isViolationFact, notificationOf } from '../../read-models/notification-of.ts'
import { createCutOf } from './as-of.ts'
import { notificationsAt } from './attention-at.ts'
import type { HttpContext } from './context.ts'
import { deskAt } from './desk-at.ts'
import { createKeptHistory } from './kept-history.ts'
import { factById, whyOf } from './notification-why.ts'
import { ApiError, notFound, refusal } from './refusals.ts'
import { whyAt } from './why-at.ts'

/** Notifications of one answer: as many as a screen loads at once, and the most a caller may ask for. */
const PAGE = 20
const LARGEST_PAGE = 500
const NOT_WHY = 'Only of a violation it is known why it happened'

type Deps = Pick<
  HttpContext,
  'answerCall' | 'clock' | 'visible' | 'execute' | 'store' | 'readModels' | 'notifications' | 'past'
>

/** What routes of notifications have in common. */
type Routes = Deps & {
  keptHistory: ReturnType<typeof createKeptHistory>
  cutOf: ReturnType<typeof createCutOf>
  heardAt: HeardAt
}

/** What happened to the devices in visible, newest first, and what people made of it. */
export function notificationRoutes(deps: Deps): void {
  const heardAt = createHeardAt(deps.store.telemetry, deps.readModels)
  const routes: Routes = { ...deps, keptHistory: createKeptHistory(deps), cutOf: createCutOf(deps), heardAt }
  readingRoutes(routes)
  answeringRoutes(routes)
  carryingRoutes(routes)
}

/** What happened, what is open of it, and why it happened. */
function readingRoutes(routes: Routes): void {
  const { answerCall, clock, visible, readModels, notifications: index, cutOf } = routes
  const { directory, attention } = readModels

  answerCall('notifications', async ({ params, query, body, visitor }) => {
    const groupId = visible.group(visitor, params.groupId)._id
    const things = body.things && new Set(body.things.map((imei) => visible.device(visitor, imei).no))
    const isInGroup = isIn(directory, groupId)
    const skip = body.skip ?? 0
    const wanted = {
      from: body.startDate,
      to: body.endDate,
      isRequested: (no: number) => (things === undefined || things.has(no)) && isInGroup(no),
      ...(body.types && { types: body.types }),
      skip,
      limit: Math.min(body.limit ?? PAGE, LARGEST_PAGE),
    }
    const cut = await cutOf(query, visitor)
    const [{ notifications, notificationsCount, seq }, unread] = await Promise.all([
      cut === undefined ? index.find(wanted) : findAt(lookedAtBy(routes, visitor), wanted, cut),
      index.countAfter(seenBy(attention, visitor.userId), isIn(directory, visitor.groupId)),
    ])
    return {
      notifications,
      notificationsCount,
      hasMore: skip + notifications.length < notificationsCount,
      unread,
      seq,
    }
  })

  answerCall('incidents', async ({ params, query, visitor }) => {
    const { _id: groupId, companyId } = visible.group(visitor, params.groupId)
    const isInGroup = isIn(directory, groupId)
    const cut = await cutOf(query, visitor)
    if (cut !== undefined)
      return { ...(await deskAt(lookedAtBy(routes, visitor), cut, companyId, isInGroup)), seq: cut.seq }
    const desk = deskOf(attention.incidents, clock.now(), (one) =>
      isInGroup(deviceOfIncident(directory, routes.store.log, one)?.no ?? -1),
    )
    return { ...desk, seq: readModels.seq }
  })

  answerCall('why', async ({ params, query, visitor }) => {
    const { fact, device } = inScope(routes, visitor, params.id)
    if (!isViolationFact(fact)) throw new ApiError(422, NOT_WHY)
    const cut = await cutOf(query, visitor)
    return cut === undefined
      ? whyOf(routes, fact, device, visitor.groupId)
      : whyAt(routes, fact, device, visitor.groupId, cut)
  })
}

/** What people say of it. */
function answeringRoutes(routes: Routes): void {
  const { answerCall, visible, execute, store, readModels } = routes
  const { attention } = readModels

  answerCall('comment', async ({ params, body, visitor }) => {
    const fact = factById(store.log, params.id)
    const { refused } = await execute(
      `notification-${params.id}`,
      {
        type: 'notification.comment',
        by: visitor.userId,
        data: { notificationId: params.id, commentId: newId('c'), comment: body.comment },
      },
      (state, command) => commentOn(state, command, fact, attention, visitor.groupId),
    )
    if (refused) throw refusal(refused)
    return [...commentsOn(attention, params.id)]
  })

  answerCall('acknowledge', async ({ params, body, visitor }) => {
    const fact = factById(store.log, params.id)
    const { refused } = await execute(
      `notification-${params.id}`,
      {
        type: 'violation.acknowledge',
        by: visitor.userId,
        data: {
          notificationId: params.id,
          comment: body.comment ?? '',
          ...(body.reason !== undefined && { reason: body.reason }),
        },
      },
      (state, command) => acknowledge(state, command, fact, attention, visitor.groupId),
    )
    if (refused) throw refusal(refused)
    return asItIsNow(routes, fact)
  })

  answerCall('passengerCheck', async ({ params, visitor }) => {
    const { imei } = visible.device(visitor, params.thingId)
    const isPassenger = params.isPassenger === 'true'
    const { refused, facts } = await execute(
      `passenger-${imei}`,
      { type: 'passenger.check', by: visitor.userId, data: { imei, isPassenger } },
      (state, command) => checkPassenger(state, command, attention, visitor.groupId),
    )
    if (refused) throw refusal(refused)
    return { message: facts.length > 0 ? 'Thank you, your answer is kept' : 'This was answered already' }
  })
}

/** Who has it, and what is known for a while. */
function carryingRoutes(routes: Routes): void {
  const { answerCall, visible, execute, store, readModels } = routes
  const { attention } = readModels

  answerCall('take', async ({ params, visitor }) => {
    const fact = factById(store.log, params.id)
    const { refused } = await execute(
      `notification-${params.id}`,
      { type: 'violation.take', by: visitor.userId, data: { notificationId: params.id } },
      (state, command) => take(state, command, fact, attention.incidents, visitor.groupId),
    )
    if (refused) throw refusal(refused)
    return asItIsNow(routes, fact)
  })

  answerCall('release', async ({ params, visitor }) => {
    const fact = factById(store.log, params.id)
    const { refused } = await execute(
      `notification-${params.id}`,
      { type: 'violation.release', by: visitor.userId, data: { notificationId: params.id } },
      (state, command) => release(state, command, fact, attention.incidents, visitor.groupId),
    )
    if (refused) throw refusal(refused)
    return asItIsNow(routes, fact)
  })

  // people may name a device by the tracker before its present one
  answerCall('shelve', async ({ params: { imei: named, type }, body, visitor }) => {
    const { imei } = visible.device(visitor, named)
    const { refused } = await execute(
      shelvingStream(imei),
      { type: 'violation.shelve', by: visitor.userId, data: { imei, type, ...body } },
      (state, command) => shelve(state, command, visitor.groupId),
    )
    if (refused) throw refusal(refused)
    const shelving = attention.incidents.shelved.get(kindKey({ imei, type }))
    if (shelving === undefined) throw notFound()
    return shelving
  })

  answerCall('unshelve', async ({ params: { imei: named, type }, visitor }) => {
    const { imei } = visible.device(visitor, named)
    const { refused, facts } = await execute(
      shelvingStream(imei),
      { type: 'violation.unshelve', by: visitor.userId, data: { imei, type } },
      (state, command) => unshelve(state, command, attention.incidents, visitor.groupId),
    )
    if (refused) throw refusal(refused)
    return { message: facts.length > 0 ? 'It is no longer shelved' : 'It was not shelved any more' }
  })
}

/** Whether a device, by its number, is in a group or below it. */
const isIn = (directory: Directory, groupId: string) => (no: number) =>
  isWithin(directory, directory.devices[no]?.groupId ?? null, groupId)

const lookedAtBy = (routes: Routes, visitor: Visitor): Routes => ({
  ...routes,
  past: routes.past.lookedAtBy(visitor),
})

async function findAt(routes: Routes, wanted: NotificationQuery, cut: Cut) {
  const { facts, notificationsCount } = await routes.notifications.findAt(wanted, cut)
  return { notifications: await notificationsAt(routes, facts, cut), notificationsCount, seq: cut.seq }
}

/** @throws ApiError 404 where nothing is known of it any more */
function asItIsNow({ readModels }: Routes, fact: Fact | undefined): Notification | Incident {
  const now = fact && (lostBy(readModels.attention.incidents, fact) ?? notificationOf(fact, readModels))
  if (now === undefined) throw notFound()
  return now
}

/** @throws ApiError 404 where the visitor sees no such notification */
function inScope({ readModels, store }: Routes, visitor: Visitor, id: string) {
  const found = notificationInScope(readModels.directory, factById(store.log, id), visitor.groupId)
  if (found === undefined) throw notFound()
  return found
}
