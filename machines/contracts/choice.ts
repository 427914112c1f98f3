import { dynamic, enums, type Infer, Struct, type } from 'superstruct'

// biome-ignore lint/suspicious/noExplicitAny: a struct of one shape is none of an unknown one to the type checker
type Variants = Record<string, Struct<any, any>>

/** What a struct made by `choice` keeps in `schema`, for those who read shapes back (JSON Schema). */
export type ChoiceShape<V extends Variants = Variants> = { by: string; of: V }

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
  const neither = type({ [by]: enums(Object.keys(of)) }) as unknown as Struct<Chosen>
  const chosen = dynamic<Chosen>((value) => {
    const name = (value as Record<string, unknown> | null | undefined)?.[by]
    return typeof name === 'string' && Object.hasOwn(of, name)
      ? (of[name] as unknown as Struct<Chosen>)
      : neither
  })
  return new Struct<Chosen, ChoiceShape<V>>({ ...chosen, type: 'choice', schema: { by, of } })
}
