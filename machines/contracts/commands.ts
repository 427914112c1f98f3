/**
 * The commands of the house, `noun.verb`: what somebody wants. A decider answers one with facts or a refusal.
 * Instants, ids, hashes and tokens are made outside and come with the command: deciders are pure.
 */
import {
  dynamic,
  enums,
  type Infer,
  literal,
  nullable,
  object,
  optional,
  type Struct,
  string,
} from 'superstruct'
import type { AnyStruct } from './calls/call.ts'
import { EpochMs, Id, Imei, Line } from './scalars.ts'

const DATA = {
  /** the password was right (or was not): `verified` comes from outside, `userId` is null for nobody we know */
  'session.open': object({
    userId: nullable(Id),
    login: string(),
    verified: enums(['right', 'wrong']),
    sessionId: Id,
    refreshHash: string(),
    expiresAt: EpochMs,
  }),
  /** `spentHash`: of the token presented; `refreshHash`: of the next one, null where the same stays good */
  'session.refresh': object({
    userId: Id,
    sessionId: Id,
    spentHash: string(),
    refreshHash: nullable(string()),
    expiresAt: EpochMs,
  }),
  'session.close': object({ userId: Id, sessionId: Id }),
  /** from another place: the director, an administrator */
  'user.sign-out': object({ userId: Id }),
  'user.require-reset': object({ userId: Id }),
  'user.set-password': object({ userId: Id, hash: string() }),
  'company.suspend': object({ companyId: Id }),
  'company.resume': object({ companyId: Id }),
  'device.update': object({ imei: Imei, name: optional(Line), groupId: optional(Id) }),
} as const

export type CommandType = keyof typeof DATA
export type CommandData<T extends CommandType> = Infer<(typeof DATA)[T]>
export const COMMAND_TYPES = Object.keys(DATA) as CommandType[]

/** `at`: when it was asked for, epoch ms. `by`: the user who asks; null: the house itself. */
export type Command = {
  [T in CommandType]: { type: T; at: number; by: string | null; data: CommandData<T> }
}[CommandType]
export type CommandOf<T extends CommandType> = Extract<Command, { type: T }>

const Envelope = object({ type: enums(COMMAND_TYPES), at: EpochMs, by: nullable(Id), data: object() })

export const Command = dynamic<Command>((value) => {
  const commandType = (value as { type?: unknown } | null)?.type
  if (typeof commandType !== 'string' || !Object.hasOwn(DATA, commandType))
    return Envelope as unknown as Struct<Command>
  return object({
    ...Envelope.schema,
    type: literal(commandType as CommandType),
    data: DATA[commandType as CommandType] as AnyStruct,
  }) as unknown as Struct<Command>
}) as Struct<Command>
