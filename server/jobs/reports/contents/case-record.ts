import type { Delivery, NotificationWhy } from '#machines/contracts/entities/notifications.ts'
import type { CaseVersion } from '#machines/contracts/entities/violation-case.ts'
import type { Fact, FactOf, FactType } from '#machines/contracts/facts.ts'
import type { ReadingColumns } from '#machines/contracts/readings.ts'
import {
  CASE_FACTS,
  type CaseRecord,
  caseOf,
  evolveCase,
  SHELVING_FACTS,
  type ViolationFact,
} from '#machines/projections/violation-case.ts'
import {
  evolveWritings,
  WRITING_FACTS,
  type WritingFact,
  writingsOf,
} from '#machines/projections/writings.ts'
import {
  type Course,
  doorsOf,
  evidenceSpan,
  lateReadingsOf,
  readingsThatOpened,
} from '#machines/rules/violation-evidence.ts'
import { type ReportDevice, ReportFault, type ReportOrder, type ReportSource } from '../order.ts'

const OPENINGS: readonly FactType[] = ['violation.opened', 'violation.found', 'violation.found-late']
const STRUCTURE: readonly FactType[] = [
  'group.created',
  'group.updated',
  'device.registered',
  'device.updated',
]
const PEOPLE: readonly FactType[] = ['user.created', 'user.updated']
const WANTED: readonly FactType[] = [
  ...new Set([...OPENINGS, ...CASE_FACTS, ...WRITING_FACTS, ...PEOPLE, 'notifications.seen' as const]),
]

/** What the record says of a violation, as its page in the portal has it. */
export type ReportedCase = Pick<CaseRecord, 'opening' | 'events' | 'versions' | 'closed'> & {
  why: NotificationWhy
}

type Person = { name: string; groupId: string }
/** Whose group is below which, where the device was when the violation was published and is now, and who there is. */
type Known = {
  groups: Map<string, { name: string; parentId: string | null }>
  before: string | null
  now: string | null
  people: Map<string, Person>
}

/** @throws ReportFault where the violation is not there */
export async function caseRecordOf(
  { notificationId }: ReportOrder,
  source: ReportSource,
  device: ReportDevice,
): Promise<ReportedCase> {
  const seq = Number(notificationId?.slice(1))
  const known = await structureOf(source, device, seq)
  const isItsOwn = (fact: Fact): boolean => source.deviceOf(fact)?.no === device.no
  const before: Fact[] = []
  let record: CaseRecord | undefined
  let writings: ReturnType<typeof writingsOf> | undefined
  const seen = new Map<string, Delivery>()
  for await (const facts of source.facts(WANTED))
    for (const fact of facts) {
      if (fact.type === 'user.created' || fact.type === 'user.updated') notePerson(known, fact)
      else if (record === undefined || writings === undefined) {
        if (fact.id === notificationId && isOpening(fact)) {
          record = caseOf(fact)
          writings = writingsOf(fact)
          for (const one of before) evolveCase(record, one)
        } else if (isShelving(fact) && isItsOwn(fact)) before.push(fact)
      } else if (!isShelving(fact) || isItsOwn(fact)) {
        evolveCase(record, fact)
        if ((WRITING_FACTS as readonly string[]).includes(fact.type))
          evolveWritings(writings, fact as WritingFact)
        if (fact.type === 'notifications.seen') noteSeen(known, seen, seq, fact)
      }
    }
  if (record === undefined || writings === undefined)
    throw new ReportFault('The violation is not in the record')
  const written = Array.from(writings.written.values(), ({ userId, at, ...one }) => ({
    userName: known.people.get(userId)?.name ?? '',
    ...one,
    at: iso(at),
  }))
  const notified = [...seen.values(), ...written].sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)))
  const course = courseOf(record)
  const span = evidenceSpan(course)
  const columns = await source.readings(device.no, span.from, span.to)
  return { ...record, why: whyOf(record, course, columns, known, notified) }
}

/** The course of a violation as it is known by now. */
function courseOf({ opening, versions }: CaseRecord): Course {
  const { since, openedAt, clearedAt } = versions.at(-1) as CaseVersion
  return {
    type: opening.data.type,
    since: Date.parse(since),
    openedAt: Date.parse(openedAt),
    clearedAt: clearedAt === null ? null : Date.parse(clearedAt),
  }
}

function whyOf(
  { opening, versions, clearReason, acknowledged }: CaseRecord,
  course: Course,
  columns: ReadingColumns,
  { groups, before }: Known,
  notified: Delivery[],
): NotificationWhy {
  const { since, openedAt, clearedAt, threshold, worst, isSinceBefore } = versions.at(-1) as CaseVersion
  const { type, delaySeconds, clearMargin, value } = opening.data
  const isRevised = course.since !== opening.data.since || course.openedAt !== opening.at
  const readings =
    opening.type === 'violation.opened' && !isRevised
      ? opening.data.readings
      : readingsThatOpened(columns, course)
  return {
    violation: {
      ...{ type, since, openedAt, threshold, delaySeconds, clearMargin, clearedAt, clearReason, worst },
      ...(isSinceBefore && { isSinceBefore }),
      value: (isRevised ? readings.at(-1)?.value : undefined) ?? value,
      readings: readings.map(({ at, value }) => ({ at: iso(at), value })),
    },
    ...lateReadingsOf(columns, course),
    ...(isRevised && { toldAs: { since: iso(opening.data.since), openedAt: iso(opening.at) } }),
    doors: doorsOf(columns),
    groupName: groups.get(before ?? '')?.name ?? null,
    acknowledged: acknowledged && {
      userName: acknowledged.data.userName,
      comment: acknowledged.data.comment,
      createdAt: iso(acknowledged.at),
    },
    repeats: null,
    told: opening.type === 'violation.found' ? [] : notified,
  }
}

async function structureOf(source: ReportSource, device: ReportDevice, seq: number): Promise<Known> {
  const known: Known = { groups: new Map(), before: null, now: null, people: new Map() }
  for await (const facts of source.facts(STRUCTURE))
    for (const fact of facts) {
      if (fact.type === 'group.created') known.groups.set(fact.data.groupId, fact.data)
      else if (fact.type === 'group.updated') noteGroup(known, fact)
      else if (fact.type === 'device.registered' || fact.type === 'device.updated') {
        if (source.deviceOf(fact)?.no !== device.no || fact.data.groupId === undefined) continue
        known.now = fact.data.groupId
        if (fact.seq < seq || known.before === null) known.before = known.now
      }
    }
  return known
}

function noteGroup({ groups }: Known, { data }: FactOf<'group.updated'>): void {
  const before = groups.get(data.groupId)
  if (before === undefined) return
  groups.set(data.groupId, {
    name: data.name ?? before.name,
    parentId: data.parentId ?? before.parentId,
  })
}

function notePerson({ people }: Known, { data }: FactOf<'user.created'> | FactOf<'user.updated'>): void {
  const before = people.get(data.userId)
  const [first = '', last = ''] = [data.firstName, data.lastName]
  const name = `${first} ${last}`.trim()
  people.set(data.userId, {
    name: data.firstName === undefined && before ? before.name : name,
    groupId: data.groupId ?? before?.groupId ?? '',
  })
}

/** Of those who see the device: when each had seen all notifications up to this one. */
function noteSeen(
  { people, groups, now }: Known,
  seen: Map<string, Delivery>,
  seq: number,
  { at, data }: FactOf<'notifications.seen'>,
): void {
  const person = people.get(data.userId)
  if (data.upTo < seq || person === undefined || seen.has(data.userId)) return
  let groupId = now
  while (groupId !== null && groupId !== person.groupId) groupId = groups.get(groupId)?.parentId ?? null
  if (groupId === null) return
  seen.set(data.userId, { userName: person.name, channel: 'screen', at: iso(at), state: 'seen', detail: '' })
}

const isShelving = ({ type }: Fact): boolean => SHELVING_FACTS.includes(type)
const isOpening = (fact: Fact): fact is ViolationFact => OPENINGS.includes(fact.type)
const iso = (at: number): string => new Date(at).toISOString()
