import type { Fact } from '#machines/contracts/facts.ts'
import { appendedFact, type CheckedFact } from '../fact-rows.ts'
import { currentVersion } from '../upcast.ts'
import type { LogRow } from './copy.ts'
import type { Query } from './session.ts'

/** What one append brings. */
export type Piece =
  | {
      kind: 'facts'
      stream: string
      expected: number | null
      key: string | null
      recordedAt: number
      facts: CheckedFact[]
    }
  | { kind: 'batch'; recordedAt: number; bytes: Uint8Array }

/** What became of a piece: numbers `first` and on, or nothing because its stream is at another version. */
export type Answer =
  | { first: number; count: number; version?: number; repeated?: boolean }
  | { actual: number }

/** Which flush of which writer it is: asked again, it is answered again and done once. */
export type FlushId = { writer: string; flush: number; epoch: number }

/** Has the pieces appended in order, all in one transaction, and answers what became of each. */
export async function sendFlush(sql: Query, id: FlushId, pieces: Piece[]): Promise<Answer[]> {
  let length = 0
  const told = pieces.map((piece) => {
    const { recordedAt } = piece
    if (piece.kind === 'batch') {
      const offset = length
      length += piece.bytes.length
      return { recordedAt, offset, length: piece.bytes.length }
    }
    const { stream, expected, key, facts } = piece
    const rows = facts.map(({ fact, json }) => [
      fact.type,
      currentVersion(fact.type),
      fact.at,
      fact.companyId,
      fact.by ?? null,
      json,
    ])
    return { stream, expected, key, recordedAt, facts: rows }
  })
  const bytes = Buffer.concat(pieces.map((piece) => (piece.kind === 'batch' ? piece.bytes : NOTHING)))
  const [row] = await sql<{ answers: Answer[] }[]>`
    SELECT append_flush(${id.writer}::uuid, ${id.flush}, ${id.epoch}, ${JSON.stringify(told)}::text::jsonb,
      ${bytes}) AS answers`
  if (row?.answers.length !== pieces.length) throw new Error('a flush was not answered piece by piece')
  return row.answers
}

const NOTHING = new Uint8Array(0)

/** The rows that a piece became, and its facts; none where it appended nothing. */
export function appendedBy(piece: Piece, answer: Answer): { rows: LogRow[]; facts: Fact[] } {
  if ('actual' in answer || answer.repeated) return { rows: [], facts: [] }
  if (piece.kind === 'batch')
    return { rows: [{ seq: answer.first, recorded_at: piece.recordedAt, bytes: piece.bytes }], facts: [] }
  const { stream, recordedAt } = piece
  const before = (answer.version ?? 0) - answer.count
  const appended = piece.facts.map((fact, i) =>
    appendedFact(fact, { seq: answer.first + i, stream, version: before + i + 1, recordedAt }),
  )
  return { rows: appended.map(({ row }) => row), facts: appended.map(({ fact }) => fact) }
}
