import { IngestReading } from '#machines/contracts/calls/ingest-calls.ts'
import { LATEST_INSTANT } from '#machines/contracts/scalars.ts'

/** What the contract says of a field: bounds of a number, the pattern of a text; nothing of one that is coerced. */
type Said = { minimum?: number; maximum?: number; pattern?: string } | null

/** By name of a field. `at` is the one the contract cannot say in bounds: it may be written as a text too. */
const CHECKS = new Map(
  Object.entries(IngestReading.schema).map(([name, { schema }]) => [name, checkOf(schema as Said)]),
)
CHECKS.set('at', isNumber(0, LATEST_INSTANT))

function checkOf(said: Said): (value: unknown) => boolean {
  const { minimum, maximum, pattern } = said ?? {}
  if (minimum !== undefined && maximum !== undefined) return isNumber(minimum, maximum)
  if (pattern === undefined) return () => false
  const letters = new RegExp(pattern)
  return (value) => typeof value === 'string' && letters.test(value)
}

function isNumber(minimum: number, maximum: number): (value: unknown) => boolean {
  return (value) => typeof value === 'number' && value >= minimum && value <= maximum
}

/**
 * Whether this is a reading just as the contract has it, with nothing to coerce, as nearly all are. Asking the contract
 * itself takes some 40 µs, and ten thousand readings come in a second. What is not plain may be a reading all the same.
 */
export function isPlainReading(sent: unknown): sent is IngestReading {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return false
  const reading = sent as Record<string, unknown>
  for (const name in reading) if (CHECKS.get(name)?.(reading[name]) !== true) return false
  return Object.hasOwn(reading, 'imei') && Object.hasOwn(reading, 'at')
}
