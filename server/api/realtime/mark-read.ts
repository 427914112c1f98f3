import { ContractError, decode, printable } from '#machines/contracts/decode.ts'
import { CLIENT_EVENTS, type ClientEvents } from '#machines/contracts/sockets.ts'
import { seenBy } from '#machines/projections/attention.ts'
import { isWithin } from '#machines/projections/directory.ts'
import type { Execute } from '../../commands/execute.ts'
import { markRead } from '../../commands/notifications/mark-read.ts'
import type { NotificationIndex } from '../../read-models/notification-index.ts'
import type { ReadModels } from '../../read-models/read-models.ts'
import type { Visitor } from './visitor.ts'

/** Marks somebody's notifications read up to a position in the log. */
export type MarkRead = (visitor: Pick<Visitor, 'userId' | 'groupId'>, upTo: number) => Promise<void>

/** Nothing is written where there was no notification that they had not seen. */
export function createMarkRead(deps: {
  execute: Execute
  notifications: NotificationIndex
  readModels: ReadModels
}): MarkRead {
  const { execute, notifications, readModels } = deps
  const { directory, attention } = readModels
  return async ({ userId, groupId }, upTo) => {
    const seen = seenBy(attention, userId)
    if (upTo <= seen) return
    const isVisible = (no: number) => isWithin(directory, directory.devices[no]?.groupId ?? null, groupId)
    const hasNews = (await notifications.countAfter(seen, isVisible, upTo)) > 0
    await execute(
      `seen-${userId}`,
      { type: 'notifications.see', by: userId, data: { userId, upTo } },
      (state, command) => markRead(state, command, attention, hasNews),
    )
  }
}

/** The message by which a client marks notifications read; undefined where it cannot be read. */
export function decodeSeen(message: unknown): ClientEvents['seeNotifications'] | undefined {
  try {
    return decode(printable(message), CLIENT_EVENTS.seeNotifications, 'seeNotifications')
  } catch (error) {
    if (error instanceof ContractError) return undefined
    throw error
  }
}
