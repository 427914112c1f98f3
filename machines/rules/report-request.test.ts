import { describe, expect, test } from 'vitest'
import {
  blankChoice,
  DURATIONS,
  intervalStepFaults,
  observationRequestFaults,
  rangeRequestFaults,
} from './report-request.ts'

const ZONE = 'Asia/Karachi'
const NOW = Date.UTC(2026, 5, 15, 7)
const DAY = 86_400_000
const blank = blankChoice({ from: NOW - DAY, to: NOW })
const all = { ...blank, devices: 'all' } as const

describe('groups, devices and a range', () => {
  test('a group alone will do, or a device', () => {
    expect(rangeRequestFaults(blank, NOW, ZONE)).toEqual([
      { path: 'devices', message: 'Please select at least one group or device.' },
    ])
    expect(rangeRequestFaults({ ...blank, groups: new Set(['lahore']) }, NOW, ZONE)).toEqual([])
    expect(rangeRequestFaults({ ...blank, devices: new Set(['352093024171000']) }, NOW, ZONE)).toEqual([])
    expect(rangeRequestFaults(all, NOW, ZONE)).toEqual([])
  })

  test('an event report without a type is of nothing', () => {
    expect(rangeRequestFaults({ ...all, types: new Set() }, NOW, ZONE)).toEqual([
      { path: 'types', message: 'Please select violations' },
    ])
  })

  test('a month is the most', () => {
    expect(rangeRequestFaults({ ...all, from: NOW - 40 * DAY }, NOW, ZONE)).toEqual([
      { path: 'to', message: 'End date can be at most one month after the start' },
    ])
  })
})

describe('an observation report', () => {
  test('says what is missing in the documents’ words', () => {
    expect(observationRequestFaults({ ...blank, from: null, hours: null }, NOW)).toEqual([
      { path: 'devices', message: 'Please Select Vehicle.' },
      { path: 'from', message: 'Start date is required.' },
      { path: 'hours', message: 'Hours selection is required.' },
    ])
  })

  test('begins in the past', () => {
    expect(observationRequestFaults({ ...all, from: NOW }, NOW)).toEqual([])
    expect(observationRequestFaults({ ...all, from: NOW + 1 }, NOW)).toEqual([
      { path: 'from', message: 'Start date cannot be in the future.' },
    ])
  })

  test('goes on for 1 to 25 hours, 12 at first', () => {
    expect([blank.hours, DURATIONS[0], DURATIONS.at(-1), DURATIONS.length]).toEqual([12, 1, 25, 25])
    expect(observationRequestFaults({ ...all, hours: 26 }, NOW)).toEqual([
      { path: 'hours', message: 'Hours selection is required.' },
    ])
  })
})

test('the vehicles step needs a vehicle and keeps the rules of its type', () => {
  expect(intervalStepFaults('vehicleHistoryReport', { ...blank, from: NOW - 2 * DAY }, NOW, ZONE)).toEqual([
    { path: 'devices', message: 'Please select at least one vehicle.' },
    { path: 'to', message: 'Please select interval of maximum 24 hours' },
  ])
  expect(intervalStepFaults('TripDetailReport', all, NOW, ZONE)).toEqual([])
})
