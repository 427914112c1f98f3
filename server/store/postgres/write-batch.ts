import type { Fact } from '#machines/contracts/facts.ts'
import { leafTextOf, sumOfBatch } from '../checksums.ts'
import { appendedFact, type CheckedFact } from '../fact-rows.ts'
import type { LogRow } from './copy.ts'
import type { Query } from './session.ts'

/** What one append writes. */
export type Write =
  | {
      kind: 'facts'
      stream: string
      expected: number | null
      key: string | null
      recordedAt: number
      facts: CheckedFact[]
    }
  | { kind: 'batch'; recordedAt: number; bytes: Uint8Array }

/** What became of a write: numbers `first` and on, or nothing because its stream is at another version. */
export type Answer =
  | { first: number; count: number; version?: number; repeated?: boolean }
  | { actual: number }

/** The number of a write batch of one writer. A batch that is sent again is answered again and done once. */
export type BatchId = { writer: string; flush: number; epoch: number }

/** Appends the writes in order, all in one transaction, and answers what became of each. */
export async function sendWriteBatch(sql: Query, id: BatchId, writes: Write[]): Promise<Answer[]> {
  let length = 0
  const sent = writes.map((one) => {
    const { recordedAt } = one
    if (one.kind === 'batch') {
      const offset = length
      length += one.bytes.length
      return { recordedAt, offset, length: one.bytes.length }
    }
    const { stream, expected, key, facts } = one
    const rows = facts.map(({ fact, v, json }) => {
      const { type, at, companyId: company, by = null } = fact
      const { before, between } = leafTextOf(
        { stream, type, v, at, recorded_at: recordedAt, company, by_user: by },
        fact.data,
      )
      return [type, v, at, company, by, json, before, between]
    })
    return { stream, expected, key, recordedAt, facts: rows }
  })
  const bytes = Buffer.concat(writes.map((one) => (one.kind === 'batch' ? one.bytes : NOTHING)))
  const [row] = await sql<{ answers: Answer[] }[]>`
    SELECT append_flush(${id.writer}::uuid, ${id.flush}, ${id.epoch}, ${JSON.stringify(sent)}::text::jsonb,
      ${bytes}) AS answers`
  if (row?.answers.length !== writes.length)
    throw new Error('PostgreSQL did not answer each write of a batch')
  return row.answers
}

const NOTHING = new Uint8Array(0)

/** The rows that a write became, and its facts; none where it appended nothing. */
export function appendedBy(one: Write, answer: Answer): { rows: LogRow[]; facts: Fact[] } {
  if ('actual' in answer || answer.repeated) return { rows: [], facts: [] }
  if (one.kind === 'batch')
    return {
      rows: [
        { seq: answer.first, recorded_at: one.recordedAt, bytes: one.bytes, sum: sumOfBatch(one.bytes) },
      ],
      facts: [],
    }
  const { stream, recordedAt } = one
  const before = (answer.version ?? 0) - answer.count
  const appended = one.facts.map((fact, i) =>
    appendedFact(fact, { seq: answer.first + i, stream, version: before + i + 1, recordedAt }),
  )
  return { rows: appended.map(({ row }) => row), facts: appended.map(({ fact }) => fact) }
}
