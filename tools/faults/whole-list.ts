import { setTimeout as pause } from 'node:timers/promises'
import type { Notification } from '#machines/contracts/entities/notifications.ts'
import type { NotificationWindow } from '../../server/api/realtime/testing/notification-window.ts'
import { callerOf } from '../../server/testing/caller.ts'

/** Who looks at the notifications. */
export const OPERATOR_ID = 'user-operator-indus'
const GROUP = 'indus'
const DAY = 86_400_000
const LOOK_MS = 200

type Page = { notifications: Notification[]; unread: number; seq: number; hasMore: boolean }
export type List = (skip?: number) => Promise<Page>

/** The server's notifications of around now, newest first, a page at a time. */
export function listOf(address: string, token: string): List {
  const startDate = Date.now() - DAY / 2
  return (skip = 0) =>
    callerOf(address).ask('notifications', {
      params: { groupId: GROUP },
      token,
      body: { startDate, endDate: startDate + DAY, skip, limit: 500 },
    })
}

/** All there are, as of the first page: what is told meanwhile moves rows to later pages, where some come again. */
export async function wholeOf(list: List): Promise<Page> {
  const first = await list()
  const whole = new Map(first.notifications.map((each) => [each._id, each]))
  for (let { hasMore } = first, read = first.notifications.length; hasMore; ) {
    const page = await list(read)
    for (const each of page.notifications) whole.set(each._id, each)
    read += page.notifications.length
    hasMore = page.hasMore
  }
  return { ...first, notifications: [...whole.values()] }
}

/** All there are once they are so many, or once patience (ms) is over: what was sent is evaluated a moment after it is stored. */
export async function wholeOnceOf(list: List, many: number, patience: number): Promise<Page> {
  for (const began = performance.now(); ; await pause(LOOK_MS)) {
    const whole = await wholeOf(list)
    if (whole.notifications.length >= many || performance.now() - began > patience) return whole
  }
}

/** What a window has otherwise than the server. */
export function lacks(window: NotificationWindow, whole: readonly Notification[]): string[] {
  const missed = whole.filter(({ _id }) => !window.notifications.has(_id)).length
  const known = new Set(whole.map(({ _id }) => _id))
  const extra = [...window.notifications.keys()].filter((id) => !known.has(id)).length
  const other = whole.filter((each) => {
    const mine = window.notifications.get(each._id)
    return mine !== undefined && JSON.stringify(sorted(mine)) !== JSON.stringify(sorted(each))
  }).length
  return [
    ...(missed > 0 ? [`${missed} missed`] : []),
    ...(extra > 0 ? [`${extra} that the server does not have`] : []),
    ...(other > 0 ? [`${other} are other than the server's`] : []),
    ...(window.twice > 0 ? [`${window.twice} received twice`] : []),
    ...(window.gaps > 0 ? [`${window.gaps} gaps`] : []),
  ]
}

const sorted = (each: object) => Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1))
