import {
  array,
  boolean,
  enums,
  type Infer,
  literal,
  nullable,
  number,
  string,
  type,
  union,
  unknown,
} from 'superstruct'
import { describedAs } from '../described.ts'
import { Count, Id, IsoInstant } from '../scalars.ts'

/** What somebody wrote in a field; null: nothing. Groups, devices and people are named as they were then. */
const Value = nullable(describedAs(union([string(), number(), boolean()]), string(), number(), boolean()))

/**
 * One field of one change. What belongs to a group (`things`, `child`, `users`) came where `before` is null and left where
 * `after` is.
 */
export const FieldChange = type({ field: string(), before: Value, after: Value })
export type FieldChange = Infer<typeof FieldChange>

/** Who did something; null: the server itself. */
export const Doer = nullable(type({ _id: Id, name: string() }))
export type Doer = Infer<typeof Doer>

export const CHANGE_ACTIONS = ['created', 'updated'] as const

/** Something that somebody did to a group, user or device. `more`: changes of the same kind that are not listed. */
export const Change = type({
  at: IsoInstant,
  by: Doer,
  action: enums(CHANGE_ACTIONS),
  changes: array(FieldChange),
  more: Count,
})
export type Change = Infer<typeof Change>

/** Newest first. `total`: how many are kept. */
export const ChangeHistory = type({ changes: array(Change), total: Count })
export type ChangeHistory = Infer<typeof ChangeHistory>

/**
 * Answered with 412 to a change of what somebody else has changed meanwhile. `current`: what it is now, as its GET
 * answers it, with the `version` to go on from; `by` and `at`: who changed it last, and when.
 */
export const EditConflict = type({
  code: literal(412),
  message: string(),
  current: unknown(),
  by: Doer,
  at: nullable(IsoInstant),
})
export type EditConflict = Infer<typeof EditConflict>

export const CHANGED_MEANWHILE = 'Somebody else has changed this meanwhile'

/** What is wrong with which field, as answers with 422 carry it: `{ code, message, path, errors }`, the first one above. */
export const FieldFault = type({ path: string(), message: string() })
export type FieldFault = Infer<typeof FieldFault>
