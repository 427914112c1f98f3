import type { Fact, FactOf } from '#machines/contracts/facts.ts'
import { type Directory, deviceOfFact } from '#machines/projections/directory.ts'

/**
 * A device that was lost: `seq` of the fact that said so, `at` its time, and the same of the fact that it is back, or in use no more;
 * 0: it is lost. Epoch ms.
 */
export type Loss = { seq: number; at: number; no: number; endSeq: number; endAt: number }

/**
 * A loss as it is known now: one that was told may have been none, shorter, or several. `nth`: which of those it was, from 0 on;
 * `nextAt`: when the next of them began; `isFound`: late readings say that it began at `at`; `endAt`: infinite where it lasts.
 */
export type KnownLoss = Loss & { nth: number; nextAt: number; isFound: boolean }

/** From `from` on and before `to`, epoch ms, a device was heard, or was not, which was told otherwise. */
type Revision = { seq: number; from: number; to: number; isOnline: boolean }
type Span = Pick<Revision, 'from' | 'to'> & Pick<KnownLoss, 'isFound'>

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
  /** by device, in the order they were told */
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

  /** Those of which `isMeant`, in the order they were told. */
  *all(isMeant: (loss: Loss) => boolean): Generator<Loss> {
    for (let row = 0; row < this.length; row++) {
      const loss = this.at(row)
      if (isMeant(loss)) yield loss
    }
  }

  /** As they are known now those of which `isMeant`, in the order they were told. */
  *known(isMeant: (loss: KnownLoss) => boolean): Generator<KnownLoss> {
    for (let row = 0; row < this.length; row++) {
      const loss = this.at(row)
      const spans = spansOf(loss, this.revisions.get(loss.no) ?? [])
      for (const [nth, { from, to, isFound }] of spans.entries()) {
        const nextAt = spans[nth + 1]?.from ?? Number.POSITIVE_INFINITY
        const known = { ...loss, at: from, endAt: to, nth, nextAt, isFound }
        if (isMeant(known)) yield known
      }
    }
  }

  private revise(fact: FactOf<'device-status.revised'>): void {
    const { from, to, before, after } = fact.data
    const no = deviceOfFact(this.directory, fact)?.no
    const isOnline = after === 'online'
    if (no === undefined || isOnline === (before === 'online')) return
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

  private end(no: number, { seq, at }: Fact): void {
    const row = this.open.get(no)
    if (row === undefined) return
    this.open.delete(no)
    this.columns.endSeq[row] = seq
    this.columns.endAt[row] = at
  }

  private write(row: number, loss: Loss): void {
    for (const name of Object.keys(loss) as (keyof Loss)[]) this.columns[name][row] = loss[name]
  }

  /** Lets go of what nobody looks back at any more, else doubles. */
  private makeRoom(): void {
    const kept = [...this.all(({ endSeq, endAt }) => endSeq === 0 || endAt > this.newest - KEPT)]
    this.columns = roomFor(Math.max(FIRST_ROOM, 2 * kept.length))
    this.open.clear()
    this.length = 0
    for (const loss of kept) {
      if (loss.endSeq === 0) this.open.set(loss.no, this.length)
      this.write(this.length++, loss)
    }
    for (const [no, all] of this.revisions) {
      const revisions = all.filter(({ to }) => to > this.newest - KEPT)
      if (revisions.length === 0) this.revisions.delete(no)
      else this.revisions.set(no, revisions)
    }
  }
}

/** When a device that was told to be lost was, by what was told of it afterwards. */
function spansOf({ seq, at, endSeq, endAt }: Loss, revisions: readonly Revision[]): Span[] {
  const told = { from: at, to: endSeq === 0 ? Number.POSITIVE_INFINITY : endAt, isFound: false }
  let spans: Span[] = [told]
  for (const revision of revisions)
    if (revision.seq > seq)
      spans = revision.isOnline ? without(spans, revision) : withMore(spans, revision, told)
  return spans.filter(({ from, to }) => from < to)
}

const without = (spans: readonly Span[], { from, to }: Revision): Span[] =>
  spans.flatMap((span) => {
    if (to <= span.from || from >= span.to) return [span]
    const before = { ...span, to: from }
    const after = { ...span, from: to, isFound: true }
    return [...(before.from < before.to ? [before] : []), ...(after.from < after.to ? [after] : [])]
  })

/** What touches neither one of them nor what was told is of no loss that was told. */
function withMore(spans: readonly Span[], { from, to }: Revision, told: Span): Span[] {
  const isBeside = (span: Span): boolean => span.to < from || span.from > to
  const touched = spans.filter((span) => !isBeside(span))
  if (touched.length === 0 && isBeside(told)) return [...spans]
  const first = touched[0]
  const whole = {
    from: Math.min(from, ...touched.map((span) => span.from)),
    to: Math.max(to, ...touched.map((span) => span.to)),
    isFound: first === undefined || first.isFound || from < first.from,
  }
  return [...spans.filter(isBeside), whole].sort((a, b) => a.from - b.from)
}

const roomFor = (rows: number): Columns => ({
  seq: new Float64Array(rows),
  at: new Float64Array(rows),
  no: new Float64Array(rows),
  endSeq: new Float64Array(rows),
  endAt: new Float64Array(rows),
})
