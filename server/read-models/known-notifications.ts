import type { Fact, FactData, FactOf } from '#machines/contracts/facts.ts'
import { type Directory, deviceOfFact } from '#machines/projections/directory.ts'
import { notificationTypeOf } from '#machines/projections/notification-type.ts'
import { foundLateOf } from '#machines/rules/found-late.ts'
import { isViolationFact, notifiedAt } from './notification-of.ts'
import { type NotificationRow, NotificationRows, TYPES } from './notification-rows.ts'

/** What a fact said that a violation is, and was held to be before it. */
export type Revision = { seq: number } & Pick<FactData<'violation.revised'>, 'before' | 'after'>

export type LateRow = { seq: number; notifiedAt: number; row: NotificationRow }

/** What facts published, and what late readings made of it. By `seq`: of the fact that it was published by. */
export class KnownNotifications {
  readonly rows = new NotificationRows()
  /** those that were found late, by `seq`: they are listed where they were published */
  readonly lates = new Map<number, LateRow>()
  /** by `seq`: violations that never were; they are listed as they were published, and counted no more */
  readonly gone = new Set<number>()
  /** by `seq`: the violation, where late readings changed it; and the other way round */
  readonly changed = new Map<number, string>()
  /** by `seq`: violations that repeat an acknowledged one, of which nobody is notified again */
  readonly repeats = new Set<number>()
  /** by device and kind: times it was shelved, oldest first, epoch ms */
  private readonly shelvings = new Map<string, { from: number; until: number }[]>()
  /** by `seq` of those that late readings changed: the latest that one was over, or was held to last when it was changed, epoch ms */
  readonly lastedTo = new Map<number, number>()
  private readonly revised = new Map<string, number>()
  /** by violation: what late readings said of it, in that order */
  private readonly revisions = new Map<string, Revision[]>()
  /** the earliest time of what was added or revised and not looked at yet, epoch ms */
  private oldestNews = Number.POSITIVE_INFINITY
  private readonly directory: Directory
  private readonly isRepeat: (violationId: string) => boolean

  /** @param isRepeat whether a violation that opened repeats an acknowledged one */
  constructor(directory: Directory, isRepeat: (violationId: string) => boolean = () => false) {
    this.directory = directory
    this.isRepeat = isRepeat
  }

  /** Whether violations of a kind of a device were shelved at a time: nobody was notified of them. `type`: as in rows. */
  wasShelved(no: number, type: number, at: number): boolean {
    if (this.shelvings.size === 0) return false
    const times = this.shelvings.get(`${no} ${TYPES[type]}`)
    return times?.some(({ from, until }) => at >= from && at < until) ?? false
  }

  /** Revisions and shelvings come in their order, after the violations they are of. */
  add(facts: readonly Fact[]): void {
    const found: NotificationRow[] = []
    for (const fact of facts) {
      const row = this.rowOf(fact)
      if (row === undefined) continue
      found.push(row)
      this.oldestNews = Math.min(this.oldestNews, row.at)
      if (foundLateOf(fact)) this.lates.set(row.seq, { seq: row.seq, notifiedAt: notifiedAt(fact), row })
    }
    if (found.length > 0) this.rows.insert(found)
    for (const fact of facts)
      if (fact.type === 'violation.revised') this.revise(fact)
      else if (fact.type === 'violation.shelved' || fact.type === 'violation.unshelved') this.shelve(fact)
  }

  /** From when on rows may be others than when this was asked last, epoch ms. */
  takeOldestNews(): number {
    const { oldestNews } = this
    this.oldestNews = Number.POSITIVE_INFINITY
    return oldestNews
  }

  private rowOf(fact: Fact): NotificationRow | undefined {
    const type = notificationTypeOf(fact)
    const no = type && deviceOfFact(this.directory, fact)?.no
    if (type === undefined || no === undefined) return undefined
    const { seq, at } = fact
    if (isViolationFact(fact) && this.isRepeat(fact.data.violationId)) this.repeats.add(seq)
    return {
      seq,
      at,
      since: isViolationFact(fact) ? fact.data.since : at,
      until: fact.type === 'violation.found' ? fact.data.clearedAt : 0,
      no,
      type: TYPES.indexOf(type),
      isShown: fact.type !== 'violation.found',
    }
  }

  /** Whoever shelves a kind anew ends what shelved it before. */
  private shelve(fact: FactOf<'violation.shelved'> | FactOf<'violation.unshelved'>): void {
    const { type, at, data } = fact
    const no = deviceOfFact(this.directory, fact)?.no
    if (no === undefined) return
    const key = `${no} ${data.type}`
    const times = this.shelvings.get(key) ?? []
    const last = times.at(-1)
    if (last !== undefined) last.until = Math.min(last.until, at)
    if (type === 'violation.shelved') times.push({ from: at, until: data.until })
    this.shelvings.set(key, times)
  }

  /** What late readings said of the violation that was published with a fact, in that order. */
  revisionsOf(seq: number): readonly Revision[] {
    return this.revisions.get(this.changed.get(seq) ?? '') ?? []
  }

  private revise(fact: FactOf<'violation.revised'>): void {
    const { seq: revisedBy, recordedAt, data } = fact
    const { before, after } = data
    const earlier = this.revisions.get(data.violationId) ?? []
    // it is listed where it was published, wherever it was moved to since
    this.oldestNews = Math.min(this.oldestNews, (earlier[0]?.before ?? before).openedAt)
    this.revisions.set(data.violationId, [...earlier, { seq: revisedBy, before, after }])
    const seq = this.revised.get(data.violationId) ?? this.seqOf(fact)
    if (seq === undefined) return
    this.revised.set(data.violationId, seq)
    this.changed.set(seq, data.violationId)
    const ends = [this.lastedTo.get(seq) ?? 0, before.clearedAt ?? recordedAt, after?.clearedAt ?? 0]
    this.lastedTo.set(seq, Math.max(...ends))
    if (data.after === null) this.gone.add(seq)
    else this.gone.delete(seq)
  }

  /** Of the notification that published a violation at first. */
  private seqOf(fact: FactOf<'violation.revised'>): number | undefined {
    const { rows, directory } = this
    const { type, before } = fact.data
    const no = deviceOfFact(directory, fact)?.no
    const end = rows.after(before.openedAt)
    for (let i = rows.from(before.openedAt); i < end; i++)
      if (rows.no[i] === no && rows.type[i] === TYPES.indexOf(type)) return rows.seq[i]
    return undefined
  }
}
