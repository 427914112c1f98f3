import { nullable, number, object } from 'superstruct'

/** A range as it was typed, kept while there was no answer. Epoch ms; null: not yet typed. */
export const KeptRange = object({ from: nullable(number()), to: nullable(number()) })
