import type { Fact } from '#machines/contracts/facts.ts'
import type { ChangedSubject, LiveMessage } from '#machines/contracts/live-messages.ts'
import type { Directory } from '#machines/projections/directory.ts'
import type { Advance } from '../../read-models/read-models.ts'

/**
 * Something that people changed. `id`: of the group, user or company; `groups`: who sees one of these sees the change;
 * `companyId` instead of them: everybody of the company does; `superAdmins`: they do, wherever they are.
 */
export type Hint = { subject: ChangedSubject; id: string } & (
  | { groups: readonly string[] }
  | { companyId: string }
  | { superAdmins: true }
)

/** What of an advance open screens may want to request again. */
export function hintsOf(
  { facts, groupsBefore }: Pick<Advance, 'facts' | 'groupsBefore'>,
  directory: Directory,
): Hint[] {
  // a thousand devices moved at once are a change of two groups
  const hints = new Map<string, Hint>()
  for (const fact of facts)
    for (const hint of hintsOfFact(fact, groupsBefore.get(fact.seq), directory))
      hints.set(`${hint.subject} ${hint.id} ${whom(hint)}`, hint)
  return [...hints.values()]
}

function hintsOfFact(fact: Fact, groupBefore: string | undefined, { users, reports }: Directory): Hint[] {
  const group = (id: string): Hint => ({ subject: 'groups', id, groups: [id] })
  const user = (id: string, subject: 'users' | 'settings' = 'users'): Hint => ({
    subject,
    id,
    groups: present([users.get(id)?.groupId, groupBefore]),
  })
  switch (fact.type) {
    case 'group.created':
    case 'group.updated':
    case 'group.deleted':
    case 'group.evaluation-set':
    case 'group.fatigue-threshold-set':
      return [group(fact.data.groupId)]
    case 'device.registered':
      return fact.data.groupId === null ? [] : [group(fact.data.groupId)]
    case 'device.updated':
      return fact.data.groupId === undefined ? [] : present([fact.data.groupId, groupBefore]).map(group)
    case 'device.tracker-replaced':
    case 'device.retired':
      return present([groupBefore]).map(group)
    case 'user.created':
      return [user(fact.data.userId), group(fact.data.groupId)]
    case 'user.updated':
      return fact.data.groupId === undefined
        ? [user(fact.data.userId)]
        : [user(fact.data.userId), ...present([fact.data.groupId, groupBefore]).map(group)]
    case 'user.deleted':
      return [user(fact.data.userId), ...present([groupBefore]).map(group)]
    case 'user.password-set':
      return [user(fact.data.userId)]
    case 'user.notification-settings-set':
    case 'user.alerts-set':
      return [user(fact.data.userId, 'settings'), user(fact.data.userId)]
    case 'report.requested':
    case 'report.started':
    case 'report.completed':
    case 'report.failed':
    case 'report.retried':
    case 'report.cancelled':
    case 'report.outdated': {
      const { reportId } = fact.data
      return [{ subject: 'reports', id: reportId, groups: present([reports.get(reportId)?.groupId]) }]
    }
    case 'schedule.created':
    case 'schedule.updated':
    case 'schedule.deleted':
      return fact.companyId === null
        ? []
        : [{ subject: 'schedules', id: fact.data.scheduleId, companyId: fact.companyId }]
    case 'company.settings-changed': {
      const { companyId, timeZone } = fact.data
      const changed = { subject: 'companies' as const, id: companyId }
      // everybody's times are shown in it
      return [{ ...changed, superAdmins: true }, ...(timeZone ? [{ ...changed, companyId }] : [])]
    }
    case 'company.registered':
    case 'company.suspended':
    case 'company.resumed':
      return [{ subject: 'companies', id: fact.data.companyId, superAdmins: true }]
    case 'device-key.created':
    case 'device-key.expiry-set': {
      const { companyId } = fact.data
      return [
        { subject: 'keys', id: companyId, companyId },
        { subject: 'keys', id: companyId, superAdmins: true },
      ]
    }
    case 'company.driving-score-set':
    case 'company.head-address-set':
      return [{ subject: 'settings', id: fact.data.companyId, companyId: fact.data.companyId }]
    default:
      return []
  }
}

const whom = (hint: Hint): string =>
  'groups' in hint ? String(hint.groups) : 'companyId' in hint ? hint.companyId : 'super admins'

/** Ids in one message; of more it only says that they are many. */
const MOST_IDS = 50

/** Changes somebody is still to be sent. */
export type PendingChanges = Map<ChangedSubject, Set<string>>

/**
 * The changes that hints bring to the members of a scope. A group's numbers are those of all below it: the groups above a changed
 * one, as far as they see them, have changed too.
 * @param sees whether a group is, or until now was, in the scope
 */
export function pendingFor(
  hints: readonly Hint[],
  companyId: string,
  sees: (groupId: string) => boolean,
  { groups }: Directory,
): PendingChanges {
  const pending: PendingChanges = new Map()
  for (const hint of hints) {
    if ('superAdmins' in hint) continue
    if ('companyId' in hint ? hint.companyId !== companyId : !hint.groups.some(sees)) continue
    const ids = pending.get(hint.subject) ?? new Set()
    pending.set(hint.subject, ids)
    ids.add(hint.id)
    if (hint.subject !== 'groups') continue
    for (
      let id = groups.get(hint.id)?.parentId ?? null;
      id !== null && sees(id);
      id = groups.get(id)?.parentId ?? null
    )
      ids.add(id)
  }
  return pending
}

/** The changes that hints bring to super admins beside those of their scope. */
export function pendingForSuperAdmins(hints: readonly Hint[]): PendingChanges {
  const pending: PendingChanges = new Map()
  for (const hint of hints)
    if ('superAdmins' in hint)
      pending.set(hint.subject, new Set([...(pending.get(hint.subject) ?? []), hint.id]))
  return pending
}

/** Adds to what is pending already. */
export function addPending(pending: PendingChanges, more: PendingChanges): void {
  for (const [subject, ids] of more) pending.set(subject, ids.union(pending.get(subject) ?? new Set()))
}

/** The messages of what is pending. */
export const messagesOf = (pending: PendingChanges, seq: number): LiveMessage[] =>
  Array.from(pending, ([subject, ids]) => ({
    type: 'changed',
    subject,
    ids: ids.size > MOST_IDS ? [] : [...ids],
    seq,
  }))

const present = (ids: (string | undefined)[]): string[] => [...new Set(ids)].filter((id) => id !== undefined)
