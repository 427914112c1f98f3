import { IngestReading } from '#machines/contracts/calls/ingest-calls.ts'
import { instantOf, LATEST_INSTANT } from '#machines/contracts/scalars.ts'

/** What the contract says of a field: bounds of a number, the pattern of a text, or several ways to write it. */
type Field = {
  minimum?: number
  maximum?: number
  pattern?: string
  oneOf?: readonly { schema: unknown }[]
} | null

/** By name of a field. `at` is the one the contract cannot say in bounds. */
const CHECKS = new Map(
  Object.entries(IngestReading.schema).map(([name, { schema }]) => [name, checkOf(schema as Field)]),
)
CHECKS.set('at', isNumber(0, LATEST_INSTANT))

function checkOf(field: Field): (value: unknown) => boolean {
  const { minimum, maximum, pattern, oneOf } = field ?? {}
  const numbers = oneOf?.find(({ schema }) => (schema as Field)?.minimum !== undefined)
  if (numbers !== undefined) return checkOf(numbers.schema as Field)
  if (minimum !== undefined && maximum !== undefined) return isNumber(minimum, maximum)
  if (pattern === undefined) return () => false
  const letters = new RegExp(pattern)
  return (value) => typeof value === 'string' && letters.test(value)
}

function isNumber(minimum: number, maximum: number): (value: unknown) => boolean {
  return (value) => typeof value === 'number' && value >= minimum && value <= maximum
}

/** Fields that are flags: 0 or 1, also as a boolean. */
const FLAGS = ['Ignition', 'Unplug', 'Door'] as const

/**
 * A reading just as the contract has it, or with no more to coerce than an instant as text and flags as booleans, as nearly
 * all are; undefined: the contract is to be asked. That takes some 40 µs, and ten thousand readings come in a second.
 */
export function plainReading(sent: unknown): IngestReading | undefined {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return undefined
  const reading = coerced(sent as Record<string, unknown>)
  for (const name in reading) if (CHECKS.get(name)?.(reading[name]) !== true) return undefined
  if (!Object.hasOwn(reading, 'imei') || !Object.hasOwn(reading, 'at')) return undefined
  return reading as IngestReading
}

/** The same object where there is nothing to coerce. */
function coerced(sent: Record<string, unknown>): Record<string, unknown> {
  const hasFlags = FLAGS.some((name) => typeof sent[name] === 'boolean')
  if (typeof sent.at !== 'string' && !hasFlags) return sent
  const reading = { ...sent }
  if (typeof sent.at === 'string') reading.at = instantOf(sent.at)
  for (const name of FLAGS) if (typeof sent[name] === 'boolean') reading[name] = Number(sent[name])
  return reading
}

/** What is sent without numbers that no such field can have, and their names; undefined where there are none. */
export function withoutImpossibleNumbers(sent: unknown): { sent: unknown; dropped: string[] } | undefined {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return undefined
  const dropped: string[] = []
  for (const name in sent) {
    const value = (sent as Record<string, unknown>)[name]
    if (name !== 'at' && typeof value === 'number' && CHECKS.get(name)?.(value) === false) dropped.push(name)
  }
  if (dropped.length === 0) return undefined
  const isPlace = (name: string): boolean => name === 'lat' || name === 'lng'
  const isGone = (name: string): boolean => dropped.includes(name) || (isPlace(name) && dropped.some(isPlace))
  return { sent: Object.fromEntries(Object.entries(sent).filter(([name]) => !isGone(name))), dropped }
}
