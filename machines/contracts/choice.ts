import { dynamic, enums, type Infer, Struct, type } from 'superstruct'

// biome-ignore lint/suspicious/noExplicitAny: a struct is invariant in what it checks, so "any struct" has no other name
export type AnyStruct = Struct<any, any>
type Variants = Record<string, AnyStruct>

/** What a struct made by `choice` keeps in `schema`, for those who read shapes back (JSON Schema). */
export type ChoiceShape<V extends Variants = Variants> = { by: string; of: V }

/**
 * Checks a value as the struct that its field `by` names. Faster than a union, and what is wrong has its path.
 * @param neither checks what names none of them, and says so
 */
export const chosenBy = <T>(by: string, of: Variants, neither: AnyStruct): Struct<T, null> =>
  dynamic<T>((value) => {
    const name = (value as Record<string, unknown> | null | undefined)?.[by]
    return (typeof name === 'string' && Object.hasOwn(of, name) && of[name]) || neither
  }) as Struct<T, null>

/**
 * An object whose field `by` says which of these shapes it has. Unlike a union it names the path of what is wrong within
 * the one that was meant.
 * @param of shape by value of that field; each holds the field as a literal of its own
 */
export function choice<V extends Variants>(
  by: string,
  of: V,
): Struct<{ [K in keyof V]: Infer<V[K]> }[keyof V], ChoiceShape<V>> {
  type Chosen = { [K in keyof V]: Infer<V[K]> }[keyof V]
  const chosen = chosenBy<Chosen>(by, of, type({ [by]: enums(Object.keys(of)) }))
  return new Struct<Chosen, ChoiceShape<V>>({ ...chosen, type: 'choice', schema: { by, of } })
}
