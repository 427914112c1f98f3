import { decode } from '#machines/contracts/decode.ts'
import { Fact, type FactType, type NewFact } from '#machines/contracts/facts.ts'
import { currentVersion, upcast } from './upcast.ts'

/** A fact as it lies in a table; `data` is JSON. */
export type FactRow = {
  seq: number
  stream: string
  /** of the stream once it is appended */
  version: number
  type: FactType
  v: number
  at: number
  recorded_at: number
  company: string | null
  by_user: string | null
  data: string
}

/** A fact that may be appended, and its data as text, so that a caller's later changes can't reach the log. */
export type CheckedFact = { fact: NewFact; json: string }

/**
 * The fact as its contract reads it.
 * @throws ContractError that begins with `what`
 */
export function checkFact(fact: NewFact, what: string): CheckedFact {
  const {
    seq: _seq,
    id: _id,
    v: _v,
    recordedAt: _recordedAt,
    ...checked
  } = decode({ ...fact, seq: 0, id: 'f0', v: currentVersion(fact.type), recordedAt: 0 }, Fact, what)
  return { fact: checked, json: JSON.stringify(checked.data) }
}

/** Where and when a checked fact is appended, as a row and as what its sender is answered. */
export function appendedFact(
  { fact, json }: CheckedFact,
  place: { seq: number; stream: string; version: number; recordedAt: number },
): { row: FactRow; fact: Fact } {
  const { seq, stream, version, recordedAt } = place
  const v = currentVersion(fact.type)
  return {
    row: {
      seq,
      stream,
      version,
      type: fact.type,
      v,
      at: fact.at,
      recorded_at: recordedAt,
      company: fact.companyId,
      by_user: fact.by ?? null,
      data: json,
    },
    fact: { ...fact, seq, id: idOf(seq), v, recordedAt },
  }
}

/** The fact of a row, in the current version of its type. */
export function factOf(row: Omit<FactRow, 'stream' | 'version'>): Fact {
  return upcast({
    seq: row.seq,
    id: idOf(row.seq),
    type: row.type,
    v: row.v,
    at: row.at,
    recordedAt: row.recorded_at,
    companyId: row.company,
    ...(row.by_user === null ? {} : { by: row.by_user }),
    data: JSON.parse(row.data),
  })
}

/** An id follows from the number, so replaying the same appends gives the same ids. */
function idOf(seq: number): string {
  return `f${seq}`
}
