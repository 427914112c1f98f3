import { isSecretName, type Secrets } from './secrets.ts'

/** Items of a list, characters of a text and levels of nesting that are written; what is longer says how long it was. */
export const MOST_ITEMS = 500
export const MOST_CHARACTERS = 4_000
const DEEPEST = 14

/**
 * A value as it is kept in a recording: JSON, without secrets. What JSON has no form for becomes an object with one key:
 * `$set`, `$map`, `$date`, `$number`, `$error`, `$function`; `$items` and `$text` are the beginning of something longer, and
 * `$left` is what was left out.
 */
export function written(value: unknown, secrets: Secrets): unknown {
  // All of it is looked through first: a secret may stand in a text before the name that tells that it is one.
  learn(value, secrets, false, { plain: new Set(), secret: new Set() })
  return write(value, secrets, false, 0)
}

/** Things looked through already: what is reached by a name that is none of anybody's business is looked through again. */
type Seen = { plain: Set<object>; secret: Set<object> }

function learn(value: unknown, secrets: Secrets, isSecret: boolean, seen: Seen): void {
  if (typeof value === 'string' || typeof value === 'number') {
    if (isSecret) secrets.learn(String(value))
  } else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
    const those = isSecret ? seen.secret : seen.plain
    if (those.has(value)) return
    those.add(value)
    for (const [, inner, isInnerSecret] of entriesOf(value, isSecret))
      learn(inner, secrets, isInnerSecret, seen)
  }
}

function write(value: unknown, secrets: Secrets, isSecret: boolean, depth: number): unknown {
  switch (typeof value) {
    case 'string':
      return isSecret ? secrets.standIn(value) : shortened(secrets.clean(value))
    case 'number':
      if (isSecret) return secrets.standIn(String(value))
      return Number.isFinite(value) ? value : { $number: String(value) }
    case 'boolean':
      return value
    case 'bigint':
      return secrets.standIn(String(value))
    case 'function':
      return { $function: secrets.clean(value.name) }
    case 'object':
      break
    default:
      return null
  }
  if (value === null) return null
  if (depth >= DEEPEST) return { $left: 'nested too deep' }
  if (ArrayBuffer.isView(value)) return { $left: value.constructor.name }
  return writeObject(value, secrets, isSecret, depth)
}

function writeObject(value: object, secrets: Secrets, isSecret: boolean, depth: number): unknown {
  const entries = (): [unknown, unknown][] =>
    entriesOf(value, isSecret)
      .slice(0, MOST_ITEMS)
      .map(([key, inner, isInnerSecret]) => [key, write(inner, secrets, isInnerSecret, depth + 1)])
  const values = () => entries().map(([, inner]) => inner)
  if (Array.isArray(value))
    return value.length > MOST_ITEMS ? { $items: values(), of: value.length } : values()
  if (value instanceof Set) return { $set: values() }
  if (value instanceof Map)
    return { $map: entries().map(([key, inner]) => [write(key, secrets, false, depth + 1), inner]) }
  if (value instanceof Date) return { $date: Number.isNaN(value.getTime()) ? null : value.toISOString() }
  const fields = () =>
    Object.fromEntries(entries().map(([key, inner]) => [secrets.clean(String(key)), inner]))
  if (value instanceof Error) return { $error: shortened(secrets.clean(value.message)), ...fields() }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === Object.prototype || prototype === null) return fields()
  return { $left: value.constructor?.name ?? 'something' }
}

/** What is in a thing, and which of it is secret: by its name, or by what is beside it (`{ field: 'password', value }`). */
function entriesOf(value: object, isSecret: boolean): [key: unknown, inner: unknown, isSecret: boolean][] {
  if (Array.isArray(value)) {
    const isNamed = value.length === 2 && typeof value[0] === 'string' && isSecretName(value[0])
    return value.map((inner, i) => [i, inner, isSecret || (isNamed && i === 1)])
  }
  if (value instanceof Set) return [...value].map((inner, i) => [i, inner, isSecret])
  if (value instanceof Map)
    return [...value].map(([key, inner]) => [
      key,
      inner,
      isSecret || (typeof key === 'string' && isSecretName(key)),
    ])
  const named = namedBeside(value)
  // Why a link ended is told by a number that everybody may know.
  const isEnding = 'reason' in value && 'code' in value && typeof value.code === 'number'
  return Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .map(([key, inner]) => [
      key,
      inner,
      isSecret || (isSecretName(key) && !(isEnding && key === 'code')) || (named && key === 'value'),
    ])
}

const BESIDE = ['field', 'name', 'key', 'path', 'header'] as const

function namedBeside(value: object): boolean {
  const beside = value as Partial<Record<(typeof BESIDE)[number], unknown>>
  return BESIDE.some((at) => {
    const name = beside[at]
    return typeof name === 'string' && isSecretName(name)
  })
}

const shortened = (text: string): unknown =>
  text.length > MOST_CHARACTERS ? { $text: text.slice(0, 200), of: text.length } : text

/**
 * The value again, as far as it was written: functions are told by `answer` what they once answered, and what was left out
 * is missing.
 */
export function revived(value: unknown, answer: () => unknown = () => undefined): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((inner) => revived(inner, answer))
  const marked = value as Record<string, unknown>
  if (Array.isArray(marked.$set)) return new Set(marked.$set.map((inner) => revived(inner, answer)))
  if (Array.isArray(marked.$map))
    return new Map(marked.$map.map((pair) => revived(pair, answer) as [unknown, unknown]))
  if ('$date' in marked) return new Date(typeof marked.$date === 'string' ? marked.$date : Number.NaN)
  if ('$number' in marked) return Number(marked.$number)
  if ('$function' in marked) return answer
  if (Array.isArray(marked.$items)) return marked.$items.map((inner) => revived(inner, answer))
  if ('$text' in marked) return marked.$text
  if ('$left' in marked) return undefined
  const fields = Object.entries(marked).map(([key, inner]) => [key, revived(inner, answer)] as const)
  if (!('$error' in marked)) return Object.fromEntries(fields)
  const { $error, ...own } = Object.fromEntries(fields)
  return Object.assign(new Error(typeof $error === 'string' ? $error : 'something longer'), own)
}
