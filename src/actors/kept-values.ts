import { array, boolean, define, literal, nullable, record, set, string, union } from 'superstruct'

/** What was picked among many: all, or some by their ids. */
export const KeptPicks = union([literal('all'), set(string())])

/** A number that is typed, NaN where what was typed is none. */
export const KeptNumber = define<number>('number', (value) => typeof value === 'number')

/** The fields of a form. */
export const KeptFields = record(
  string(),
  nullable(union([string(), KeptNumber, boolean(), array(string())])),
)
