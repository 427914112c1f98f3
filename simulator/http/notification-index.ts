import { setImmediate as breath } from 'node:timers/promises'
import { type Notification, NotificationType } from '#machines/contracts/entities/notifications.ts'
import type { FactType } from '#machines/contracts/facts.ts'
import { notificationOf } from '../delivery/notification-of.ts'
import type { EventLog } from '../log/log.ts'
import type { ReadModels } from '../projecting/read-models.ts'

/** `from` and `to` included, epoch ms; `isAsked` says of a device number whether it is meant; no `types`: all. */
export type NotificationQuery = {
  from: number
  to: number
  isAsked(no: number): boolean
  types?: readonly NotificationType[]
  skip: number
  limit: number
}
export type NotificationPage = { notifications: Notification[]; notificationsCount: number }

const TELLING: FactType[] = ['violation.opened', 'device-status.changed', 'sensor.unplugged']
const TYPES = Object.values(NotificationType.schema)
const FACTS_A_BREATH = 1000
const FIRST_ROOM = 1024

/**
 * Where in the log the notifications are: 21 bytes each, so that a year of them fits; their words are read when asked for.
 * It follows the log when it is asked, not before.
 */
export function createNotificationIndex(log: EventLog, readModels: ReadModels) {
  let rows = room(FIRST_ROOM)
  let length = 0
  let readTo = 0
  let reading: Promise<void> | undefined

  function add(seq: number, at: number, no: number, type: NotificationType): void {
    if (length === rows.seq.length) {
      const larger = room(length * 2)
      larger.seq.set(rows.seq)
      larger.at.set(rows.at)
      larger.no.set(rows.no)
      larger.type.set(rows.type)
      rows = larger
    }
    rows.seq[length] = seq
    rows.at[length] = at
    rows.no[length] = no
    rows.type[length++] = TYPES.indexOf(type)
  }

  async function readOn(): Promise<void> {
    const { seq: head } = readModels
    for (;;) {
      const facts = log.readFacts(readTo, { limit: FACTS_A_BREATH, types: TELLING })
      for (const fact of facts) {
        const told = notificationOf(fact, readModels)
        const no = told && readModels.directory.numbers.get(told.thing)
        if (told !== undefined && no !== undefined) add(fact.seq, fact.at, no, told.type)
      }
      readTo = facts.at(-1)?.seq ?? Math.max(readTo, head)
      if (facts.length < FACTS_A_BREATH) return
      await breath()
    }
  }

  /** One reads at a time; who asks meanwhile waits for that, and then for what came since. */
  async function caughtUp(): Promise<void> {
    while (reading !== undefined) await reading
    reading = readOn().finally(() => {
      reading = undefined
    })
    await reading
  }

  return async (query: NotificationQuery): Promise<NotificationPage> => {
    await caughtUp()
    const types = query.types && new Set(query.types.map((type) => TYPES.indexOf(type)))
    const found: number[] = []
    for (let i = length - 1; i >= 0; i--) {
      const at = rows.at[i] as number
      if (at < query.from || at > query.to) continue
      if (types?.has(rows.type[i] as number) === false || !query.isAsked(rows.no[i] as number)) continue
      found.push(i)
    }
    // a late batch is told late, but belongs where it happened
    found.sort((a, b) => (rows.at[b] as number) - (rows.at[a] as number) || b - a)
    const page = found.slice(query.skip, query.skip + query.limit)
    return {
      notifications: page.flatMap((i) => {
        const [fact] = log.readFacts((rows.seq[i] as number) - 1, { limit: 1 })
        return (fact && notificationOf(fact, readModels)) ?? []
      }),
      notificationsCount: found.length,
    }
  }
}

const room = (size: number) => ({
  seq: new Float64Array(size),
  at: new Float64Array(size),
  no: new Uint32Array(size),
  type: new Uint8Array(size),
})
