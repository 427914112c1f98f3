import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'

/** SHA-256 over a row of the record, kept beside it. Null: the row is older than checksums and has none yet. */
export type Checksum = Uint8Array | null

/** What is hashed of a fact, around the two numbers that a database gives it. */
export type LeafText = { before: string; between: string }

type LeafOf = {
  stream: string
  type: string
  v: number
  at: number
  recorded_at: number
  company: string | null
  by_user: string | null
}

/** Says that a leaf of a tree is hashed and not a node: RFC 9162 §2.1. */
const LEAF = 0

/** The text of a fact in canonical JSON (RFC 8785): before its number, and between that and its version in the stream. */
export function leafTextOf(row: LeafOf, data: unknown): LeafText {
  const { stream, type, v, at, recorded_at: recordedAt, company: companyId, by_user: by } = row
  const head = { at, ...(by !== null && { by }), companyId, data, recordedAt }
  return {
    before: `${canonical(head).slice(0, -1)},"seq":`,
    between: `,${canonical({ stream, type, v }).slice(1, -1)},"version":`,
  }
}

/**
 * The canonical JSON (RFC 8785) of all that the row of a fact says.
 * @throws SyntaxError where its data is no JSON
 */
export function textOfFact(row: LeafOf & { seq: number; version: number; data: string }): string {
  const { before, between } = leafTextOf(row, JSON.parse(row.data))
  return `${before}${row.seq}${between}${row.version}}`
}

/**
 * The checksum of a fact: SHA-256 of 0x00 and its text. The same is its leaf in a tree.
 * @throws SyntaxError where its data is no JSON
 */
export const sumOfFact = (row: Parameters<typeof textOfFact>[0]): Uint8Array =>
  hash('sha256', `\0${textOfFact(row)}`, 'buffer')

/** The checksum of a batch: SHA-256 of 0x00 and its bytes. The same is its leaf in a tree. */
export function sumOfBatch(bytes: Uint8Array): Uint8Array {
  const leaf = Buffer.allocUnsafe(bytes.length + 1)
  leaf[0] = LEAF
  leaf.set(bytes, 1)
  return hash('sha256', leaf, 'buffer')
}

/** The checksum of a chunk: SHA-256 of its bytes. */
export const sumOfChunk = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer')

/** Whether a row is as it was written; one without a checksum says nothing against it. */
export const isSound = (sum: Checksum | undefined, made: () => Uint8Array): boolean =>
  sum === null || sum === undefined || Buffer.compare(sum, made()) === 0

export const OTHER_THAN_WRITTEN = 'it is not what was written: its checksum is another'

function canonical(value: unknown): string {
  try {
    return canonicalize(value) as string
  } catch {
    return canonicalize(wellFormed(value)) as string
  }
}

/** Half a pair of UTF-16 has no canonical form: it is hashed as the sign that stands for what cannot be read. */
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(wellFormed)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, of]) => [key.toWellFormed(), wellFormed(of)]))
}
