import fc from 'fast-check'
import { expect, test } from 'vitest'
import { WRONG_DISTANCE } from './report-interval.ts'
import { isSchedulable, SCHEDULED_TYPES, whyNotMade } from './report-types.ts'
import { extraFieldsOf, type ScheduleForm, scheduleFaults } from './schedule-form.ts'
import { clampedSpeed, SPEED } from './speed-limit.ts'

const right: ScheduleForm = {
  groups: ['g1'],
  vehicles: ['350000000000001'],
  interval: 'Daily',
  emails: ['ops@indus.example'],
  reportTypes: ['POWER_REPORT'],
}
const TRAVEL = { reportTypes: ['vehicleTravelReport'], startTime: '08:00', endTime: '17:30' }
const SPEEDING = { reportTypes: ['OverSpeedingVehiclesReport'] }
const faults = (changes: Partial<ScheduleForm>) => scheduleFaults({ ...right, ...changes })

test('one that has it all is right', () => expect(faults({})).toEqual([]))

test('all of them is as good as some', () => {
  expect(faults({ groups: [], vehicles: [], allGroups: true, allVehicles: true })).toEqual([])
  expect(faults({ ...TRAVEL, endTime: '00:00' })).toEqual([])
})

test('the documents’ types that can be made, Power Report first', () => {
  expect(SCHEDULED_TYPES).toHaveLength(21)
  expect(SCHEDULED_TYPES.filter(isSchedulable)).toEqual([
    'POWER_REPORT',
    'AlarmReport',
    'TripDetailReport',
    'distanceReport',
    'ViolationReport',
    'VehiclesNotRespondingReport',
    'vehicleStatusReport',
    'OverSpeedingVehiclesReport',
    'StoppageReport',
    'vehicleTravelReport',
    'vehicleTravelReportGraph',
    'violationsGraph',
  ])
  for (const type of SCHEDULED_TYPES) expect(whyNotMade(type) === undefined).toBe(isSchedulable(type))
})

test('an empty one is told all it lacks, in the words of the documents', () => {
  expect(scheduleFaults({ groups: [], vehicles: [], interval: '', emails: [], reportTypes: [] })).toEqual([
    { path: 'groups', message: 'Please select at least one group.' },
    { path: 'vehicles', message: 'Please select at least one vehicle.' },
    { path: 'emails', message: 'Please enter at least one email.' },
    { path: 'interval', message: 'Please select interval.' },
    { path: 'reportTypes', message: 'Please select at least one report type.' },
  ])
})

test.each<[Partial<ScheduleForm>, string, string]>([
  [{ emails: ['ops@indus.example', 'ops'] }, 'emails', 'Invalid email address'],
  [{ interval: 'Hourly' }, 'interval', 'Please select interval.'],
  [{ ...SPEEDING, speed: 201 }, 'speed', 'Enter a whole speed of 1 to 200 km/h'],
  [{ ...SPEEDING, speed: 79.5 }, 'speed', 'Enter a whole speed of 1 to 200 km/h'],
  [{ ...TRAVEL, vehicleTravelDistance: -1 }, 'vehicleTravelDistance', 'Enter a distance of 0 to 100,000 km'],
  [{ ...TRAVEL, vehicleTravelDistance: Number.NaN }, 'vehicleTravelDistance', WRONG_DISTANCE],
  [{ ...TRAVEL, vehicleTravelDistance: 100_001 }, 'vehicleTravelDistance', WRONG_DISTANCE],
  [{ ...TRAVEL, endTime: '08:00' }, 'endTime', 'End time must be after start time.'],
  [{ ...TRAVEL, startTime: '8:00' }, 'startTime', 'Enter a time as HH:mm'],
  [{ ...TRAVEL, endTime: '24:00' }, 'endTime', 'Enter a time as HH:mm'],
  [{ ...TRAVEL, startTime: '' }, 'startTime', 'Please select start time.'],
  [
    { reportTypes: ['OilChangeReport'] },
    'reportTypes',
    'Oil Change Report cannot be scheduled: needs oil changes, which nobody tells Frostline of.',
  ],
])('%j is told at %s', (changes, path, message) => expect(faults(changes)).toEqual([{ path, message }]))

test.each<[string, string[]]>([
  ['GeoFenceTrackReport', ['sourceGeofenceId', 'destinationGeofenceId']],
  ['PerformanceReport', ['performanceGeoFence', 'performanceRouteFence']],
  ['OverSpeedingVehiclesReport', ['speed']],
  ['vehicleTravelReport', ['startTime', 'endTime', 'vehicleTravelDistance']],
  ['vehicleTravelReportGraph', ['startTime', 'endTime', 'vehicleTravelDistance']],
  ['POWER_REPORT', []],
])('%s asks for %j', (type, fields) => {
  expect([...extraFieldsOf([type])]).toEqual(fields)
  const missing = faults({ reportTypes: [type] }).map(({ path }) => path)
  const hasStandard = ['speed', 'vehicleTravelDistance']
  expect(missing.filter((path) => path !== 'reportTypes')).toEqual(
    fields.filter((field) => !hasStandard.includes(field)),
  )
})

test('a speed or distance that no type of it asks for is not looked at', () => {
  expect(faults({ speed: Number.NaN, vehicleTravelDistance: Number.NaN })).toEqual([])
  expect(faults({ ...TRAVEL, speed: 900 })).toEqual([])
  expect(faults({ ...SPEEDING, vehicleTravelDistance: -1 })).toEqual([])
  expect(faults({ ...TRAVEL, vehicleTravelDistance: 100_000 })).toEqual([])
})

test('a clamped speed is always one that may be asked for', () => {
  fc.assert(
    fc.property(fc.double(), (typed) => {
      const speed = clampedSpeed(typed)
      expect(faults({ ...SPEEDING, speed })).toEqual([])
      if (typed >= SPEED.min && typed <= SPEED.max) expect(Math.abs(speed - typed)).toBeLessThanOrEqual(0.5)
    }),
  )
})
