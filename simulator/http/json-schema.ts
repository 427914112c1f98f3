import { is, Struct } from 'superstruct'

type JsonSchema = { [key: string]: unknown }

/** A struct nested deeper than this is one that holds itself (groups in groups). */
const DEEPEST = 6

/**
 * What JSON Schema can say of a struct. Refinements (patterns, bounds) are functions and cannot be read back; shapes,
 * choices, what may be left out and what may be null can.
 */
export function jsonSchema(struct: Struct<unknown>, depth = 0): JsonSchema {
  const schema = { ...shapeOf(struct, depth) }
  if (!isNullable(struct)) return schema
  if (Array.isArray(schema.enum)) return { ...schema, enum: [...schema.enum, null] }
  if ('const' in schema) return { enum: [schema.const, null] }
  return typeof schema.type === 'string' ? { ...schema, type: [schema.type, 'null'] } : schema
}

function shapeOf(struct: Struct<unknown>, depth: number): JsonSchema {
  const inner: unknown = struct.schema
  switch (struct.type) {
    case 'object':
    case 'type':
      return objectOf(inner, depth, struct.type === 'object')
    case 'array':
      return {
        type: 'array',
        items: inner instanceof Struct && depth < DEEPEST ? jsonSchema(inner, depth + 1) : {},
      }
    case 'enums':
      return { enum: Object.values((inner ?? {}) as Record<string, unknown>) }
    case 'literal':
      return { const: inner }
    case 'string':
      return { type: 'string' }
    case 'ISO 8601 instant':
      return { type: 'string', format: 'date-time' }
    case 'boolean':
      return { type: 'boolean' }
    case 'integer':
      return { type: 'integer' }
    case 'number':
    case 'finite number':
      return { type: 'number' }
    default:
      return {}
  }
}

function objectOf(inner: unknown, depth: number, isClosed: boolean): JsonSchema {
  if (inner === null || typeof inner !== 'object' || depth >= DEEPEST) return { type: 'object' }
  const fields = Object.entries(inner as Record<string, Struct<unknown>>)
  const required = fields.filter(([, field]) => !is(undefined, field)).map(([name]) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [name, jsonSchema(field, depth + 1)])),
    ...(required.length > 0 ? { required } : {}),
    ...(isClosed ? { additionalProperties: false } : {}),
  }
}

function isNullable(struct: Struct<unknown>): boolean {
  return struct.type !== 'any' && struct.type !== 'unknown' && is(null, struct)
}
