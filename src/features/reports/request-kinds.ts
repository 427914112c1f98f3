import { lastWholeDays, REPORT_DAYS } from '#machines/rules/date-range.ts'
import type { Fault } from '#machines/rules/plain-text.ts'
import {
  blankChoice,
  DEFAULT_DURATION,
  observationRequestFaults,
  type ReportChoice,
  rangeRequestFaults,
} from '#machines/rules/report-request.ts'
import type { Wanted } from '../../actors/report-request.ts'
import { zoneName } from '../../format/time.ts'

export type RequestKind = Exclude<Wanted['kind'], 'interval'>

/** A screen on which a report is asked for: what differs from the others. */
export type RequestScreen = {
  path: string
  title: string
  /** what is in it, in the words of the list */
  about: string
  /** what its file holds */
  holds: readonly string[]
  /** word on the button, as the documents have it */
  button: 'Search' | 'Export'
  begin: (now: number) => ReportChoice
  check: (choice: ReportChoice, now: number) => readonly Fault[]
}

const HOUR_MS = 3_600_000
const ofRange = {
  begin: (now: number) => blankChoice(lastWholeDays(REPORT_DAYS, now, zoneName)),
  check: (choice: ReportChoice, now: number) => rangeRequestFaults(choice, now, zoneName),
}

export const SCREENS: Readonly<Record<RequestKind, RequestScreen>> = {
  distance: {
    path: '/distanceReport',
    title: 'Distance Report',
    about: 'Total distance travelled in a time duration.',
    holds: ['Distance of each device and day', 'Driving and standing time'],
    button: 'Search',
    ...ofRange,
  },
  temperature: {
    path: '/temperatureReport',
    title: 'Temperature Report',
    about: 'Temperatures in a time duration, and when they were out of range.',
    holds: [
      'Minimum, maximum, mean and mean kinetic temperature',
      'Minutes out of range',
      'Every excursion with its duration and its worst value',
      'Beside the spreadsheet a PDF, with a chart of each device',
    ],
    button: 'Export',
    ...ofRange,
  },
  observation: {
    path: '/observationReport',
    title: 'Observation Report',
    about: 'Every reading of the chosen devices, for some hours.',
    holds: ['Temperature and humidity', 'Place, signal, voltages and ignition'],
    button: 'Export',
    begin: (now) => blankChoice({ from: now - DEFAULT_DURATION * HOUR_MS, to: null }),
    check: observationRequestFaults,
  },
  event: {
    path: '/eventReport',
    title: 'Event Report',
    about: 'Violations in a time duration, by their type.',
    holds: [
      'When each began and ended',
      'Where it was, in words',
      'The limit, the worst value and who acknowledged it',
    ],
    button: 'Search',
    ...ofRange,
  },
  power: {
    path: '/powerReport',
    title: 'Power Report',
    about: 'When devices had power, and when they had not.',
    holds: ['Ignition', 'External and battery voltage', 'Times a device was unplugged'],
    button: 'Search',
    ...ofRange,
  },
}

/** In the order of the list. */
export const REQUEST_KINDS: readonly RequestKind[] = [
  'distance',
  'temperature',
  'observation',
  'event',
  'power',
]
