/**
 * What `npm run admin` and a running server say to each other over the socket in the server's folder: one request and one
 * answer a connection, each a line of JSON.
 */
import {
  array,
  boolean,
  dynamic,
  enums,
  type Infer,
  literal,
  nullable,
  object,
  optional,
  type Struct,
  size,
  string,
} from 'superstruct'
import { type AnyStruct, chosenBy } from './choice.ts'
import { KeyOverlapHours } from './entities/device-keys.ts'
import { SealKeyId } from './entities/seals.ts'
import { ClockOffset, Count, EpochMs, Id, Imei, Line } from './scalars.ts'

/** Bytes of a request or answer at most: a file of 100,000 devices. */
export const MOST_BYTES = 32 * 1024 * 1024

/** A link that sets a password, once. */
const PrintedLink = object({
  userName: Line,
  email: string(),
  link: string(),
  expiresAt: EpochMs,
})

/** As somebody types it: an id, or a name that one alone has. */
const Named = size(string(), 1, 200)

/** Of a line of a file; `imei` as it was written. */
const LineRemark = object({ line: Count, imei: string(), reason: string() })

const OPERATIONS = {
  'create-admin': {
    request: object({
      email: size(string(), 1, 320),
      firstName: size(string(), 0, 100),
      lastName: size(string(), 0, 100),
    }),
    answer: PrintedLink,
  },
  'reset-password': {
    /** e-mail address or user name */
    request: object({ user: size(string(), 1, 320) }),
    answer: PrintedLink,
  },
  list: {
    request: object({}),
    answer: object({
      administrators: array(object({ userName: Line, email: string(), hasPassword: boolean() })),
      companies: array(
        object({ _id: Id, name: Line, suspended: boolean(), users: Count, groups: Count, devices: Count }),
      ),
      /** facts and batches of readings there are */
      head: Count,
    }),
  },
  'create-company': {
    request: object({ name: Named, timeZone: Named }),
    /** the key is shown this once */
    answer: object({ _id: Id, name: Line, timeZone: Line, groupId: Id, deviceKey: Line }),
  },
  'rotate-key': {
    /** `key`: its name or id; the one key there is where left out */
    request: object({ company: Named, key: optional(Named), overlapHours: KeyOverlapHours }),
    /** the key is shown this once; the old one ends at `oldUntil` */
    answer: object({ _id: Id, name: Line, keyName: Line, deviceKey: Line, oldUntil: EpochMs }),
  },
  'import-devices': {
    /** `csv`: the file; with `keepGood` its good lines are taken where others are wrong */
    request: object({
      company: Named,
      csv: string(),
      keepGood: boolean(),
      source: enums(['tracker', 'api']),
    }),
    /** `known`: lines of devices that are there already; `differing`: those of them that say something else */
    answer: object({
      registered: Count,
      known: Count,
      differing: Count,
      faults: array(LineRemark),
      warnings: array(LineRemark),
    }),
  },
  'set-clock': {
    /** `clockOffset`: minutes its clock is ahead of UTC */
    request: object({ imei: Imei, clockOffset: ClockOffset }),
    answer: object({ imei: Imei, name: Line, clockOffset: ClockOffset, isChanged: boolean() }),
  },
  suspend: {
    request: object({ company: Named, reason: optional(Line) }),
    answer: object({ _id: Id, name: Line, suspended: boolean(), isChanged: boolean() }),
  },
  resume: {
    request: object({ company: Named, reason: optional(Line) }),
    answer: object({ _id: Id, name: Line, suspended: boolean(), isChanged: boolean() }),
  },
  'rotate-seal-key': {
    /** `lost`: the present key is gone, and nobody vouches for the new one */
    request: object({ lost: boolean() }),
    answer: object({ keyId: SealKeyId, previous: nullable(SealKeyId), place: string() }),
  },
} as const

export type OperationName = keyof typeof OPERATIONS
export const OPERATION_NAMES = Object.keys(OPERATIONS) as OperationName[]
export type OperationData<N extends OperationName> = Infer<(typeof OPERATIONS)[N]['request']>
export type OperationAnswer<N extends OperationName> = Infer<(typeof OPERATIONS)[N]['answer']>

export type AdminRequest = { [N in OperationName]: { operation: N; data: OperationData<N> } }[OperationName]
export type AdminRequestOf<N extends OperationName> = Extract<AdminRequest, { operation: N }>

export const AdminRequest = chosenBy<AdminRequest>(
  'operation',
  Object.fromEntries(
    OPERATION_NAMES.map((name) => [
      name,
      object({ operation: literal(name), data: OPERATIONS[name].request as AnyStruct }),
    ]),
  ),
  object({ operation: enums(OPERATION_NAMES), data: object() }),
)

/** Why a request was not followed; `status` as in HTTP. `path`: the part of the request that is wrong, where one is. */
export const AdminRefusal = object({ status: Count, message: string(), path: nullable(string()) })
export type AdminRefusal = Infer<typeof AdminRefusal>

/** What a request of this name is answered: `refused` where it was not followed. */
export const adminReply = <N extends OperationName>(name: N): Struct<AdminReply<N>> =>
  dynamic<AdminReply<N>>((value) => {
    const isRefused = (value as { refused?: unknown } | null)?.refused !== undefined
    const struct = isRefused
      ? object({ refused: AdminRefusal })
      : object({ answer: OPERATIONS[name].answer as AnyStruct })
    return struct as unknown as Struct<AdminReply<N>>
  }) as unknown as Struct<AdminReply<N>>

export type AdminReply<N extends OperationName = OperationName> =
  | { answer: OperationAnswer<N>; refused?: undefined }
  | { refused: AdminRefusal; answer?: undefined }
