import { LATEST_INSTANT } from '#machines/contracts/scalars.ts'

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json }
export type Schema = {
  type?: string | string[]
  enum?: Json[]
  const?: Json
  $ref?: string
  oneOf?: Schema[]
  anyOf?: Schema[]
  format?: string
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
}

/** One value in so many is not even of the type it should be. */
const ASTRAY = 0.03
const MOST_ITEMS = 4

const TEXTS: readonly string[] = [
  ...[
    '',
    ' ',
    'x',
    'Lahore',
    '0',
    '-1',
    '1e999',
    'null',
    'true',
    '[]',
    '{}',
    '__proto__',
    'constructor',
    'toString',
  ],
  ...[
    'a@b.example',
    'ALL',
    '*',
    '%00',
    '../../etc/passwd',
    "' OR 1=1 --",
    '=1+1',
    '<b>x</b>',
    '\u0000',
    '\u202e',
    '😀',
  ],
  ...[
    'ٱلسلام',
    'é\u0301',
    '2026-02-30T25:61:00Z',
    '2026-11-21',
    '+92 300 5550129',
    'f1',
    'f999999',
    'Fr0st#line24',
  ],
  'x'.repeat(300),
  'ß'.repeat(3000),
]
const NUMBERS: readonly number[] = [
  ...[0, -0, 1, -1, 0.5, 2.25, -26, 100, 500, 1e6, 86_400_000, 1e12, 1.8e12],
  ...[LATEST_INSTANT, 8.64e15, 8.64e15 + 1, Number.MAX_SAFE_INTEGER, Number.MIN_VALUE, 1e300, -1e300],
]

/** A function that makes values of a schema of the OpenAPI document: mostly of the right type, seldom sensible. */
export function createMake(
  dice: () => number,
  known: readonly string[],
  named: Readonly<Record<string, Schema>> = {},
) {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(dice() * all.length)] as T
  const text = (): string => (dice() < 0.5 ? pick(known) : pick(TEXTS))
  const number = (): number => (dice() < 0.4 ? Number(pick(known)) || 0 : pick(NUMBERS))

  function make(schema: Schema, name: string): Json {
    if (dice() < ASTRAY) return pick<Json>([null, true, [], {}, [[]], text(), number(), { [text()]: text() }])
    if (schema.$ref !== undefined) return make(named[schema.$ref.split('/').at(-1) ?? ''] ?? {}, name)
    const shapes = schema.oneOf ?? schema.anyOf
    if (shapes !== undefined) return make(pick(shapes), name)
    if (schema.const !== undefined) return schema.const
    if (schema.enum !== undefined) return pick(schema.enum)
    const type = Array.isArray(schema.type) ? pick(schema.type) : schema.type
    if (type === 'object') return object(schema)
    if (type === 'array')
      return Array.from({ length: Math.floor(dice() * MOST_ITEMS) }, () => make(schema.items ?? {}, name))
    if (type === 'boolean') return dice() < 0.5
    if (type === 'integer') return Math.trunc(number())
    if (type === 'number') return number()
    if (type === 'null') return null
    if (schema.format === 'date-time')
      return dice() < 0.7 ? new Date(Math.abs(number()) % 8.64e15).toISOString() : text()
    if (type === 'string') return text()
    return pick<() => Json>([text, number, () => null, () => ({ [text()]: text() }), () => [text()]])()
  }

  function object({ properties = {}, required = [] }: Schema): Json {
    const made: { [name: string]: Json } = {}
    for (const [name, schema] of Object.entries(properties))
      if (dice() < (required.includes(name) ? 0.97 : 0.6)) made[name] = make(schema, name)
    if (dice() < ASTRAY) made[text()] = text()
    return made
  }
  return make
}
