import type { ReportKind } from '#machines/contracts/entities/reports.ts'
import { reportTypeOf, titleOf, whyNotMade } from '#machines/rules/report-types.ts'

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

const EVENTS = 'Violations of all four kinds, with their times and places.'
const POWER = 'Ignition, voltages, and the times a device was unplugged.'

/** What is in each type that can be made. */
const MADE: Readonly<Record<string, string>> = {
  vehicleHistoryReport: 'Every reading of the chosen vehicles, of 24 hours at most.',
  TripDetailReport: 'Each trip with its start, its end, its distance and its duration.',
  vehicleTravelReport: 'Distance and driving time of each day, of days with at least so many kilometres.',
  vehicleTravelReportGraph: 'The Vehicle Travel Report, and a PDF with a bar for each vehicle.',
  OverSpeedingVehiclesReport: 'Each time a vehicle was faster than a limit: when, where and how fast.',
  StoppageReport: 'Where vehicles stood, since when and for how long, and with the engine on or off.',
  VehiclesNotRespondingReport: 'Who was silent, since when, and where it was last.',
  vehicleStatusReport: 'How each vehicle stood at the end of the time: status, place and newest values.',
  pjpReport: 'Trips of two days at most. There are no journey plans in Frostline to compare them with.',
  ViolationReport: EVENTS,
  violationsGraph: 'The Violation Report, and a PDF with a bar for each vehicle.',
  AlarmReport: 'What alarms were raised for: violations, with their times and places.',
  distanceReport: 'Total distance travelled in a time duration.',
  temperatureReport: 'Temperatures in a time duration, and when they were out of range.',
  observationReport: 'Every reading of the chosen vehicles.',
  eventReport: EVENTS,
  powerReport: POWER,
  POWER_REPORT: POWER,
  tripReport: 'Each trip with its start, its end, its distance and its duration.',
}

const madeInstead = (type: string) => ({ path: `/reports/${type}`, title: titleOf(type) })
const distance = madeInstead('distanceReport')
const trips = madeInstead('TripDetailReport')

/** What comes nearest to each of the documents' other types. */
const INSTEAD: Readonly<Record<string, NonNullable<AddressedType['instead']>>> = {
  PerformanceReport: trips,
  GeoFenceReport: trips,
  RouteFenceReport: trips,
  GeoFenceTrackReport: trips,
  fuelConsumptionReport: distance,
  DrivingScoreReport: trips,
  drivingScoreGraph: trips,
  OilChangeReport: distance,
  TyreChangeReport: distance,
}

const made = (type: string, about: string): AddressedType[] => {
  const known = reportTypeOf(type)
  return known === undefined ? [] : [{ type, about, ...known }]
}

const TYPES: readonly AddressedType[] = [
  ...Object.entries(MADE).flatMap(([type, about]) => made(type, about)),
  ...Object.entries(INSTEAD).map(
    ([type, instead]): AddressedType => ({
      ...{ type, kind: null, title: titleOf(type), about: whyNotMade(type) ?? '' },
      instead,
    }),
  ),
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
  'vehicleTravelReportGraph',
  'OverSpeedingVehiclesReport',
  'StoppageReport',
  'VehiclesNotRespondingReport',
  'vehicleStatusReport',
  'pjpReport',
  'ViolationReport',
  'violationsGraph',
  'AlarmReport',
].flatMap((type) => addressedType(type) ?? [])
