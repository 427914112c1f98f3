import { ViolationType } from '#machines/contracts/scalars.ts'
import { endOf } from '#machines/projections/violations.ts'
import type { KnownNotifications } from './known-notifications.ts'
import { TYPES } from './notification-rows.ts'
import type { ReadModels } from './read-models.ts'

/** Violations that begin earlier than this before a range, ms, are looked for among the long ones alone. */
export const LONGEST_VIOLATION = 31 * 86_400_000

/** Violations that last, or lasted, for longer than that: they are few among many, so that each is looked at once. */
export class LongViolations {
  private readonly known: KnownNotifications
  private readonly readModels: Pick<ReadModels, 'attention'>
  /** those that were published earlier than `lookedTo`, oldest first */
  private found: { seq: number; at: number }[] = []
  private lookedTo = Number.NEGATIVE_INFINITY

  constructor(known: KnownNotifications, readModels: Pick<ReadModels, 'attention'>) {
    this.known = known
    this.readModels = readModels
  }

  /** Where in the rows those are that were published earlier than `before`, epoch ms, oldest first. */
  before(before: number): number[] {
    const { rows } = this.known
    this.forgetFrom(this.known.takeOldestNews())
    const end = rows.from(before)
    for (let i = rows.from(this.lookedTo); i < end; i++)
      if (this.isLong(i)) this.found.push({ seq: rows.seq[i] as number, at: rows.at[i] as number })
    this.lookedTo = Math.max(this.lookedTo, before)
    return this.found.filter(({ at }) => at < before).map((one) => rows.placeOf(one))
  }

  private forgetFrom(at: number): void {
    if (at >= this.lookedTo) return
    this.lookedTo = at
    this.found = this.found.filter((one) => one.at < at)
  }

  private isLong(i: number): boolean {
    const { rows, changed } = this.known
    if (!((TYPES[rows.type[i] as number] as string) in ViolationType.schema)) return false
    const seq = rows.seq[i] as number
    const end = changed.has(seq) ? this.endOfChanged(seq) : this.endOfPublished(i, seq)
    return end === undefined || end - (rows.at[i] as number) > LONGEST_VIOLATION
  }

  private endOfPublished(i: number, seq: number): number | undefined {
    return this.known.rows.until[i] || endOf(this.readModels.attention.violations, { seq })?.at
  }

  /** As late readings have it, or had it: of a time that is past it is asked as it was known then. */
  private endOfChanged(seq: number): number | undefined {
    const { changed, lastedTo } = this.known
    const after = this.readModels.attention.violations.revised.get(changed.get(seq) as string)?.after
    if (after?.clearedAt === null) return undefined
    return Math.max(lastedTo.get(seq) as number, after?.clearedAt ?? 0)
  }
}
