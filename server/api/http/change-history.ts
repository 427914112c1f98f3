import type { Change, ChangeHistory, Doer, FieldChange } from '#machines/contracts/entities/changes.ts'
import type { ShiftChange, ShiftSummary } from '#machines/contracts/entities/shift.ts'
import { type Directory, deviceByImei, isWithin } from '#machines/projections/directory.ts'
import { type Entry, type History, isOrWasWithin } from '#machines/projections/history.ts'
import type { Value, ValueChange } from '#machines/projections/touched.ts'
import type { Visitor } from '../../auth/visitor.ts'
import type { Cut } from '../../read-models/cut.ts'
import type { ReadModels } from '../../read-models/read-models.ts'
import { imagePath } from './group-answer.ts'
import { ApiError } from './refusals.ts'

export const FOR_MANAGERS = 'Only managers may read who changed what'
/** Shown in place of a group that the reader does not see. */
export const ANOTHER_GROUP = 'Another group'

const AT_ONCE = 100
const AT_FIRST = 50

/** `cut`: as of a time that is past. */
type Part = { skip?: number | undefined; limit?: number | undefined; cut?: Cut | undefined }

/** What people did, as those see it who see the thing they did it to. */
export function createChangeHistories({ directory, history }: Pick<ReadModels, 'directory' | 'history'>) {
  return {
    /** Newest first. @throws ApiError where the reader is no manager */
    page(
      visitor: Visitor,
      of: 'groups' | 'users' | 'devices',
      id: string,
      { skip = 0, limit = AT_FIRST, cut }: Part,
    ): ChangeHistory {
      if (!isManager(directory, visitor)) throw new ApiError(403, FOR_MANAGERS)
      const all = history[of].get(id) ?? []
      const entries = cut === undefined ? all : all.filter(({ at, run }) => at <= cut.at && run <= cut.seq)
      const end = Math.max(0, entries.length - skip)
      const chosen = entries.slice(Math.max(0, end - Math.min(limit, AT_ONCE)), end).reverse()
      return {
        changes: chosen.map((entry) => changeOf(directory, history, visitor, entry)),
        total: entries.length,
      }
    },
    /**
     * What was changed of the groups and devices in and below a group since a time, epoch ms; newest first, what was done to many
     * at once is shown as one of them and how many others. Null where the reader is no manager.
     */
    since(
      visitor: Visitor,
      groupId: string,
      since: number,
    ): Pick<ShiftSummary, 'changes' | 'hasMoreChanges'> {
      if (!isManager(directory, visitor)) return { changes: null, hasMoreChanges: false }
      const found = new Map<string, { entry: Entry; about: About; others: number }>()
      for (const { of, id, name } of thingsIn(directory, history, groupId))
        for (const whole of (history[of].get(id) ?? []).toReversed()) {
          if (whole.at < since) break
          const entry = of === 'groups' ? withoutDevices(whole) : whole
          if (entry === undefined) continue
          const key = `${entry.run} ${of} ${entry.action}`
          const known = found.get(key)
          if (known) known.others++
          else found.set(key, { entry, about: { of, id, name }, others: 0 })
        }
      const newest = [...found.values()].sort((a, b) => b.entry.at - a.entry.at)
      return {
        changes: newest.slice(0, AT_ONCE).map(({ entry, about, others }) => ({
          ...about,
          others,
          ...changeOf(directory, history, visitor, entry),
        })),
        hasMoreChanges: newest.length > AT_ONCE,
      }
    },
    /** Who changed something last. */
    last(of: 'groups' | 'users' | 'devices', id: string): { by: Doer; at: string | null } {
      const entry: Entry | undefined = history[of].get(id)?.at(-1)
      if (entry === undefined) return { by: null, at: null }
      return { by: doer(directory, history, entry.by), at: new Date(entry.at).toISOString() }
    },
  }
}

type About = Pick<ShiftChange, 'of' | 'id' | 'name'>

/** Groups and devices in and below a group that anybody ever changed. */
function* thingsIn(directory: Directory, history: History, groupId: string): Generator<About> {
  for (const id of history.groups.keys()) {
    const group = directory.groups.get(id)
    if (group && isWithin(directory, id, groupId)) yield { of: 'groups', id, name: group.name }
  }
  for (const imei of history.devices.keys()) {
    const device = deviceByImei(directory, imei)
    if (device && isWithin(directory, device.groupId, groupId))
      yield { of: 'devices', id: imei, name: device.name }
  }
}

/** A device that came or left is shown as what was done to the device. */
function withoutDevices(entry: Entry): Entry | undefined {
  const changes = entry.changes.filter(({ field }) => field !== 'things')
  const isAll = changes.length === 0 && entry.changes.length > 0
  return isAll
    ? undefined
    : { ...entry, changes, more: changes.length < entry.changes.length ? 0 : entry.more }
}

function changeOf(
  directory: Directory,
  history: History,
  visitor: Visitor,
  { at, by, action, changes, more }: Entry,
): Change {
  return {
    at: new Date(at).toISOString(),
    by: doer(directory, history, by),
    action,
    changes: changes.map((change) => shown(directory, history, visitor, change)),
    more,
  }
}

const isManager = ({ users }: Directory, { userId, superAdmin }: Visitor): boolean =>
  superAdmin || users.get(userId)?.type === 'Manager'

function doer({ users }: Directory, { people }: History, by: string | null): Doer {
  if (by === null) return null
  const user = users.get(by)
  return { _id: by, name: user ? `${user.firstName} ${user.lastName}`.trim() : (people.get(by) ?? '') }
}

function shown(
  directory: Directory,
  history: History,
  visitor: Visitor,
  { field, before, after }: ValueChange,
): FieldChange {
  const named = (value: Value) => {
    if (field === 'image' && typeof value === 'string') return imagePath(value)
    if (typeof value !== 'object' || value === null) return value
    const isSeen = isOrWasWithin({ directory, history }, value.groupId, visitor.groupId)
    return isSeen ? value.name : ANOTHER_GROUP
  }
  return { field, before: named(before), after: named(after) }
}
