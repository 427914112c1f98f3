import { decode } from '#machines/contracts/decode.ts'
import { versionOf } from '#machines/contracts/fact-contract.ts'
import type { Fact, FactType, NewFact } from '#machines/contracts/facts.ts'
import { type Checksum, sumOfFact } from './checksums.ts'
import { FACT_FORMAT, type FactFormat, type StoredFact, upcast } from './upcast.ts'

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
  sum: Checksum
}

/** What of a row makes a fact. */
export type StoredRow = Omit<FactRow, 'stream' | 'version' | 'sum'>

/** A fact that may be appended, in which version, and its data as text, so that a caller's later changes can't reach the log. */
export type CheckedFact = { fact: NewFact; v: number; json: string }

/**
 * The fact as its contract reads it.
 * @throws ContractError that begins with `what`
 */
export function checkFact(fact: NewFact, what: string, format: FactFormat = FACT_FORMAT): CheckedFact {
  const v = versionOf(fact.type, format.versions)
  const {
    seq: _seq,
    id: _id,
    v: _v,
    recordedAt: _recordedAt,
    ...checked
  } = decode({ ...fact, seq: 0, id: 'f0', v, recordedAt: 0 }, format.contract, what)
  return { fact: checked, v, json: JSON.stringify(checked.data) }
}

/** Where and when a checked fact is appended, as a row and as what its sender is answered. */
export function appendedFact(
  { fact, v, json }: CheckedFact,
  place: { seq: number; stream: string; version: number; recordedAt: number },
): { row: FactRow; fact: Fact } {
  const { seq, stream, version, recordedAt } = place
  const row = {
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
  }
  return {
    row: { ...row, sum: sumOfFact(row) },
    fact: { ...fact, seq, id: idOf(seq), v, recordedAt },
  }
}

/** The fact of a row, in the current version of its type. */
export function factOf(row: StoredRow, format: FactFormat = FACT_FORMAT): Fact {
  return upcast(storedFactOf(row), format)
}

function storedFactOf(row: StoredRow): StoredFact {
  return {
    seq: row.seq,
    id: idOf(row.seq),
    type: row.type,
    v: row.v,
    at: row.at,
    recordedAt: row.recorded_at,
    companyId: row.company,
    ...(row.by_user === null ? {} : { by: row.by_user }),
    data: JSON.parse(row.data),
  }
}

/** An id follows from the number, so replaying the same appends gives the same ids. */
function idOf(seq: number): string {
  return `f${seq}`
}
