import { enums, type Infer, object, optional } from 'superstruct'
import { WritableInstant } from '../scalars.ts'
import { type Call, Page } from './call.ts'

/** Two views of a time that is past: as it was shown then, or as it is known now to have been, with what came late. */
export const AsOfView = enums(['then', 'now'])
export type AsOfView = Infer<typeof AsOfView>

/** Query of calls that also answer as of a time that is past; `view`: `then` where it is left out. */
export const AS_OF = { asOf: optional(WritableInstant), view: optional(AsOfView) }
export const AsOf = object(AS_OF)
export type AsOf = Infer<typeof AsOf>
/** Part of a longer list, as of a time too. */
export const PageAsOf = object({ ...Page.schema, ...AS_OF })

/** Whether a call answers as of a time that is past too. */
export const takesAsOf = ({ query }: Call): boolean => 'asOf' in (query?.schema ?? {})
