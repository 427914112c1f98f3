import type { FactData } from '#machines/contracts/facts.ts'
import { type GroupKey, seqsOfBits } from '../../store/seals/seal-store.ts'
import type { EventLog } from '../../store/store.ts'

type Written = FactData<'chunks.written'>
export type StatedGroup = Written['groups'][number]

/** What facts say of batches and chunks, read in the order of the record. */
export type Statements = {
  /** reads on until all entries up to there are spoken of, or there is no more */
  readUpTo(seq: number): Promise<void>
  /** whether a fact says that this entry was a batch; entries are asked about in their order */
  isBatch(seq: number): boolean
  /** the last word about a group */
  of(name: string): StatedGroup | undefined
  /** all groups spoken of that there should still be */
  groups(): Iterable<{ name: string; group: StatedGroup }>
}

const FACTS_A_PAGE = 100

/** What a group of chunks is called, for operators too. */
export const nameOfGroup = ({ day, place, block }: GroupKey): string =>
  `day ${new Date(day * 86_400_000).toISOString().slice(0, 10)}, ${place}, devices from ${block * 4096}`

/** Nothing is read before `readUpTo`. */
export function statementsOf(log: Pick<EventLog, 'readFacts'>): Statements {
  const groups = new Map<string, StatedGroup>()
  /** batches of the spans that may still be asked about */
  let spans: { toSeq: number; seqs: Set<number> }[] = []
  let [read, spokenOf] = [0, 0]

  function take({ fromSeq, toSeq, batches, groups: written }: Written): void {
    if (toSeq > fromSeq) spans.push({ toSeq, seqs: new Set(seqsOfBits(fromSeq, batches)) })
    spokenOf = Math.max(spokenOf, toSeq)
    for (const group of written) {
      const name = nameOfGroup(group)
      if ((groups.get(name)?.change ?? -1) < group.change) groups.set(name, group)
    }
  }

  return {
    async readUpTo(seq) {
      while (spokenOf < seq) {
        const page = log.readFacts(read, { types: ['chunks.written'], limit: FACTS_A_PAGE })
        for (const fact of page) {
          if (fact.type === 'chunks.written') take(fact.data)
          read = fact.seq
        }
        if (page.length < FACTS_A_PAGE) return
        await new Promise<void>((others) => setImmediate(others))
      }
    },
    isBatch(seq) {
      spans = spans.filter(({ toSeq }) => toSeq >= seq)
      return spans.some(({ seqs }) => seqs.has(seq))
    },
    of: (name) => groups.get(name),
    *groups() {
      for (const [name, group] of groups) if (group.chunks > 0) yield { name, group }
    },
  }
}
