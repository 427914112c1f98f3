import { type Struct, type StructError, validate } from 'superstruct'

/** What came over a border did not fit its contract. `path` is dotted (`users.0.email`), empty for the value itself. */
export class ContractError extends Error {
  readonly path: string
  constructor(what: string, path: string, reason: string) {
    super(`${what}: at ${path === '' ? 'the value itself' : path}: ${reason}`)
    this.name = 'ContractError'
    this.path = path
  }
}

/**
 * Checks an unknown value against a contract, coercing where the struct says so.
 * @param what names the thing in the message ("login body", "DEVICES", …)
 * @throws ContractError with the path of the first thing wrong
 */
export function decode<T, S>(value: unknown, struct: Struct<T, S>, what = 'value'): T {
  refuseManyUnknown(value, struct, what)
  const first = found(value, struct)
  // asked again with something plain in such places, it still says where they are
  const [error] = first ?? found(printable(value), struct) ?? []
  if (error) throw new ContractError(what, pathOf(error), reasonOf(error))
  if (first === undefined) throw new ContractError(what, '', NOT_SHOWN)
  return first[1] as T
}

/** More fields than these that are not known are refused before any is looked at: each would cost as much as a known one. */
const MOST_UNKNOWN = 100

function refuseManyUnknown<T, S>(value: unknown, struct: Struct<T, S>, what: string): void {
  if (struct.type !== 'object' || struct.schema === null) return
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return
  const schema = struct.schema as Record<string, unknown>
  const names = Object.keys(value)
  if (names.length <= Object.keys(schema).length + MOST_UNKNOWN) return
  const unknown = names.find((name) => !Object.hasOwn(schema, name)) as string
  throw new ContractError(what, shown(unknown), `${names.length} fields, and most are not known here`)
}

/** What superstruct finds. It puts the refused value into its message; undefined: that cannot be made a text. */
function found<T, S>(value: unknown, struct: Struct<T, S>) {
  try {
    return validate(value, struct, { coerce: true })
  } catch {
    return undefined
  }
}

/** Nested deeper than this is nothing of ours. */
export const DEEPEST = 16
const NOT_SHOWN = 'holds what cannot be shown'
const UNPRINTABLE = Object.freeze({})

/** A value of JSON with something plain in each place that cannot be made a text. */
export function printable(value: unknown, depth = 0): unknown {
  if (value === null || typeof value !== 'object') return value
  if (depth > DEEPEST) return UNPRINTABLE
  if (Array.isArray(value)) return value.map((each) => printable(each, depth + 1))
  const copy: Record<string, unknown> = Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, printable(each, depth + 1)]),
  )
  return typeof copy.toString === 'function' ? copy : UNPRINTABLE
}

/** Like `decode`, for text that should hold JSON. @throws ContractError, also where the text is no JSON */
export function decodeJson<T, S>(text: string, struct: Struct<T, S>, what = 'value'): T {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ContractError(what, '', 'expected JSON')
  }
  return decode(value, struct, what)
}

function pathOf(error: StructError): string {
  return error.path.map(String).join('.')
}

function reasonOf(error: StructError): string {
  if (error.value === UNPRINTABLE) return NOT_SHOWN
  const refinement = error.refinement === undefined ? '' : ` (${error.refinement})`
  if (error.type === 'never') return 'is not known here'
  return `expected ${error.type}${refinement}, got ${shown(error.value)}`
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  let text: string
  try {
    text = typeof value === 'bigint' ? `${value}n` : (JSON.stringify(value) ?? String(value))
  } catch {
    text = typeof value
  }
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}
