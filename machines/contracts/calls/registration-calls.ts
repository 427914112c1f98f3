import { array, enums, object, type as open, optional, size, string } from 'superstruct'
import {
  DeviceForm,
  DeviceImport,
  DeviceRecord,
  IMPORT_BYTES,
  LineRemark,
  UnknownDevices,
} from '../entities/device-records.ts'
import { Count, Id, Imei } from '../scalars.ts'
import { CountText, calls } from './call.ts'

const ByImei = object({ imei: Imei })
const ById = object({ id: Id })

/** Remarks in one answer at most. */
export const REMARKS_AT_ONCE = 1000

/** Adding devices, and keeping what is known of them. */
export const REGISTRATION_CALLS = calls({
  deviceRecord: {
    method: 'GET',
    path: '/things/{imei}/record',
    summary: 'What is known of a device and of what its tracker sent lately; retired ones too.',
    access: 'session',
    params: ByImei,
    answer: DeviceRecord,
    versioned: true,
  },
  changeDevice: {
    method: 'PUT',
    path: '/things/{imei}/record',
    summary: 'Change what is said of a device, move it to a group in the visitor’s scope.',
    access: 'session',
    params: ByImei,
    body: DeviceForm,
    answer: DeviceRecord,
    versioned: true,
  },
  addDevice: {
    method: 'POST',
    path: '/things',
    summary: 'Add a device to the company; for super admins, and managers where the company allows it.',
    access: 'session',
    body: object({ imei: Imei, ...DeviceForm.schema }),
    answer: DeviceRecord,
    status: 201,
  },
  replaceTracker: {
    method: 'POST',
    path: '/things/{imei}/tracker',
    summary: 'Another tracker reports for the device, which keeps its history. Who: as for adding.',
    access: 'session',
    params: ByImei,
    body: ByImei,
    answer: DeviceRecord,
  },
  retireDevice: {
    method: 'POST',
    path: '/things/{imei}/retire',
    summary: 'Take a device out of lists, map and counts; what it did stays. Who: as for adding.',
    access: 'session',
    params: ByImei,
    body: object({ reason: size(string(), 0, 500) }),
    answer: DeviceRecord,
  },
  unknownDevices: {
    method: 'GET',
    path: '/unknown-devices',
    summary:
      'Devices that knocked and are not registered: those of the company’s keys; for super admins also trackers’.',
    access: 'session',
    answer: UnknownDevices,
  },
  takeInDevice: {
    method: 'POST',
    path: '/unknown-devices/{imei}',
    summary: 'Add a device that knocked, into the visitor’s group, called by its IMEI.',
    access: 'session',
    params: ByImei,
    answer: DeviceRecord,
    status: 201,
  },
  importDevices: {
    method: 'POST',
    path: '/device-imports',
    summary: 'Read and check a list of devices, CSV or XLSX. Nothing is added yet.',
    access: 'session',
    query: object({ fileName: optional(size(string(), 1, 200)) }),
    takesFile: true,
    bodyBytes: IMPORT_BYTES,
    answer: DeviceImport,
    status: 202,
  },
  deviceImport: {
    method: 'GET',
    path: '/device-imports/{id}',
    summary: 'How far a list of devices is; its result is kept for an hour.',
    access: 'session',
    params: ById,
    answer: DeviceImport,
  },
  importRemarks: {
    method: 'GET',
    path: '/device-imports/{id}/remarks',
    summary: 'What is wrong (`faults`) or odd (`warnings`) with lines of a list, in their order.',
    access: 'session',
    params: ById,
    query: object({
      of: enums(['faults', 'warnings']),
      skip: optional(CountText),
      limit: optional(CountText),
    }),
    answer: open({ remarks: array(LineRemark), total: Count }),
  },
  applyImport: {
    method: 'POST',
    path: '/device-imports/{id}/apply',
    summary: 'Add the devices of a checked list; of one with bad lines the good ones, where `only` says so.',
    access: 'session',
    params: ById,
    body: object({ only: optional(enums(['good-lines'])) }),
    answer: DeviceImport,
    status: 202,
  },
  retryImport: {
    method: 'POST',
    path: '/device-imports/{id}/retry',
    summary: 'Read and check a list anew that says `canRetry`; what was added of it is known by then.',
    access: 'session',
    setsState: true,
    params: ById,
    answer: DeviceImport,
    status: 202,
  },
  cancelImport: {
    method: 'DELETE',
    path: '/device-imports/{id}',
    summary: 'Stop a list where it is; what was added stays.',
    access: 'session',
    params: ById,
    answer: DeviceImport,
  },
})
