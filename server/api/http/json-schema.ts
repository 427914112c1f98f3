import { is, Struct } from 'superstruct'

type JsonSchema = { [key: string]: unknown }

/** A struct nested deeper than this is one that holds itself (groups in groups). */
const DEEPEST = 6

/** `written`: of what somebody writes, where what has a default may be left out; `read`: of what has been decoded. */
type Side = 'written' | 'read'

/**
 * What JSON Schema can say of a struct: shapes, choices, what may be left out and what may be null. Refinements are functions
 * and cannot be read back, except what scalars say of themselves (`saying`).
 */
export function jsonSchema(struct: Struct<unknown>, depth = 0, side: Side = 'read'): JsonSchema {
  const schema = { ...shapeOf(struct, depth, side) }
  if (!isNullable(struct)) return schema
  if (Array.isArray(schema.enum)) return { ...schema, enum: [...schema.enum, null] }
  if ('const' in schema) return { enum: [schema.const, null] }
  return typeof schema.type === 'string' ? { ...schema, type: [schema.type, 'null'] } : schema
}

function shapeOf(struct: Struct<unknown>, depth: number, side: Side): JsonSchema {
  const inner: unknown = struct.schema
  switch (struct.type) {
    case 'object':
    case 'type':
      return objectOf(inner, depth, struct.type === 'object', side)
    case 'array':
      return {
        type: 'array',
        items: inner instanceof Struct && depth < DEEPEST ? jsonSchema(inner, depth + 1, side) : {},
      }
    case 'tuple':
      return tupleOf(struct, depth, side)
    case 'choice':
      return choiceOf(inner, depth, side)
    case 'enums':
      return { enum: Object.values((inner ?? {}) as Record<string, unknown>) }
    case 'literal':
      return { const: inner }
    case 'string':
      return { type: 'string', ...saidBy(inner) }
    case 'ISO 8601 instant':
      return { type: 'string', format: 'date-time' }
    case 'boolean':
      return { type: 'boolean' }
    case 'integer':
      return { type: 'integer', ...saidBy(inner) }
    case 'number':
    case 'finite number':
      return { type: 'number', ...saidBy(inner) }
    default:
      return {}
  }
}

const saidBy = (inner: unknown): JsonSchema =>
  inner !== null && typeof inner === 'object' ? (inner as JsonSchema) : {}

/** Its entries alone name its parts: of an empty array, each part there should be. */
function tupleOf(tuple: Struct<unknown>, depth: number, side: Side): JsonSchema {
  const entries = tuple.entries([], { path: [], branch: [] })
  const parts = Array.from(entries, ([, , part]) => part as Struct<unknown>)
  return {
    type: 'array',
    prefixItems: parts.map((part) => jsonSchema(part, depth + 1, side)),
    items: false,
    minItems: parts.length,
  }
}

/** The shapes of `choice` (machines/contracts/choice.ts), distinguished by one field. */
function choiceOf(inner: unknown, depth: number, side: Side): JsonSchema {
  const { of } = inner as { of: Record<string, Struct<unknown>> }
  return { oneOf: Object.values(of).map((shape) => jsonSchema(shape, depth, side)) }
}

function objectOf(inner: unknown, depth: number, isClosed: boolean, side: Side): JsonSchema {
  if (inner === null || typeof inner !== 'object' || depth >= DEEPEST) return { type: 'object' }
  const fields = Object.entries(inner as Record<string, Struct<unknown>>)
  const mayBeLeftOut = (field: Struct<unknown>) =>
    is(undefined, field) ||
    (side === 'written' && field.validate(undefined, { coerce: true })[0] === undefined)
  const required = fields.filter(([, field]) => !mayBeLeftOut(field)).map(([name]) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [name, jsonSchema(field, depth + 1, side)])),
    ...(required.length > 0 ? { required } : {}),
    ...(isClosed ? { additionalProperties: false } : {}),
  }
}

function isNullable(struct: Struct<unknown>): boolean {
  return struct.type !== 'any' && struct.type !== 'unknown' && is(null, struct)
}
