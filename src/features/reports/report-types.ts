import type { ReportKind } from '#machines/contracts/entities/reports.ts'
import { reportTypeOf } from '#machines/rules/report-types.ts'

/** A report type that has an address, `/reports/{type}`. */
export type AddressedType = {
  /** as addresses and calls write it */
  type: string
  title: string
  /** what it is made of; null: it cannot be made */
  kind: ReportKind | null
  /** what is in it, or why it cannot be made */
  about: string
  /** where the nearest thing is that there is */
  instead?: { path: string; title: string }
}

const NO_FENCES = 'Nobody has drawn fences in Frostline: there are no areas and routes to report on.'
const NO_SERVICE = 'Frostline knows nothing of workshops and their intervals.'
const NO_SCORE = 'The devices measure no braking and no cornering: nobody could say how well was driven.'
const EVENTS = 'Violations of all four kinds, with their times and places.'
const POWER = 'Ignition, voltages, and the times a device was unplugged.'

/** What is in each type that can be made. */
const MADE: Readonly<Record<string, string>> = {
  vehicleHistoryReport: 'Every reading of the chosen vehicles, of 24 hours at most.',
  TripDetailReport: 'Each trip with its start, its end, its distance and its duration.',
  vehicleTravelReport: 'Trips of at least so many kilometres.',
  pjpReport: 'Trips of two days at most. There are no journey plans in Frostline to compare them with.',
  ViolationReport: EVENTS,
  AlarmReport: 'What alarms were raised for: violations, with their times and places.',
  distanceReport: 'Total distance travelled in a time duration.',
  temperatureReport: 'Temperatures in a time duration, and when they were out of range.',
  observationReport: 'Every reading of the chosen vehicles.',
  eventReport: EVENTS,
  powerReport: POWER,
  POWER_REPORT: POWER,
  tripReport: 'Each trip with its start, its end, its distance and its duration.',
}

const dashboard = { path: '/', title: 'Dashboard' }
const madeInstead = (type: string) => ({ path: `/reports/${type}`, title: reportTypeOf(type)?.title ?? type })
const distance = madeInstead('distanceReport')
const trips = madeInstead('TripDetailReport')

/** Why each of the documents' other types cannot be made, and what comes nearest. */
const NOT_MADE: readonly Omit<AddressedType, 'kind'>[] = [
  { type: 'PerformanceReport', title: 'Performance Report', about: NO_FENCES, instead: trips },
  { type: 'GeoFenceReport', title: 'Geofence Report', about: NO_FENCES, instead: trips },
  { type: 'RouteFenceReport', title: 'Route Fence Report', about: NO_FENCES, instead: trips },
  { type: 'GeoFenceTrackReport', title: 'Geofence Track Report', about: NO_FENCES, instead: trips },
  {
    type: 'fuelConsumptionReport',
    title: 'Fuel Consumption Report',
    about: 'The devices measure no fuel.',
    instead: distance,
  },
  {
    type: 'VehiclesNotRespondingReport',
    title: 'Vehicles Not Responding Report',
    about: 'It is not made as a file. Who is silent, and since when, stands on the dashboard.',
    instead: dashboard,
  },
  {
    type: 'vehicleStatusReport',
    title: 'Vehicle Status Report',
    about: 'It is not made as a file. The state of every vehicle stands on the dashboard.',
    instead: dashboard,
  },
  {
    type: 'OverSpeedingVehiclesReport',
    title: 'Over-speeding Vehicles Report',
    about: 'Frostline watches no speed limit. The top speed of each trip is in the Trip Detail Report.',
    instead: trips,
  },
  { type: 'DrivingScoreReport', title: 'Driving Score Report', about: NO_SCORE, instead: trips },
  { type: 'drivingScoreGraph', title: 'Driving Score Graph', about: NO_SCORE, instead: trips },
  {
    type: 'StoppageReport',
    title: 'Stoppage Report',
    about: 'It is not made by itself: standing time by device and day is in the Distance Report.',
    instead: distance,
  },
  { type: 'OilChangeReport', title: 'Oil Change Report', about: NO_SERVICE, instead: distance },
  { type: 'TyreChangeReport', title: 'Tyre Change Report', about: NO_SERVICE, instead: distance },
  {
    type: 'vehicleTravelReportGraph',
    title: 'Vehicle Travel Report Graph',
    about: 'It is not drawn. The trips themselves are in the Vehicle Travel Report.',
    instead: madeInstead('vehicleTravelReport'),
  },
  {
    type: 'violationsGraph',
    title: 'Violations Graph',
    about: 'The chart stands on a page of its own, from where it is saved as an image.',
    instead: { path: '/visualization/violations', title: 'Violations' },
  },
]

const made = (type: string, about: string): AddressedType[] => {
  const known = reportTypeOf(type)
  return known === undefined ? [] : [{ type, about, ...known }]
}

const TYPES: readonly AddressedType[] = [
  ...Object.entries(MADE).flatMap(([type, about]) => made(type, about)),
  ...NOT_MADE.map((each) => ({ ...each, kind: null })),
]

const BY_ADDRESS = new Map(TYPES.map((each) => [each.type.toLowerCase(), each]))

/** The type an address names, in capitals or not; undefined where there is none of that name. */
export const addressedType = (address: string): AddressedType | undefined =>
  BY_ADDRESS.get(address.toLowerCase())

/** Those the list of reports leads to beside its five. */
export const listedTypes: readonly AddressedType[] = [
  'vehicleHistoryReport',
  'TripDetailReport',
  'vehicleTravelReport',
  'pjpReport',
  'ViolationReport',
  'AlarmReport',
].flatMap((type) => addressedType(type) ?? [])
