import {
  array,
  boolean,
  enums,
  type Infer,
  literal,
  nullable,
  object,
  optional,
  size,
  string,
  type,
} from 'superstruct'
import { CalendarDay, ClockOffset, Count, DeviceType, Id, Imei, IsoInstant, Line } from '../scalars.ts'

const Words = size(string(), 0, 200)

/** What somebody says of a device. `groupId` left out: their own group; `calibrationDue` null or left out: no day is set.
 * `clockOffset` left out: a new one's is UTC, that of one there is stays. */
export const DeviceForm = object({
  name: Line,
  plateNumber: Words,
  vehicleMakeAndModel: Words,
  type: DeviceType,
  groupId: optional(Id),
  calibrationDue: optional(nullable(CalendarDay)),
  clockOffset: optional(ClockOffset),
})

/** Something a tracker sent that was refused; `times`: in a row, for the same reason; `at`: when last. */
export const RefusedWord = type({ at: IsoInstant, reason: string(), detail: string(), times: Count })

/**
 * A device for those who keep it. `sensors`: what its newest reading measured; `heardAt`: of that reading; null: never.
 * `refused`: newest last, kept in memory since `refusedSince`. `mayRegister`: whether the asker may replace its tracker and retire
 * it. `version` grows with each change of it.
 */
export const DeviceRecord = type({
  imei: Imei,
  name: string(),
  plateNumber: string(),
  vehicleMakeAndModel: string(),
  type: DeviceType,
  groupId: nullable(Id),
  groupName: string(),
  calibrationDue: nullable(CalendarDay),
  clockOffset: ClockOffset,
  retiredAt: nullable(IsoInstant),
  heardAt: nullable(IsoInstant),
  sensors: array(string()),
  refusedSince: IsoInstant,
  refused: array(RefusedWord),
  mayRegister: boolean(),
  version: string(),
})
export type DeviceRecord = Infer<typeof DeviceRecord>

/** A device that knocked and is not registered; `door`: by which way; `address`: where it came from. */
export const UnknownDevice = type({
  imei: Imei,
  door: enums(['http', 'teltonika', 'gt06']),
  address: string(),
  firstAt: IsoInstant,
  lastAt: IsoInstant,
  times: Count,
})
export type UnknownDevice = Infer<typeof UnknownDevice>

/** Newest knock first, kept in memory since `since`. `mayRegister`: whether the asker may add devices at all. */
export const UnknownDevices = type({
  mayRegister: boolean(),
  since: IsoInstant,
  devices: array(UnknownDevice),
})

/** The columns of a list of devices, in the order of the template. */
export const IMPORT_COLUMNS = [
  'IMEI',
  'Name',
  'Plate',
  'Type',
  'Make and model',
  'Group',
  'Calibration due',
  'Tracker clock',
] as const
export type ImportColumn = (typeof IMPORT_COLUMNS)[number]

/** The longest list: lines without its heading, and bytes of the file. */
export const IMPORT_LINES = 100_000
export const IMPORT_BYTES = 24 * 1024 * 1024

export const IMPORT_STATES = ['reading', 'checked', 'adding', 'done', 'cancelled', 'failed'] as const

/**
 * How far a list of devices is. It is read (`lines` so far), then waits, checked, for somebody to say that it is to be taken; then it is
 * added, `added` of `toAdd`. `known`: lines of devices that are registered, `differing` of them with other values: they change
 * nothing. `reason`: why it failed; `canRetry`: its file is good, and can be read again.
 */
export const DeviceImport = type({
  _id: Id,
  fileName: string(),
  state: enums(IMPORT_STATES),
  lines: Count,
  toAdd: Count,
  known: Count,
  differing: Count,
  faults: Count,
  warnings: Count,
  added: Count,
  reason: nullable(string()),
  canRetry: optional(literal(true)),
})
export type DeviceImport = Infer<typeof DeviceImport>

/** What is wrong, or remarkable, with which line of the file; the heading is line 1. `imei`: as it is written there. */
export const LineRemark = type({ line: Count, imei: string(), reason: string() })
export type LineRemark = Infer<typeof LineRemark>
