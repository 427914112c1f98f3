import type { Fact } from '../contracts/facts.ts'
import { type Directory, isWithin } from './directory.ts'
import { type Touched, touchedBy, type ValueChange } from './touched.ts'

/** Something somebody did to one thing. `run`: the first of the facts stored at once. `more`: changes beyond those kept. */
export type Entry = {
  at: number
  by: string | null
  action: 'created' | 'updated'
  changes: ValueChange[]
  more: number
  run: number
}

/**
 * Who changed what, of groups, users and devices, oldest first: a fold of facts beside the directory. A device that
 * nobody ever changed has no entry, so 100,000 of them weigh nothing. What is deleted is forgotten.
 */
export type History = {
  groups: Map<string, Entry[]>
  users: Map<string, Entry[]>
  devices: Map<string, Entry[]>
  /** deleted group or user → the group it was in: who might know of the one may know of the other */
  gone: Map<string, string>
  /** names of users who were deleted: what they did stays theirs */
  people: Map<string, string>
  /** where the last fact was stored: one that joins on belongs to the same doing */
  last: { seq: number; at: number; by: string | null; run: number }
}

export const emptyHistory = (): History => ({
  groups: new Map(),
  users: new Map(),
  devices: new Map(),
  gone: new Map(),
  people: new Map(),
  last: { seq: -1, at: -1, by: null, run: -1 },
})

/** Entries kept a thing, and changes kept an entry: a thousand devices moved at once are told by number. */
export const ENTRIES_KEPT = 500
export const CHANGES_KEPT = 50

/** Folds one fact in, in place. `directory` is what it was before the fact. */
export function evolveHistory(history: History, directory: Directory, fact: Fact): void {
  const touched = touchedBy(directory, fact)
  if (touched.length === 0 && fact.type !== 'group.deleted' && fact.type !== 'user.deleted') return
  const { last } = history
  const by = fact.by ?? null
  const isSame = fact.seq === last.seq + 1 && fact.at === last.at && by === last.by
  history.last = { seq: fact.seq, at: fact.at, by, run: isSame ? last.run : fact.seq }
  // a device that takes the IMEI of one that is gone begins anew
  if (fact.type === 'device.registered') history.devices.delete(fact.data.imei)
  for (const one of touched) enter(history, one, fact.at, by)
  if (fact.type === 'device.tracker-replaced') renameDevice(history, fact.data.before, fact.data.after)
  if (fact.type === 'group.deleted') {
    const parentId = directory.groups.get(fact.data.groupId)?.parentId ?? null
    if (parentId !== null) history.gone.set(fact.data.groupId, parentId)
    history.groups.delete(fact.data.groupId)
  } else if (fact.type === 'user.deleted') {
    const user = directory.users.get(fact.data.userId)
    if (user !== undefined) {
      history.people.set(user._id, `${user.firstName} ${user.lastName}`.trim())
      history.gone.set(user._id, user.groupId)
    }
    history.users.delete(fact.data.userId)
  }
}

/** Whether a group is another or below it today; one that is deleted, and a user who is, by the group it was in when it was. */
export function isOrWasWithin(
  { directory, history }: { directory: Directory; history: History },
  id: string | null,
  topId: string,
): boolean {
  let groupId = id
  while (groupId !== null && !directory.groups.has(groupId)) groupId = history.gone.get(groupId) ?? null
  return isWithin(directory, groupId, topId)
}

/** What was done to a device stays with it when its tracker is another. */
function renameDevice({ devices }: History, before: string, after: string): void {
  const entries = devices.get(before)
  devices.delete(before)
  if (entries !== undefined) devices.set(after, entries)
}

/** What is done at once is one entry, unless it says something else of a field that it has said something of. */
function enter(history: History, { of, id, action, changes }: Touched, at: number, by: string | null): void {
  const entries = history[of].get(id)
  const newest = entries?.at(-1)
  const { run } = history.last
  const joins = newest?.run === run && action === 'updated' && !changes.some((change) => says(newest, change))
  if (newest !== undefined && joins) add(newest, changes)
  else {
    const entry: Entry = { at, by, action, changes: [], more: 0, run }
    add(entry, changes)
    // most things have one entry: an array made with it has no room to spare
    history[of].set(id, (entries ?? []).concat(entry).slice(-ENTRIES_KEPT))
  }
}

/** What comes and goes may do so many times. */
const MANY = new Set(['things', 'child', 'users'])

const says = (entry: Entry, { field }: ValueChange): boolean =>
  !MANY.has(field) && entry.changes.some((change) => change.field === field)

function add(entry: Entry, changes: ValueChange[]): void {
  const room = Math.max(0, CHANGES_KEPT - entry.changes.length)
  entry.changes = entry.changes.concat(changes.slice(0, room))
  entry.more += Math.max(0, changes.length - room)
}
