import { isUtf8 } from 'node:buffer'
import fc from 'fast-check'
import { anyText } from '#machines/testing/any-text.ts'

/** A body as it goes over the wire, and what is wrong with it. */
export type Sent = { wrong: string; payload: string | Buffer; headers: Record<string, string> }

const JSON_TYPE = { 'content-type': 'application/json' }
const DEEP = 10_000
const DEEP_ARRAY = '['.repeat(DEEP) + ']'.repeat(DEEP)

export const sent = (
  wrong: string,
  payload: string | Buffer,
  headers: Record<string, string> = JSON_TYPE,
): Sent => ({
  wrong,
  payload,
  headers,
  // a counterexample of a megabyte helps nobody
  [fc.toStringMethod as never]: () => `${wrong}: ${String(payload).slice(0, 300)} ${JSON.stringify(headers)}`,
})

/** Values of JSON, written out: as objects some could not even be made. */
const badValue = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      ...words(
        'null true 0 -1 0.5 "" [] {} [null] [[]] [{}] {"a":1} "__proto__" "\\u0000" "\\ud800" "../../x"',
      ),
      // more than a double holds, more than it holds exactly, and less than it tells from 0
      ...words('1e999 -1e999 123456789012345678901234567890 9007199254740993 1e-400 -0'),
      ...words('{"toString":1} {"valueOf":{},"toString":null} {"length":1e9} {"then":1} {"toJSON":1}'),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(100, 201, 2_001, 100_000).map((length) => `"${'x'.repeat(length)}"`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      DEEP_ARRAY,
      `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`,
      `[${'"x",'.repeat(DEEP)}1]`,
    ),
  },
  { weight: 2, arbitrary: fc.json() },
)

const badField = fc.oneof(
  fc.constantFrom(
    '"__proto__":{"admin":true}',
    '"__proto__":null',
    '"constructor":{"prototype":{"admin":true}}',
    '"constructor":1',
    '"prototype":{}',
    '"hasOwnProperty":1',
    '"toString":1',
    '"":1',
  ),
  fc.tuple(fc.string(), badValue).map(([name, value]) => `${JSON.stringify(name)}:${value}`),
)

export const WRONG_TYPES = [
  ...words(
    'text/plain text/html application/xml application/octet-stream application/jsonp application */* ;;;',
  ),
  ...words('application/x-www-form-urlencoded multipart/form-data multipart/form-data;boundary=x'),
  '',
]

const HERE = '\u0000here\u0000'
type Path = readonly (string | number)[]

/** Every place in a value: itself, its fields, their fields. */
function placesIn(value: unknown, path: Path = []): Path[] {
  if (value === null || typeof value !== 'object') return [path]
  return [path, ...Object.entries(value).flatMap(([name, each]) => placesIn(each, [...path, name]))]
}

/** The value as JSON, with a text of JSON at one place. */
function withAt(value: unknown, [first, ...rest]: Path, text: string): string {
  if (first === undefined) return text
  const copy = Array.isArray(value) ? [...value] : { ...(value as object) }
  const inner = (copy as Record<string, unknown>)[first]
  Object.assign(copy, { [first]: HERE })
  return JSON.stringify(copy).replace(JSON.stringify(HERE), () => withAt(inner, rest, text))
}

/** Bodies with something wrong, made of one that is right. Some turn out right after all: the contract tells. */
export function malformedBodies(right: unknown): fc.Arbitrary<Sent> {
  const text = JSON.stringify(right)
  const bytes = Buffer.from(text)
  const fields = Object.entries(right as object)
  const place = fc.constantFrom(...placesIn(right))
  const position = fc.nat(Math.max(0, text.length - 1))
  const inserted = (at: number, what: string) => text.slice(0, at) + what + text.slice(at)
  return fc.oneof(
    {
      weight: 6,
      arbitrary: fc.tuple(place, badValue).map(([at, value]) => sent('a value', withAt(right, at, value))),
    },
    {
      weight: 3,
      arbitrary: badField.map((field) => sent('a field too many', `{${field},${text.slice(1)}`)),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.nat(fields.length), badValue)
        .map(([i, value]) =>
          sent('a field twice', `${text.slice(0, -1)},${JSON.stringify(fields[i]?.[0] ?? 'x')}:${value}}`),
        ),
    },
    {
      weight: 2,
      arbitrary: fc
        .subarray(fields, { maxLength: Math.max(0, fields.length - 1) })
        .map((kept) => sent('a field too few', JSON.stringify(Object.fromEntries(kept)))),
    },
    { weight: 2, arbitrary: position.map((at) => sent('cut off', text.slice(0, at))) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(position, fc.constantFrom(',', '}', '{', '"', "'", 'NaN', '/*', '\u0000', '\\', '\ufeff'))
        .map(([at, what]) => sent('broken JSON', inserted(at, what))),
    },
    { weight: 1, arbitrary: fc.string({ maxLength: 200 }).map((any) => sent('no JSON', any)) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(`[${text}]`, `${text}${text}`, JSON.stringify(text))
        .map((all) => sent('wrapped', all)),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          position,
          fc.constantFrom([0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf8, 0x88, 0x80, 0x80], [0xc0, 0xaf]),
        )
        .map(([at, wrong]) =>
          sent('no UTF-8', Buffer.concat([bytes.subarray(0, at), Buffer.from(wrong), bytes.subarray(at)])),
        ),
    },
    {
      weight: 2,
      arbitrary: fc
        .constantFrom(...WRONG_TYPES)
        .map((type) => sent('a wrong content type', text, { 'content-type': type })),
    },
    {
      weight: 1,
      arbitrary: fc
        .nat(text.length * 2)
        .map((length) => sent('a wrong length', text, { ...JSON_TYPE, 'content-length': `${length}` })),
    },
  )
}

/** The value in a body that could be read; undefined where there is none. */
export function readBody({ payload, headers }: Sent): { value: unknown } | undefined {
  const length = headers['content-length']
  const bytes = Buffer.from(payload)
  if (headers['content-type'] !== 'application/json' || !isUtf8(bytes)) return undefined
  if (length !== undefined && Number(length) !== bytes.length) return undefined
  // a mark of the byte order before it is no harm
  const text = bytes.toString().replace(/^\ufeff/, '')
  try {
    // what would change a prototype is refused as it is read
    return /"(?:__proto__|constructor)"\s*:/.test(text) ? undefined : { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** Texts for a path or a query that no contract of ours knows. */
export const badTexts: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...words(
      '__proto__ constructor toString hasOwnProperty undefined null NaN true . .. ../.. / \\ % %2e \u0000 *',
    ),
    ...words(
      '-1 1e999 999999999999999999999 0x10 { [] {} [[[ {"startDate":1} " {"__proto__":1} \ud83d\ude00',
    ),
    ...[' ', '\n', "' OR 1=1 --", 'x'.repeat(1024), 'x'.repeat(1025), 'x'.repeat(20_000), DEEP_ARRAY],
  ),
  anyText({ maxLength: 50 }),
  badValue.filter((text) => text.length < 50_000),
)

/** A list without quotes around each. */
function words(text: string): string[] {
  return text.split(' ')
}
