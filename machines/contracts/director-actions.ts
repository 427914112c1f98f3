/** What a director does to the world, as the log keeps it: enough to list it, to undo it, and to write it into a scenario. */
import { enums, type Infer, literal, nullable, object, optional } from 'superstruct'
import { choice } from './choice.ts'
import { Count, EpochMs, Finite, Id, Imei, Line } from './scalars.ts'
import { FaultKind, LinkFaultKind, Share } from './scenario-script.ts'

const company = { companyId: Id }
const user = { userName: Line }
const way = { from: EpochMs, to: EpochMs }

/** Durations in seconds, of the world unless said otherwise. */
const ACTIONS = {
  /** world seconds in a real one, before and after */
  'clock.speed': object({ do: literal('clock.speed'), from: Finite, to: Finite }),
  'clock.pause': object({ do: literal('clock.pause') }),
  'clock.resume': object({ do: literal('clock.resume') }),
  'clock.advance': object({ do: literal('clock.advance'), ...way }),
  'clock.to-incident': object({ do: literal('clock.to-incident'), ...way }),
  /** `imei`: null where it befell a share, of a group where one is said; `devices`: how many that were */
  'fault.inject': object({
    do: literal('fault.inject'),
    fault: FaultKind,
    imei: nullable(Imei),
    share: optional(Share),
    groupId: optional(Id),
    devices: Count,
    forSeconds: Finite,
  }),
  /** of a fault that the script brought, or one of a share's */
  'fault.lift': object({
    do: literal('fault.lift'),
    faultId: Id,
    fault: FaultKind,
    imei: Imei,
    until: EpochMs,
  }),
  /** `forSeconds`: real ones */
  'link.fault': object({
    do: literal('link.fault'),
    fault: LinkFaultKind,
    forSeconds: Finite,
    milliseconds: optional(Finite),
    share: optional(Share),
  }),
  /** of one that the script brought */
  'link.lift': object({ do: literal('link.lift'), faultId: Id }),
  'company.suspend': object({ do: literal('company.suspend'), ...company }),
  'company.resume': object({ do: literal('company.resume'), ...company }),
  'user.sign-out': object({ do: literal('user.sign-out'), ...user }),
  'user.require-reset': object({ do: literal('user.require-reset'), ...user }),
  'user.end-sessions': object({ do: literal('user.end-sessions'), ...user }),
  /** of a mail with a link to a password */
  'link.expire': object({ do: literal('link.expire'), userId: Id }),
} as const

export const DirectorAction = choice('do', ACTIONS)
export type DirectorAction = Infer<typeof DirectorAction>
export type DirectorActionKind = keyof typeof ACTIONS
export const DirectorActionKind = enums(Object.keys(ACTIONS) as DirectorActionKind[])
export type DirectorActionOf<K extends DirectorActionKind> = Extract<DirectorAction, { do: K }>
