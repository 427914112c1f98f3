import { is, Struct } from 'superstruct'
import { type DescribedShape, type NamedShape, namedShapes } from '#machines/contracts/described.ts'

type JsonSchema = { [key: string]: unknown }

/** Where the shapes that have a name stand in a description (`componentSchemas`). */
const COMPONENTS = '#/components/schemas/'

/** `written`: of what somebody writes, where what has a default may be left out; `read`: of what has been decoded. */
type Side = 'written' | 'read'

/**
 * What JSON Schema can say of a struct: shapes, choices, what may be left out and what may be null. Refinements are functions
 * and cannot be read back, except what scalars say of themselves (`saying`).
 */
export function jsonSchema(struct: Struct<unknown>, side: Side = 'read'): JsonSchema {
  const schema = { ...shapeOf(struct, side) }
  if (!isNullable(struct)) return schema
  if (Array.isArray(schema.enum)) return { ...schema, enum: [...schema.enum, null] }
  if ('const' in schema) return { enum: [schema.const, null] }
  if (typeof schema.type === 'string') return { ...schema, type: [schema.type, 'null'] }
  return Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: 'null' }] }
}

function shapeOf(struct: Struct<unknown>, side: Side): JsonSchema {
  const inner: unknown = struct.schema
  switch (struct.type) {
    case 'object':
    case 'type':
      return objectOf(inner, struct.type === 'object', side)
    case 'array':
      return {
        type: 'array',
        items: inner instanceof Struct ? jsonSchema(inner, side) : {},
      }
    case 'tuple':
      return tupleOf(struct, side)
    case 'choice':
      return choiceOf(inner, side)
    case 'named':
      return { $ref: `${COMPONENTS}${(inner as NamedShape).name}` }
    case 'described':
      return describedOf(inner as DescribedShape, side)
    case 'record':
      return recordOf(struct, side)
    case 'enums':
      return { enum: Object.values((inner ?? {}) as Record<string, unknown>) }
    case 'literal':
      return { const: inner }
    case 'string':
      return { type: 'string', ...schemaOf(inner) }
    case 'ISO 8601 instant':
      return { type: 'string', format: 'date-time' }
    case 'boolean':
      return { type: 'boolean' }
    case 'integer':
      return { type: 'integer', ...schemaOf(inner) }
    case 'number':
    case 'finite number':
      return { type: 'number', ...schemaOf(inner) }
    default:
      return {}
  }
}

const schemaOf = (inner: unknown): JsonSchema =>
  inner !== null && typeof inner === 'object' ? (inner as JsonSchema) : {}

function describedOf({ oneOf }: DescribedShape, side: Side): JsonSchema {
  const [first, ...others] = oneOf
  if (first !== undefined && others.length === 0) return jsonSchema(first, side)
  return { oneOf: oneOf.map((shape) => jsonSchema(shape, side)) }
}

/** Of an entry that is there, what its value should be. */
function recordOf(record: Struct<unknown>, side: Side): JsonSchema {
  const entries = Array.from(record.entries({ any: undefined }, { path: [], branch: [] }))
  const [, , value] = entries.at(-1) ?? []
  return {
    type: 'object',
    ...(value && { additionalProperties: jsonSchema(value as Struct<unknown>, side) }),
  }
}

/** The shapes that have a name, by name: what `$ref` leads to. */
export const componentSchemas = (): Record<string, JsonSchema> =>
  Object.fromEntries(Array.from(namedShapes(), ([name, of]) => [name, jsonSchema(of())]))

/** Its entries alone name its parts: of an empty array, each part there should be. */
function tupleOf(tuple: Struct<unknown>, side: Side): JsonSchema {
  const entries = tuple.entries([], { path: [], branch: [] })
  const parts = Array.from(entries, ([, , part]) => part as Struct<unknown>)
  return {
    type: 'array',
    prefixItems: parts.map((part) => jsonSchema(part, side)),
    items: false,
    minItems: parts.length,
  }
}

/** The shapes of `choice` (machines/contracts/choice.ts), distinguished by one field. */
function choiceOf(inner: unknown, side: Side): JsonSchema {
  const { of } = inner as { of: Record<string, Struct<unknown>> }
  return { oneOf: Object.values(of).map((shape) => jsonSchema(shape, side)) }
}

function objectOf(inner: unknown, isClosed: boolean, side: Side): JsonSchema {
  if (inner === null || typeof inner !== 'object') return { type: 'object' }
  const fields = Object.entries(inner as Record<string, Struct<unknown>>)
  const mayBeLeftOut = (field: Struct<unknown>) =>
    is(undefined, field) ||
    (side === 'written' && field.validate(undefined, { coerce: true })[0] === undefined)
  const required = fields.filter(([, field]) => !mayBeLeftOut(field)).map(([name]) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [name, jsonSchema(field, side)])),
    ...(required.length > 0 ? { required } : {}),
    ...(isClosed ? { additionalProperties: false } : {}),
  }
}

function isNullable(struct: Struct<unknown>): boolean {
  if (struct.type === 'described' && (struct.schema as DescribedShape).isAny) return false
  return struct.type !== 'any' && struct.type !== 'unknown' && is(null, struct)
}
