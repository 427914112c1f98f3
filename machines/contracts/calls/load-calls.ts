import { any, array, coerce, enums, object, type as open, optional, record, size, string } from 'superstruct'
import {
  BudgetColumns,
  BudgetTrack,
  DeviceBudget,
  LOAD_FILE_BYTES,
  LOAD_STATES,
  Load,
  LoadLineFault,
  LoadReason,
  LoadReference,
  LoadRow,
  LoadState,
  LoadStory,
} from '../entities/loads.ts'
import { SigningOff } from '../entities/sign-off.ts'
import { Count, Id, Imei, Instant } from '../scalars.ts'
import { CountText, calls, fromJson, Interval } from './call.ts'

const ById = object({ loadId: Id })
const ByImei = object({ imei: Imei })
/** `signOff`: what the decision means and one’s password once more, where one signs it. */
const Decision = object({
  reason: LoadReason,
  signOff: optional(object({ meaning: SigningOff.schema.meaning, password: SigningOff.schema.password })),
})
const States = coerce(size(array(LoadState), 0, LOAD_STATES.length), string(), (text) =>
  text === '' ? [] : text.split(','),
)

/** Loads in one answer at most. */
export const LOADS_AT_ONCE = 100

export const LOAD_CALLS = calls({
  loads: {
    method: 'GET',
    path: '/groups/{groupId}/loads',
    summary:
      'Loads on devices of a group and below: of some states, of one device, by words of reference, device or plate. At most 100 at once; `counts` are of all that match but for the states.',
    access: 'session',
    params: object({ groupId: Id }),
    query: object({
      states: optional(States),
      imei: optional(Imei),
      search: optional(size(string(), 0, 100)),
      /** those that were under way at some time in it */
      startDate: optional(Instant),
      endDate: optional(Instant),
      /** by how much is used, most first; when opened, newest first; by reference; by when it is exhausted, soonest first */
      sort: optional(enums(['used', 'opened', 'reference', 'exhausts'])),
      skip: optional(CountText),
      limit: optional(CountText),
    }),
    answer: open({
      loads: array(LoadRow),
      total: Count,
      counts: record(LoadState, Count),
    }),
  },
  budgets: {
    method: 'GET',
    path: '/groups/{groupId}/budgets',
    summary:
      'How much is used of the load on each device of a group and below, as columns; after a `revision` what changed since.',
    access: 'session',
    params: object({ groupId: Id }),
    query: object({ since: optional(CountText) }),
    answer: BudgetColumns,
  },
  load: {
    method: 'GET',
    path: '/loads/{loadId}',
    summary:
      'A load and its story: where it was and how long, its budget, when it was beyond a limit, who did what.',
    access: 'session',
    params: ById,
    answer: LoadStory,
  },
  openLoad: {
    method: 'POST',
    path: '/loads',
    summary:
      'Open a load on a device, now or since a time of the last 31 days. Its profile is the device’s or its group’s where none is said. 409: the device carries one; 429: 50 loads were taken off it within 24 hours.',
    access: 'session',
    body: object({
      imei: Imei,
      reference: LoadReference,
      profileId: optional(Id),
      since: optional(Instant),
    }),
    answer: Load,
    status: 201,
  },
  sendLoadList: {
    method: 'POST',
    path: '/load-lists',
    summary:
      'Open and close loads by a CSV list of IMEI, Reference, Profile, Since and Close; the last three may be empty. A line whose Close is «yes» takes the load of that reference off its device, before others are opened. Nothing is done where a line is wrong, unless `only` says so; lines that say what is so already are counted in `already`, so that a list may be sent again.',
    access: 'session',
    query: object({ only: optional(enums(['good-lines'])) }),
    takesFile: true,
    bodyBytes: LOAD_FILE_BYTES,
    answer: open({
      opened: Count,
      closed: Count,
      already: Count,
      lines: Count,
      faulty: Count,
      faults: array(LoadLineFault),
    }),
  },
  closeLoad: {
    method: 'POST',
    path: '/loads/{loadId}/close',
    summary: 'The load is off its device. 409: it was before.',
    access: 'session',
    params: ById,
    answer: Load,
  },
  beginReview: {
    method: 'POST',
    path: '/loads/{loadId}/review',
    summary: 'Begin to review a load whose budget is exhausted, or that is closed.',
    access: 'session',
    params: ById,
    answer: Load,
  },
  releaseLoad: {
    method: 'POST',
    path: '/loads/{loadId}/release',
    summary:
      'Release a load that is in review, with the reason, and signed where one gives one’s password. For managers.',
    access: 'session',
    params: ById,
    body: Decision,
    answer: Load,
  },
  rejectLoad: {
    method: 'POST',
    path: '/loads/{loadId}/reject',
    summary:
      'Reject a load that is in review, with the reason, and signed where one gives one’s password. For managers.',
    access: 'session',
    params: ById,
    body: Decision,
    answer: Load,
  },
  loadPdf: {
    method: 'GET',
    path: '/loads/{loadId}/pdf',
    summary: 'The story of a load as a PDF, in the company’s time zone.',
    access: 'session',
    params: ById,
    media: 'application/pdf',
    answer: any(),
  },
  deviceBudget: {
    method: 'GET',
    path: '/things/{imei}/budget',
    summary: 'The load on a device and its budget, and the profile of one that is opened on it next.',
    access: 'session',
    params: ByImei,
    answer: DeviceBudget,
  },
  budgetTracks: {
    method: 'GET',
    path: '/things/{imei}/budget-tracks',
    summary: 'Of loads that were on a device in a time of at most 25 hours: how their budgets went.',
    access: 'session',
    params: ByImei,
    query: object({ data: fromJson(Interval) }),
    answer: open({ tracks: array(BudgetTrack) }),
  },
})
