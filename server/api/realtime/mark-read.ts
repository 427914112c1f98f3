import { ContractError, decode } from '#machines/contracts/decode.ts'
import { CLIENT_EVENTS, type ClientEvents } from '#machines/contracts/sockets.ts'
import { seenBy } from '#machines/projections/attention.ts'
import { isWithin } from '#machines/projections/directory.ts'
import type { Execute } from '../../commands/execute.ts'
import { see } from '../../commands/notifications/mark-read.ts'
import type { NotificationIndex } from '../../read-models/notification-index.ts'
import type { ReadModels } from '../../read-models/read-models.ts'
import type { Visitor } from './visitor.ts'

/** Remembers that somebody has seen their notifications up to a position in the log. */
export type See = (visitor: Pick<Visitor, 'userId' | 'groupId'>, upTo: number) => Promise<void>

/** Nothing is written where there was no notification that they had not seen. */
export function createSeeing(deps: {
  execute: Execute
  notifications: NotificationIndex
  readModels: ReadModels
}): See {
  const { execute, notifications, readModels } = deps
  const { directory, attention } = readModels
  return async ({ userId, groupId }, upTo) => {
    const seen = seenBy(attention, userId)
    if (upTo <= seen) return
    const isInSight = (no: number) => isWithin(directory, directory.devices[no]?.groupId ?? null, groupId)
    const [unseen, left] = await Promise.all(
      [seen, upTo].map((after) => notifications.countAfter(after, isInSight)),
    )
    const hasNews = unseen !== left
    await execute(
      `seen-${userId}`,
      { type: 'notifications.see', by: userId, data: { userId, upTo } },
      (state, command) => see(state, command, attention, hasNews),
    )
  }
}

/** What a client says it has seen; undefined where it cannot be read. */
export function saidSeen(message: unknown): ClientEvents['seeNotifications'] | undefined {
  try {
    return decode(message, CLIENT_EVENTS.seeNotifications, 'seeNotifications')
  } catch (error) {
    if (error instanceof ContractError) return undefined
    throw error
  }
}
