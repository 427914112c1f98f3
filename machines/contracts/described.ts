import { lazy, Struct } from 'superstruct'
import type { AnyStruct } from './choice.ts'

/** What `named` and `describedAs` keep in `schema`, for those who read shapes back (JSON Schema). */
export type NamedShape = { name: string; of: () => AnyStruct }
export type DescribedShape = { oneOf: readonly AnyStruct[]; isAny: boolean }

const NAMED = new Map<string, () => AnyStruct>()

/** A shape that has a name of its own in descriptions, and may hold itself: groups in groups. */
export function named<T>(name: string, of: () => AnyStruct): Struct<T, unknown> {
  NAMED.set(name, of)
  const struct = lazy(of) as unknown as Struct<T, unknown>
  return new Struct<T, unknown>({ ...struct, type: 'named', schema: { name, of } satisfies NamedShape })
}

/** All named shapes there are, by name. */
export const namedShapes = (): ReadonlyMap<string, () => AnyStruct> => NAMED

/** The same struct, described as one of others: of a union, or what is checked elsewhere, nothing can be read back. */
export const describedAs = <T, S>(struct: Struct<T, S>, ...oneOf: AnyStruct[]): Struct<T, unknown> =>
  new Struct<T, unknown>({
    ...(struct as Struct<T, unknown>),
    type: 'described',
    schema: { oneOf, isAny: struct.type === 'any' } satisfies DescribedShape,
  })
