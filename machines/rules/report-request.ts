import type { ViolationType } from '../contracts/scalars.ts'
import { dateRangeFaults, type TypedRange } from './date-range.ts'
import { type Fault, firstFaults } from './plain-text.ts'
import { DEFAULT_MIN_DISTANCE, type ReportTerms, reportTermsFaults } from './report-interval.ts'
import { SPEED } from './speed-limit.ts'

/** Any number of things; `'all'` stays all when more come. */
export type Picked = 'all' | ReadonlySet<string>

/** What is chosen for a report. Each screen has its part of it, the rest stays as it began. */
export type ReportChoice = {
  /** ids of groups, each for the devices directly in it: with all below it ticked it is the whole group */
  groups: ReadonlySet<string>
  /** imeis, beside those of the groups */
  devices: Picked
  /** the range, or (observation report) when it begins */
  from: number | null
  to: number | null
  /** of an observation report, from `from` on */
  hours: number | null
  /** of an event report */
  types: 'all' | ReadonlySet<ViolationType>
  geofences: readonly string[]
  /** km */
  minDistance: number
  /** km/h */
  speed: number
}

/** The durations of an observation report, hours, and the one it begins with. */
export const DURATIONS: readonly number[] = Array.from({ length: 25 }, (_, i) => i + 1)
export const DEFAULT_DURATION = 12

/** A choice with nothing in it but a range. */
export function blankChoice({ from, to }: TypedRange): ReportChoice {
  return {
    groups: new Set(),
    devices: new Set(),
    from,
    to,
    hours: DEFAULT_DURATION,
    types: 'all',
    geofences: [],
    minDistance: DEFAULT_MIN_DISTANCE,
    speed: SPEED.standard,
  }
}

/** The screens of groups, devices and a range: distance, temperature, power, and with types the events. */
export function rangeRequestFaults(choice: ReportChoice, now: number, zone: string): Fault[] {
  const { groups, types } = choice
  return [
    ...firstFaults([
      ['devices', 'Please select at least one group or device.', groups.size === 0 && isNone(choice.devices)],
      ['types', 'Please select violations', isNone(types)],
    ]),
    ...dateRangeFaults(choice, now, zone),
  ]
}

/** The observation report: devices, when it begins, how long it goes on. */
export function observationRequestFaults({ devices, from, hours }: ReportChoice, now: number): Fault[] {
  return firstFaults([
    ['devices', 'Please Select Vehicle.', isNone(devices)],
    ['from', 'Start date is required.', from === null],
    ['from', 'Start date cannot be in the future.', from !== null && from > now],
    ['hours', 'Hours selection is required.', hours === null || !DURATIONS.includes(hours)],
  ])
}

/** Vehicles and interval, by the rules of the report's type (report-interval.ts). Groups stand for their vehicles. */
export function intervalStepFaults(type: string, choice: ReportChoice, now: number, zone: string): Fault[] {
  const terms: ReportTerms = choice
  return [
    ...firstFaults([['devices', 'Please select at least one vehicle.', isNone(choice.devices)]]),
    ...reportTermsFaults(type, terms, now, zone),
  ]
}

const isNone = (picked: Picked): boolean => picked !== 'all' && picked.size === 0
