import type { Delivery } from '#machines/contracts/entities/notifications.ts'
import type { Fact, FactOf } from '#machines/contracts/facts.ts'
import { seenBy } from '#machines/projections/attention.ts'
import { type Device, isWithin } from '#machines/projections/directory.ts'
import {
  evolveWritings,
  isAfterWritings,
  WRITING_FACTS,
  type WritingFact,
  writingsOf,
} from '#machines/projections/writings.ts'
import type { ReadModels } from '../../read-models/read-models.ts'
import { factsInBreaths } from '../../store/log-follower.ts'
import type { EventLog } from '../../store/store.ts'
import { nameOf } from './session-answer.ts'

/** What people are notified of when it happens, or when it is found. */
type Notified = FactOf<'violation.opened'> | FactOf<'violation.found-late'>

/** Who was notified of a violation that opened or was found late, by which channel and what came of it; the first first. */
export async function whoWasNotified(
  log: EventLog,
  readModels: ReadModels,
  fact: Notified,
  device: Device,
): Promise<Delivery[]> {
  const notified = [
    ...(await seenOnScreen(log, readModels, fact, device)),
    ...(await written(log, readModels, fact)),
  ]
  return notified.sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)))
}

/** Of those who see the device: when each had seen all notifications up to this one. */
async function seenOnScreen(
  log: EventLog,
  { directory, attention }: ReadModels,
  { seq }: Fact,
  device: Device,
): Promise<Delivery[]> {
  // who has not seen it need not be looked for
  const waiting = new Set<string>()
  for (const { _id, groupId } of directory.users.values())
    if (seenBy(attention, _id) >= seq && isWithin(directory, device.groupId, groupId)) waiting.add(_id)
  const notified: Delivery[] = []
  if (waiting.size === 0) return notified
  for await (const fact of factsInBreaths(log, ['notifications.seen'], { after: seq })) {
    if (fact.data.upTo < seq) continue
    const { userId } = fact.data
    const user = directory.users.get(userId)
    if (user === undefined || !waiting.delete(userId)) continue
    notified.push({ userName: nameOf(user), channel: 'screen', at: iso(fact.at), state: 'seen', detail: '' })
    if (waiting.size === 0) break
  }
  return notified
}

/** Mails and messages about it, and whether they left. */
async function written(log: EventLog, readModels: ReadModels, opening: Notified): Promise<Delivery[]> {
  const writings = writingsOf(opening)
  for await (const fact of factsInBreaths(log, WRITING_FACTS, { after: opening.seq })) {
    if (isAfterWritings(writings, fact)) break
    evolveWritings(writings, fact as WritingFact)
  }
  return Array.from(writings.written.values(), ({ userId, at, ...one }) => ({
    userName: nameThen(readModels, userId),
    ...one,
    at: iso(at),
  }))
}

/** Also of who is gone. */
function nameThen({ directory, history }: ReadModels, userId: string): string {
  const user = directory.users.get(userId)
  return user === undefined ? (history.people.get(userId) ?? '') : nameOf(user)
}

const iso = (at: number): string => new Date(at).toISOString()
