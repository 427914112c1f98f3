import type { Fact, FactOf } from '#machines/contracts/facts.ts'
import { type Directory, deviceOfFact } from '#machines/projections/directory.ts'
import { type Loss, type Revision, spansOf } from './loss-spans.ts'

/**
 * A loss as it is known now: one that was published may have been none, shorter, or several. `nth`: which of those it was, from 0 on;
 * `nextAt`: when the next of them began; `isFound`: late readings say that it began at `at`; `endAt`: infinite where it lasts.
 */
export type KnownLoss = Loss & { nth: number; nextAt: number; isFound: boolean }

/** What reached into a time, `from` left out and `to` included, epoch ms, of the devices that are asked for by their numbers. */
export type LossesRequest = { from: number; to: number; isRequested(no: number): boolean }

type Columns = Record<keyof Loss, Float64Array<ArrayBuffer>>

const FIRST_ROOM = 1024
/** Nobody looks back farther, nor at what was over a day before that; ms. */
const KEPT = 33 * 86_400_000

/** When which devices were lost, as long as one may look back at it, 40 bytes each, and what late readings said of that since. */
export class KnownLosses {
  private columns = roomFor(FIRST_ROOM)
  private length = 0
  private newest = 0
  /** by device that is lost: its row */
  private readonly open = new Map<number, number>()
  /** by device: when the first of its losses that are kept began */
  private readonly firstAt = new Map<number, number>()
  /** by device, in the order they were published: as long as losses of it that they may be of */
  private readonly revisions = new Map<number, Revision[]>()
  private readonly directory: Directory

  constructor(directory: Directory) {
    this.directory = directory
  }

  /** Of one type facts come in their order; a device that is in use no more changes no more. */
  add(facts: readonly Fact[]): void {
    for (const fact of facts)
      if (fact.type === 'device.retired') this.end(fact.data.no, fact)
      else if (fact.type === 'device-status.changed') {
        const no = deviceOfFact(this.directory, fact)?.no
        if (no === undefined) continue
        if (fact.data.to === 'online') this.end(no, fact)
        else if (!this.open.has(no)) this.begin(no, fact)
      } else if (fact.type === 'device-status.revised') this.revise(fact)
  }

  /** Those of which `isMeant`, in the order they were published. */
  *all(isMeant: (loss: Loss) => boolean): Generator<Loss> {
    for (let row = 0; row < this.length; row++) {
      const loss = this.at(row)
      if (isMeant(loss)) yield loss
    }
  }

  /** As they are known now those that reach into a time, in the order they were published. */
  *known({ from, to, isRequested }: LossesRequest): Generator<KnownLoss> {
    const columns = this.columns
    const reaches = (span: { from: number; to: number }): boolean => span.from <= to && span.to > from
    /** by device: the last that says it was lost in that time; what says that it was not makes none longer */
    const longer = new Map<number, number>()
    for (let row = 0; row < this.length; row++) {
      const no = columns.no[row] as number
      const seq = columns.seq[row] as number
      const end = columns.endSeq[row] === 0 ? Number.POSITIVE_INFINITY : (columns.endAt[row] as number)
      const revisions = this.revisions.get(no) ?? []
      if (!reaches({ from: columns.at[row] as number, to: end })) {
        if (!longer.has(no))
          longer.set(no, revisions.findLast((one) => !one.isOnline && reaches(one))?.seq ?? 0)
        if ((longer.get(no) as number) < seq) continue
      }
      if (!isRequested(no)) continue
      const loss = this.at(row)
      const spans = spansOf(loss, revisions)
      for (const [nth, span] of spans.entries()) {
        if (!reaches(span)) continue
        const nextAt = spans[nth + 1]?.from ?? Number.POSITIVE_INFINITY
        yield { ...loss, at: span.from, endAt: span.to, nth, nextAt, isFound: span.isFound }
      }
    }
  }

  /** How many revisions are kept. */
  get revisionCount(): number {
    let count = 0
    for (const all of this.revisions.values()) count += all.length
    return count
  }

  private revise(fact: FactOf<'device-status.revised'>): void {
    const { from, to, before, after } = fact.data
    const no = deviceOfFact(this.directory, fact)?.no
    const isOnline = after === 'online'
    if (no === undefined || isOnline === (before === 'online')) return
    if (to <= this.oldestOf(no)) return
    const known = this.revisions.get(no)
    const revision = { seq: fact.seq, from, to, isOnline }
    if (known === undefined) this.revisions.set(no, [revision])
    else known.push(revision)
  }

  private at(row: number): Loss {
    const { seq, at, no, endSeq, endAt } = this.columns
    return {
      seq: seq[row] as number,
      at: at[row] as number,
      no: no[row] as number,
      endSeq: endSeq[row] as number,
      endAt: endAt[row] as number,
    }
  }

  private begin(no: number, { seq, at }: Fact): void {
    this.newest = Math.max(this.newest, at)
    if (this.length === this.columns.seq.length) this.makeRoom()
    this.open.set(no, this.length)
    this.write(this.length++, { seq, at, no, endSeq: 0, endAt: 0 })
  }

  /** What ended by then is of no loss of a device that anybody looks back at; that of none is infinite. */
  private oldestOf(no: number): number {
    const firstAt = this.firstAt.get(no)
    return firstAt === undefined ? Number.POSITIVE_INFINITY : Math.min(this.newest - KEPT, firstAt - 1)
  }

  private end(no: number, { seq, at }: Fact): void {
    const row = this.open.get(no)
    if (row === undefined) return
    this.open.delete(no)
    this.columns.endSeq[row] = seq
    this.columns.endAt[row] = at
  }

  private write(row: number, loss: Loss): void {
    if (!this.firstAt.has(loss.no)) this.firstAt.set(loss.no, loss.at)
    for (const name of Object.keys(loss) as (keyof Loss)[]) this.columns[name][row] = loss[name]
  }

  /** Lets go of what nobody looks back at any more, else doubles. */
  private makeRoom(): void {
    const kept = [...this.all(({ endSeq, endAt }) => endSeq === 0 || endAt > this.newest - KEPT)]
    this.columns = roomFor(Math.max(FIRST_ROOM, 2 * kept.length))
    this.open.clear()
    this.firstAt.clear()
    this.length = 0
    for (const loss of kept) {
      if (loss.endSeq === 0) this.open.set(loss.no, this.length)
      this.write(this.length++, loss)
    }
    for (const [no, all] of this.revisions) {
      const oldest = this.oldestOf(no)
      const revisions = all.filter(({ to }) => to > oldest)
      if (revisions.length === 0) this.revisions.delete(no)
      else this.revisions.set(no, revisions)
    }
  }
}

const roomFor = (rows: number): Columns => ({
  seq: new Float64Array(rows),
  at: new Float64Array(rows),
  no: new Float64Array(rows),
  endSeq: new Float64Array(rows),
  endAt: new Float64Array(rows),
})
