import { array, enums, object, type as open, optional, string } from 'superstruct'
import { ChangeHistory } from '../entities/changes.ts'
import { DistanceChart, FuelChart, TripsChart } from '../entities/charts.ts'
import { DeviceHistory, ObservationRow, ObservationsAside, Thing } from '../entities/devices.ts'
import { Count, Id, Imei, Line, listOf, Seq } from '../scalars.ts'
import { AS_OF, PageAsOf } from './as-of.ts'
import { CountText, calls, fromJson, Interval, LIST_BODY_BYTES } from './call.ts'

const ByImei = object({ imei: Imei })
const OfInterval = object({ data: fromJson(Interval) })
const OfIntervalAsOf = object({ data: fromJson(Interval), ...AS_OF })

/** The longest span a device's history answers for, and what is said beyond it. */
export const HISTORY_MAX_MS = 24 * 60 * 60 * 1000
export const HISTORY_TOO_LONG = 'Duration Should be 1 Day Maximum'

/** The same of an observation table: its longest duration. */
export const OBSERVATIONS_MAX_MS = 25 * 60 * 60 * 1000
export const OBSERVATIONS_TOO_LONG = 'Duration Should be 25 Hours Maximum'

/** Devices moved at once: one commit. */
export const MOST_MOVED = 5000

/** Devices of which charts are reckoned at once. */
const CHARTED = listOf(Id, 50, 1)
const ChartRequest = object({ things: CHARTED, ...Interval.schema })

export const DEVICE_CALLS = calls({
  groupThings: {
    method: 'GET',
    path: '/groups/{groupId}/things',
    summary: 'Devices of a group and of all below it.',
    access: 'session',
    takesKey: true,
    params: object({ groupId: Id }),
    answer: array(Thing),
  },
  vehicleModels: {
    method: 'GET',
    path: '/groups/{groupId}/vehicle-models',
    summary: 'Makes and models in a group and all below it, each with its device numbers, between commas.',
    access: 'session',
    params: object({ groupId: Id }),
    // a list of numbers takes seconds to check where they are 100,000
    answer: array(open({ model: string(), devices: string() })),
  },
  updateThing: {
    method: 'PUT',
    path: '/things/{imei}',
    summary: "Rename a device, move it to a group in the visitor's scope.",
    access: 'session',
    params: ByImei,
    body: object({ groupId: Id, name: Line }),
    answer: Thing,
    versioned: true,
  },
  moveThings: {
    method: 'POST',
    path: '/things/move',
    summary: `Move up to ${MOST_MOVED} devices to one group, both in the visitor's scope, in one commit. Answers which stayed where they are, and why.`,
    access: 'session',
    setsState: true,
    body: object({ things: listOf(Imei, MOST_MOVED, 1), groupId: Id }),
    bodyBytes: LIST_BODY_BYTES,
    answer: open({ moved: Count, refused: array(open({ imei: Imei, message: Line })) }),
  },
  thing: {
    method: 'GET',
    path: '/things/{imei}',
    summary: 'One device with its newest reading.',
    access: 'session',
    takesKey: true,
    params: ByImei,
    answer: Thing,
    versioned: true,
  },
  thingHistory: {
    method: 'GET',
    path: '/things/{imei}/history',
    summary: 'Who changed what of a device, newest first; for managers.',
    access: 'session',
    params: ByImei,
    query: PageAsOf,
    answer: ChangeHistory,
  },
  observationsLatest: {
    method: 'GET',
    path: '/groups/{groupId}/observations-latest',
    summary: 'The fleet with its newest readings. `Accept: application/vnd.frostline.fleet` answers columns.',
    access: 'session',
    takesKey: true,
    params: object({ groupId: Id }),
    answer: open({ seq: Seq, data: array(Thing) }),
  },
  observations: {
    method: 'GET',
    path: '/things/{imei}/observations',
    summary: 'History of one device, at most 24 hours; thinned to about `maxPoints`, 86,400 at most.',
    access: 'session',
    takesKey: true,
    params: ByImei,
    query: object({ data: fromJson(Interval), maxPoints: optional(CountText), ...AS_OF }),
    answer: DeviceHistory,
  },
  observationsLogs: {
    method: 'GET',
    path: '/things/{imei}/observations-logs',
    summary:
      'Rows of the observation table, oldest first, at most 25 hours. `location`: the nearest place in words.',
    access: 'session',
    takesKey: true,
    params: ByImei,
    query: OfIntervalAsOf,
    answer: array(ObservationRow),
  },
  tempObservationsLogs: {
    method: 'GET',
    path: '/things/{id}/tempObservations-logs',
    summary: 'The same with the name of the device.',
    access: 'session',
    takesKey: true,
    params: object({ id: Id }),
    query: OfIntervalAsOf,
    answer: array(ObservationRow),
  },
  observationsAside: {
    method: 'GET',
    path: '/things/{imei}/observations-aside',
    summary:
      'What the observation table leaves out, at most 25 hours: readings kept aside, up to a day ahead where the time reaches the present, at most 200, and impossible fields that were dropped.',
    access: 'session',
    takesKey: true,
    params: ByImei,
    query: OfIntervalAsOf,
    answer: ObservationsAside,
  },
  passengerCheck: {
    method: 'GET',
    path: '/things/passengercheck/{thingId}/{isPassenger}',
    summary: 'Say whether a passenger was in the vehicle.',
    access: 'session',
    params: object({ thingId: Id, isPassenger: enums(['true', 'false']) }),
    answer: open({ message: string() }),
  },
  tripsChart: {
    method: 'POST',
    path: '/things/tripsChart/stats',
    repeatable: true,
    summary:
      'Trips per day of up to 50 devices together, at most one month. A trip is counted on the day it sets off; it ends with a stop of five minutes.',
    access: 'session',
    body: ChartRequest,
    answer: TripsChart,
  },
  gdChart: {
    method: 'GET',
    path: '/things/gdChart/stats/{id}',
    summary: 'Distance per day of one device, at most one month, with how long it drove, idled and stood.',
    access: 'session',
    params: object({ id: Id }),
    query: OfInterval,
    answer: DistanceChart,
  },
  fuelStats: {
    method: 'POST',
    path: '/things/fuel/stats',
    repeatable: true,
    summary:
      'Fuel per day of up to 50 devices together, at most one month: an estimate from distance, idling and cooling, as no sensor measures it. `per` says what was reckoned with.',
    access: 'session',
    body: ChartRequest,
    answer: FuelChart,
  },
})
