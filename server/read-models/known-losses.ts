import type { Fact } from '#machines/contracts/facts.ts'
import { type Directory, deviceOfFact } from '#machines/projections/directory.ts'

/**
 * A device that was lost: `seq` of the fact that said so, `at` its time, and the same of the fact that it is back, or in use no more;
 * 0: it is lost. Epoch ms.
 */
export type Loss = { seq: number; at: number; no: number; endSeq: number; endAt: number }

type Columns = Record<keyof Loss, Float64Array<ArrayBuffer>>

const FIRST_ROOM = 1024
/** Nobody looks back farther, nor at what was over a day before that; ms. */
const KEPT = 33 * 86_400_000

/** When which devices were lost, as long as one may look back at it, 40 bytes each. */
export class KnownLosses {
  private columns = roomFor(FIRST_ROOM)
  private length = 0
  private newest = 0
  /** by device that is lost: its row */
  private readonly open = new Map<number, number>()
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
      }
  }

  /** Those of which `isMeant`, in the order they were told. */
  *all(isMeant: (loss: Loss) => boolean): Generator<Loss> {
    for (let row = 0; row < this.length; row++) {
      const loss = this.at(row)
      if (isMeant(loss)) yield loss
    }
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
  }
}

const roomFor = (rows: number): Columns => ({
  seq: new Float64Array(rows),
  at: new Float64Array(rows),
  no: new Float64Array(rows),
  endSeq: new Float64Array(rows),
  endAt: new Float64Array(rows),
})
